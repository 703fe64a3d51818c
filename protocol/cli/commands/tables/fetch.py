"""`standstill tables fetch`: published tables, from a folder or a server."""

from __future__ import annotations

import click

from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.tablebases import downloads
from standstill.engine.tablebases.material import class_name
from standstill.engine.tablebases.store import TableStore

from ..messages import tell, warn
from . import MEN, Place


@click.command()
@click.argument("source", metavar="URL|DIR")
@click.argument("names", metavar="[CLASS]...", nargs=-1)
@click.option("--men", type=MEN, help="Fetch only published classes of up to this many pieces.")
@click.option("--no-plies", is_flag=True, help="Fetch only outcomes, which take a sixth of the space.")
@click.pass_obj
def command(place: Place, source: str, names: tuple[str, ...], men: int | None, no_plies: bool) -> None:
    """Fetch published tables into the folder.

    URL|DIR is a folder of tables with the list of checksums that `standstill tables checksums` writes. Without
    classes and --men, all tables of that folder are fetched. The classes to which captures and promotions lead are
    fetched as well.

    Tables that are already in the folder are kept. An interrupted download continues where it stopped when you run the
    command again, and every file is checked before it is used.
    """
    unwind_on_signals()
    store = TableStore(place.folder, more=place.more, whole_game=place.whole_game)
    for text in store.refused:
        warn(f"{text}; it is fetched again")

    def report(fetched: downloads.Fetched) -> None:
        tell(f"{fetched.file}: {fetched.size:,} bytes in {fetched.seconds:.1f} s; {fetched.done} of {fetched.wanted}")

    wanted = [class_name(name) for name in names]
    if not downloads.fetch(store, source, wanted, most_men=men, plies=not no_plies, report=report):
        tell(f"nothing to fetch: all these tables are in {place.folder}")
