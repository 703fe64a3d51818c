"""Install commands for optional packages, to be shown in messages."""

from __future__ import annotations

import os

DISTRIBUTION = "standstill-chess"  # on PyPI the name `standstill` belongs to an unrelated project

# The packages of each extra; setup.py lists them with their versions.
EXTRAS = {
    "archive": ("numpy",),
    "calendar": ("icalendar",),
    "cluster": ("distributed",),
    "parquet": ("pyarrow",),
    "pdf": ("weasyprint",),
    "train": ("numpy", "torch"),
    "web": ("starlette", "uvicorn"),
    "xfcc": ("defusedxml", "httpx", "keyring"),
}


def install_command(name: str) -> str:
    """Return the command that installs an extra or a package; in a clone the command uses the clone's pip.

    Double quotes work in every shell, including those of Windows. If pip is missing, as in the archives, the command
    ends with a note.
    """
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    pip = os.path.join(root, ".venv", "bin", "pip")
    if os.path.isfile(os.path.join(root, "setup.py")) and os.path.isfile(pip):
        from shlex import quote

        return f"{quote(pip)} install {' '.join(EXTRAS.get(name, (name,)))}"
    from importlib.machinery import PathFinder

    command = f'pip install "{DISTRIBUTION}[{name}]"' if name in EXTRAS else f"pip install {name}"
    # Not importlib.util.find_spec: it asks the hook of setuptools, which then leaves distutils to the standard library,
    # so that a later `import setuptools` would fail.
    has_pip = any(PathFinder.find_spec(module) for module in ("pip", "ensurepip"))
    return command if has_pip else f"{command} (in another Python: this one has no pip)"
