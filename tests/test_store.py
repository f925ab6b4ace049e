from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.digest import digest
from explainers.errors import BuildError
from explainers.store import Store

KEY = digest("test", "a")


def file_of(store: Store, key: str) -> Path:
    return store.root / key[:2] / key[2:]


def test_it_returns_what_was_put(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    assert store.get(KEY) is None
    store.put(KEY, b"data")
    assert store.get(KEY) == b"data"
    store.put(KEY, b"")
    assert Store(tmp_path / "store").get(KEY) == b""
    assert list(store.keys()) == [KEY]


@settings(deadline=None)
@given(st.integers(min_value=0), st.integers(1, 255))
def test_a_flipped_byte_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, at: int, flip: int
) -> None:
    store = Store(tmp_path_factory.mktemp("store"))
    store.put(KEY, b"some result")
    file = file_of(store, KEY)
    damaged = bytearray(file.read_bytes())
    damaged[at % len(damaged)] ^= flip
    file.write_bytes(bytes(damaged))
    assert store.get(KEY) is None
    assert not file.exists()
    store.put(KEY, b"some result")
    assert store.get(KEY) == b"some result"


@pytest.mark.parametrize("length", [0, 5, 20, 44, 46])
def test_a_truncated_file_is_noticed(tmp_path: Path, length: int) -> None:
    store = Store(tmp_path)
    store.put(KEY, b"abcdef")
    file = file_of(store, KEY)
    file.write_bytes(file.read_bytes()[:length])
    assert store.get(KEY) is None


def test_a_folder_in_the_place_of_a_file_is_replaced(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (file_of(store, KEY) / "deep").mkdir(parents=True)
    assert store.get(KEY) is None
    store.put(KEY, b"x")
    assert store.get(KEY) == b"x"


def test_it_prunes_what_is_not_to_be_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keys = [digest("k", str(number)) for number in range(6)]
    for key in keys:
        store.put(key, key.encode())
    (tmp_path / keys[0][:2] / "stray.part").write_bytes(b"half")
    assert store.prune(keys[:2]) == (5, 4 * (45 + 64) + 4)
    assert sorted(store.keys()) == sorted(keys[:2])
    assert store.get(keys[0]) == keys[0].encode()


def test_over_its_bound_it_drops_what_was_not_used_for_longest(tmp_path: Path) -> None:
    keys = [digest("k", str(number)) for number in range(10)]
    first = Store(tmp_path)
    for age, key in enumerate(keys):
        first.put(key, bytes(1000))
        os.utime(file_of(first, key), (10_000 * age, 10_000 * age))
    store = Store(tmp_path)
    assert store.bound(5_000) == (0, 0), "nothing was put"
    assert store.get(keys[0]) == bytes(1000)
    new = digest("k", "new")
    store.put(new, bytes(1000))
    assert store.bound(20_000) == (0, 0)
    store.put(new, bytes(1000))
    count, size = store.bound(8_000)
    assert (count, size) == (6, 6 * 1045)
    assert set(store.keys()) == {keys[0], *keys[7:], new}, "what was used now stays"


def test_a_disk_that_refuses_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "store").write_bytes(b"a file where the folder should be")
    store = Store(tmp_path / "store")
    assert store.get(KEY) is None
    with pytest.raises(BuildError) as caught:
        store.put(KEY, b"x")
    assert caught.value.problems[0].code == "store-write"


def test_writers_at_once_leave_whole_files(tmp_path: Path) -> None:
    data = os.urandom(200_000)
    seen: list[bytes | None] = []

    def write() -> None:
        store = Store(tmp_path)
        for _ in range(10):
            store.put(KEY, data)
            seen.append(store.get(KEY))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {data}
    assert [path.name for path in (tmp_path / KEY[:2]).iterdir()] == [KEY[2:]]


def test_two_stores_of_the_same_results_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Store(tmp_path / name).put(KEY, b"result")
    a, b = (file_of(Store(tmp_path / name), KEY).read_bytes() for name in ("a", "b"))
    assert a == b
