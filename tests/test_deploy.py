"""The workflow that publishes the site: its commands run on this machine, as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
SITE = ROOT / ".github/workflows/site.yml"


def workflow(path: Path = SITE) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def commands(job: str) -> list[str]:
    """Return what a job runs itself, in its order."""
    return [step["run"] for step in workflow()["jobs"][job]["steps"] if "run" in step]


def run(command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run one command of the workflow as it is written there, with this test's Python."""
    environment = {
        **os.environ,
        **workflow()["env"],
        "OUTPUT": str(folder / "site"),
        "ARTIFACT": str(folder / "site.tar"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "VIRTUAL_ENV": str(Path(sys.executable).parents[1]),
        "CHECK_OPTIONS": "",
        **variables,
    }
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_steps_of_a_deploy_run_here_and_pack_the_whole_site(tmp_path: Path) -> None:
    steps = commands("site")
    assert steps == [".ci/site build", ".ci/site check", ".ci/site pack"]
    for step in steps:
        done = run(step, tmp_path, BASE_URL="https://example.github.io/tiny")
        # An article in the making may have notes; they stop a deploy, not this test of its steps.
        noted = step.endswith("check") and "0 problems, " in done.stdout
        assert done.returncode == 0 or noted, done.stdout + done.stderr
    with tarfile.open(tmp_path / "site.tar") as packed:
        names = {member.name.removeprefix("./") for member in packed if member.isfile()}
        owners = {(member.uid, member.gid, member.mtime) for member in packed.getmembers()}
    made = {p.relative_to(tmp_path / "site").as_posix() for p in (tmp_path / "site").rglob("*")}
    assert {"index.html", "404.html", "feed.xml", "all/index.html"} <= names
    assert names == {name for name in made if (tmp_path / "site" / name).is_file()} - {
        ".explainers"
    }
    assert owners == {(0, 0, 0)}
    home = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://example.github.io/tiny/">' in home


def test_a_site_is_packed_into_the_same_bytes_twice(tmp_path: Path) -> None:
    for name in ("one", "two"):
        site = tmp_path / name / "site"
        site.mkdir(parents=True)
        (site / ("b" if name == "one" else "a")).write_text(name)
        (site / "a").write_text("A")
        (site / "b").write_text("B")
        assert run(".ci/site pack", tmp_path / name).returncode == 0
    packed = [(tmp_path / name / "site.tar").read_bytes() for name in ("one", "two")]
    assert packed[0] == packed[1]


def test_a_build_that_fails_ends_the_deploy(tmp_path: Path) -> None:
    done = run(".ci/site build", tmp_path, BASE_URL="nonsense")
    assert done.returncode != 0
    assert run(".ci/site nothing", tmp_path).returncode == 2


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_scripts_of_this_repository_alone(path: Path) -> None:
    for job in workflow(path)["jobs"].values():
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            if "run" in step:
                script = re.fullmatch(r"(?:python3 )?([\w./-]+)( [\w -]+)?", step["run"])
                assert script, step["run"]
                assert (ROOT / script[1]).is_file()
            else:
                assert re.fullmatch(r"actions/[\w/-]+@v\d+", step["uses"])


def test_only_the_main_branch_is_published_after_every_check() -> None:
    found = workflow()
    deploy = found["jobs"]["deploy"]
    assert set(deploy["needs"]) == {"gate", "site"}
    assert "refs/heads/main" in deploy["if"]
    assert found["permissions"] == {"contents": "read"}
    assert deploy["permissions"] == {"pages": "write", "id-token": "write"}
    triggers = found[True]  # YAML reads `on` so
    assert set(triggers) == {"push", "pull_request", "schedule", "workflow_dispatch"}
    assert triggers["push"] == {"branches": ["main"]}


def test_a_pull_request_keeps_a_preview_and_nothing_else() -> None:
    steps = workflow()["jobs"]["site"]["steps"]
    kept = [step for step in steps if "upload" in step.get("uses", "")]
    on_request = [s for s in kept if s["if"] == "github.event_name == 'pull_request'"]
    assert [step["with"]["name"] for step in on_request] == ["preview"]
    others = [step for step in kept if step not in on_request]
    assert {step["if"] for step in others} == {"github.event_name != 'pull_request'"}
