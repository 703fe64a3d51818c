"""The form of Desk that takes the banks of many games at once, in a real browser."""

from __future__ import annotations

from pathlib import Path

from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.store import Store
from tests.correspondence.test_banks import add
from tests.web.desk_store import fill

from .conftest import served
from .pages import opened


def test_unknown_banks_are_entered_in_one_form(browser, executable: Path, tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    fill(store)
    with served(executable, "desk", "--store", store) as desk, opened(browser, desk) as page:
        page.wait_for_selector("#rows li")
        assert page.is_hidden("#enter-banks")
        with Store(store) as found:
            for name, own_side in (("WS-2", 0), ("followed", None)):
                add(Desk(found), name, own_side)
        page.wait_for_selector("#rows li:has-text('followed')")
        page.click("#enter-banks:has-text('Enter 2 banks')")
        fields = {
            name: page.get_by_label(label).get_attribute("name")
            for name, label in (("WS-2", "WS-2: at least"), ("White", "White's bank"), ("Black", "Black's bank"))
        }
        page.fill(f"#ask [name={fields['WS-2']}]", "200 d")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-problem:has-text('WS-2: expected 60 d to 75 d as your bank, found 200 d')")
        page.fill(f"#ask [name={fields['White']}]", "70 d")
        page.fill(f"#ask [name={fields['Black']}]", "67")
        page.fill(f"#ask [name={fields['WS-2']}]", "71 d 3 h")
        page.click("#ask-yes:has-text('Preview')")
        page.wait_for_selector("#ask-preview:has-text('at most 75 d → 71 d 3 h')")
        page.click("#ask-yes:has-text('Enter the banks')")
        page.wait_for_selector("#enter-banks", state="hidden")
    with Store(store, reading=True) as found:
        sides = Desk(found).load("WS-2").clocks.sides
        assert sides[0].bank_known and sides[0].bank_ms == (71 * 24 + 3) * 3_600_000 and not sides[1].bank_known
        assert all(side.bank_known for side in Desk(found).load("followed").clocks.sides)
