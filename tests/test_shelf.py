"""The shelf keeps many values, loses only what is damaged, and serves two builds at once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from explainers import shelf as module
from explainers.digest import digest
from explainers.errors import BuildError
from explainers.shelf import Shelf

KEYS = [digest("test", str(number)) for number in range(1200)]
VALUES = {key: key.encode() * 9 for key in KEYS}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "cache" / "shelf.sqlite")
    yield made
    made.close()


def again(shelf: Shelf) -> Shelf:
    shelf.close()
    return Shelf(shelf.path)


def count(path: Path) -> int:
    database = sqlite3.connect(path)
    (number,) = database.execute("SELECT count(*) FROM shelf").fetchone()
    database.close()
    return int(number)


def test_it_returns_what_was_put_before_and_after_it_is_written(shelf: Shelf) -> None:
    assert shelf.get(KEYS[0]) is None
    shelf.put(KEYS[0], b"")
    shelf.put_many(dict(list(VALUES.items())[1:]))
    assert shelf.get_many([*KEYS, digest("other"), KEYS[1]]) == {**VALUES, KEYS[0]: b""}
    assert again(shelf).get_many(KEYS) == {**VALUES, KEYS[0]: b""}


def test_the_last_value_of_a_key_counts(shelf: Shelf) -> None:
    for value in (b"first", b"second"):
        shelf.put(KEYS[0], value)
        shelf.flush()
    assert again(shelf).get(KEYS[0]) == b"second"


def test_asking_alone_makes_no_file_and_imports_no_sqlite(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from explainers.shelf import Shelf\n"
        f"shelf = Shelf(Path({str(tmp_path / 'shelf.sqlite')!r}))\n"
        f"assert shelf.get({KEYS[0]!r}) is None; shelf.flush(); shelf.close()\n"
        "print('sqlite3' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("False", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE shelf SET value = x'00' WHERE rowid = 1",
        "UPDATE shelf SET mark = x'00' WHERE rowid = 1",
        "UPDATE shelf SET value = (SELECT value FROM shelf WHERE rowid = 2),"
        " mark = (SELECT mark FROM shelf WHERE rowid = 2) WHERE rowid = 1",
    ],
)
def test_a_value_that_is_not_what_was_put_counts_as_absent(shelf: Shelf, change: str) -> None:
    shelf.put_many({key: VALUES[key] for key in KEYS[:2]})
    shelf.close()
    database = sqlite3.connect(shelf.path)
    with database:
        database.execute(change)
    database.close()
    assert shelf.get_many(KEYS[:2]) == {KEYS[1]: VALUES[KEYS[1]]}
    shelf.put(KEYS[0], b"anew")
    assert again(shelf).get(KEYS[0]) == b"anew"


@pytest.mark.parametrize("damage", ["text", "cut", "middle", "empty", "other"])
def test_a_damaged_database_is_made_anew(shelf: Shelf, damage: str) -> None:
    shelf.put_many(VALUES)
    shelf.close()
    data = shelf.path.read_bytes()
    if damage == "other":
        shelf.path.unlink()
        database = sqlite3.connect(shelf.path)
        database.execute("CREATE TABLE shelf (name TEXT)")
        database.close()
    else:
        middle = os.urandom(len(data) - 8192)
        texts = {"text": b"not a database", "cut": data[: len(data) // 2], "empty": b""}
        shelf.path.write_bytes(texts.get(damage, data[:4096] + middle + data[-4096:]))
    found = shelf.get_many(KEYS)
    assert found.items() <= VALUES.items()
    shelf.put_many(VALUES)
    assert again(shelf).get_many(KEYS) == VALUES


def test_a_shelf_that_was_deleted_or_replaced_meanwhile_is_opened_anew(shelf: Shelf) -> None:
    shelf.put(KEYS[0], b"lost")
    shelf.flush()
    shelf.path.unlink()
    assert shelf.get(KEYS[0]) is None
    other = Shelf(shelf.path)
    other.put(KEYS[1], b"theirs")
    other.close()
    shelf.put(KEYS[2], b"mine")
    assert again(shelf).get_many(KEYS[:3]) == {KEYS[1]: b"theirs", KEYS[2]: b"mine"}


def test_builds_at_once_lose_nothing(shelf: Shelf) -> None:
    script = (
        "import sys; from pathlib import Path; from explainers.shelf import Shelf\n"
        "shelf = Shelf(Path(sys.argv[1]))\n"
        "for number in range(40):\n"
        "    first = int(sys.argv[2]) * 1000 + number * 5\n"
        "    value = sys.argv[2].encode() * 999\n"
        "    shelf.put_many({f'{first + n:064x}': value for n in range(5)})\n"
        "    shelf.flush()\n"
        "shelf.close()"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(shelf.path), str(number)])
        for number in range(4)
    ]
    assert [process.wait() for process in running] == [0] * 4
    for number in range(4):
        keys = [f"{number * 1000 + n:064x}" for n in range(200)]
        assert shelf.get_many(keys) == dict.fromkeys(keys, str(number).encode() * 999)


def test_a_build_that_waits_too_long_does_without(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WAIT", 0.01)
    shelf.put(KEYS[0], b"kept")
    shelf.close()
    other = sqlite3.connect(shelf.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert shelf.get(KEYS[0]) is None
    shelf.put(KEYS[1], b"not kept")
    shelf.flush()
    other.execute("ROLLBACK")
    other.close()
    assert shelf.get_many(KEYS[:2]) == {KEYS[0]: b"kept"}


def test_a_disk_that_refuses_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file where the folder should be")
    shelf = Shelf(tmp_path / "cache" / "shelf.sqlite")
    assert shelf.get(KEYS[0]) is None
    shelf.put(KEYS[0], b"x")
    with pytest.raises(BuildError) as caught:
        shelf.flush()
    assert caught.value.problems[0].code == "store-write"


def test_what_was_not_used_for_longest_is_dropped_when_it_grows_too_large(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FRESH", 0)
    for number in range(8):
        shelf.put(KEYS[number], os.urandom(20_000))
        shelf = again(shelf)
    assert shelf.get(KEYS[0]) is not None  # used now
    monkeypatch.setattr(module, "MOST", 180_000)
    shelf.put(KEYS[8], os.urandom(20_000))
    shelf = again(shelf)
    assert count(shelf.path) <= 5
    assert shelf.get_many([KEYS[0], KEYS[7], KEYS[8]]).keys() == {KEYS[0], KEYS[7], KEYS[8]}
    assert shelf.get(KEYS[1]) is None
    shelf.close()


def test_two_shelves_of_the_same_values_are_the_same_bytes(tmp_path: Path) -> None:
    shelves = [Shelf(tmp_path / name) for name in "ab"]
    for shelf in shelves:
        shelf.put_many(VALUES)
        shelf.close()
    assert shelves[0].path.read_bytes() == shelves[1].path.read_bytes()
