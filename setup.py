"""Build description of Standstill: packages, extensions, compiler flags.

Three environment variables choose the build (docs/development.md has details):

BUILD  release (default) | debug | sanitize | thread | fuzz
MARCH  native | portable | avx512 | any name that the compiler's -march knows | all, for several builds
ABI    version, for this Python | stable, for every Python from 3.11 on

Defaults are native and version, for a wheel all and stable.
"""

from __future__ import annotations

import os
import sys

from setuptools import setup

# pip runs this file without its folder on the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from tools.building import metadata
from tools.building.commands import Interpreter, Launcher, Translate
from tools.building.compiling import BuildExtensions, BuildPython, BuildTests, BuildWheel, Source
from tools.building.requirements import DOCS_REQUIRES, EXTRAS, REQUIRES, TEST_REQUIRES
from tools.building.translating import core_extensions
from tools.building.tree import API, FOLDERS, packages, version

if __name__ == "__main__":
    setup(
        name="standstill-chess",  # "standstill" on PyPI belongs to an unrelated project
        version=version(),
        description="Chess engine that tells what a draw was worth: R-Mobility, chess variants, UCI and XBoard",
        long_description=metadata.readme(),
        long_description_content_type="text/markdown",
        author=metadata.AUTHOR,
        keywords=metadata.KEYWORDS,
        classifiers=metadata.CLASSIFIERS,
        project_urls=metadata.urls(),
        license_expression="GPL-3.0-or-later",
        license_files=["LICENSE"],
        python_requires=">=3.11",
        install_requires=REQUIRES,
        extras_require={"test": TEST_REQUIRES, "docs": DOCS_REQUIRES, **EXTRAS},
        packages=packages(),
        package_dir={"standstill": API, **{f"standstill.{name}": name for name in FOLDERS}},
        package_data={"": ["*.pxd", "*.pyi", "py.typed", "*.h", "data/*", "templates/*", "static/*", "schema/*"]},
        data_files=[("share/standstill", ["engine.ini"]), ("share/man/man1", ["docs/standstill.1"])],
        ext_modules=core_extensions(),
        entry_points={"console_scripts": ["standstill = standstill.protocol.main:main"]},
        cmdclass={
            "bdist_wheel": BuildWheel,
            "build_ext": BuildExtensions,
            "build_py": BuildPython,
            "ctest": BuildTests,
            "translate": Translate,
            "interpreter": Interpreter,
            "launcher": Launcher,
            "sdist": Source,
        },
        zip_safe=False,
    )
