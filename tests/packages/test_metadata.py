"""The metadata that a package index shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from email.message import Message
from email.parser import Parser
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.packages.test_bounds import ROOT

REPOSITORY = {"GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "chess/standstill"}


def shown(folder: Path, **variables: str) -> Message:
    """The metadata that setuptools writes, read by Python's own parser."""
    if find_spec("setuptools") is None:  # importing it would replace distutils in the whole process
        pytest.skip("needs setuptools")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    command = [sys.executable, "setup.py", "-q", "dist_info", "--output-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, env=environment | variables, check=True, capture_output=True)
    (written,) = folder.glob("*.dist-info/METADATA")
    return Parser().parsestr(written.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_index_names_author_and_subject_as_the_citation_does(tmp_path: Path) -> None:
    found = shown(tmp_path)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert found["Author"] == re.search(r'name: "(.*)"', citation)[1]
    assert found["License-Expression"] == re.search(r"^license: (.*)$", citation, re.MULTILINE)[1]
    keywords = re.findall(r"^  - ([^:\n]+)$", citation.partition("keywords:")[2], re.MULTILINE)
    assert keywords
    assert set(keywords) <= set(found["Keywords"].split(","))
    classifiers = found.get_all("Classifier")
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)} <= set(classifiers)
    assert not [line for line in classifiers if line.startswith("License")]  # PyPI refuses a licence in both forms


@pytest.mark.slow
def test_links_of_the_index_lead_to_the_files_of_the_release(tmp_path: Path) -> None:
    found = shown(tmp_path, **REPOSITORY)
    home = "https://example.org/chess/standstill"
    urls = dict(line.split(", ", 1) for line in found.get_all("Project-URL"))
    assert urls["Source"] == home
    targets = re.findall(r"\]\(([^)]+)\)", found.get_payload())
    assert [target for target in targets if not target.startswith("https://")] == []
    ours = [target for target in targets if target.startswith(f"{home}/")]
    assert ours
    for target in ours:
        kind, path = re.fullmatch(rf"{home}/(blob|raw)/v{re.escape(found['Version'])}/([^#]*)(?:#.*)?", target).groups()
        assert (ROOT / path).is_file()
        assert (kind == "raw") == path.endswith((".png", ".svg"))


@pytest.mark.slow
def test_without_an_address_the_index_has_no_dead_links(tmp_path: Path) -> None:
    found = shown(tmp_path)
    assert found.get_all("Project-URL") is None
    text = found.get_payload()
    assert not re.search(r"\]\((?!https://)", text)
    assert "docs/rmobility.md" in text
