"""Versions and time: what was asked of a version is answered as it was, whatever came after."""

import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from pricing.analysis.moving import difference
from pricing.catalogue.archive import archive_facts
from pricing.catalogue.books import heads
from pricing.catalogue.facts import DATA
from pricing.catalogue.library import ANYONE, EVERYTHING, Library
from pricing.catalogue.listing_books import books_of, publications
from pricing.catalogue.purging import purge_book
from pricing.catalogue.resolution import BOUGHT_KINDS, choose_price
from pricing.catalogue.store import SCHEMA, Store
from pricing.catalogue.versions import parse_version
from pricing.errors import BadQuestion, Competing, Purged, StoreMismatch, UnknownName
from schemas.price import Offer
from tests.pricing.catalogue.books.imports import DGX, HEADER, amounts, opened, prices, take_in


def won(library: Library, day: str, *books: str, version: str | None = None, **wanted: object) -> str | None:
    """The amount that wins on a day, as a text."""
    catalogue = opened(library, *books, version=version)
    offer = replace(Offer("dgx-a100-640gb", BOUGHT_KINDS, date.fromisoformat(day)), **wanted)  # type: ignore[arg-type]
    found = choose_price(catalogue, offer, "USD").price
    return str(found.amount) if found else None


def test_a_version_is_the_vector_of_the_heads_used(library: Library) -> None:
    prices(library, DGX)
    prices(library, DGX, book="acme")
    prices(library, DGX.replace("250000", "240000"), book="acme")
    facts = library.facts.version
    assert opened(library, "acme", "public").version == f"{facts}+public.1+acme.2"
    assert opened(library, "acme").version == f"{facts}+acme.2"
    assert library.open(ANYONE).version == f"{facts}+public.1"
    assert parse_version("facts.ab12cd34+public.17+acme.4") == ("facts.ab12cd34", (("acme", 4), ("public", 17)))


def test_the_first_book_asked_wins_and_the_facts_are_the_last(library: Library) -> None:
    prices(library, DGX)
    prices(library, DGX.replace("250000", "240000"), book="acme")
    assert won(library, "2026-06-01", "acme", "public") == "240000"
    assert won(library, "2026-06-01", "public", "acme") == "250000"
    assert won(library, "2026-06-01", "public") == "250000"
    assert won(library, "2025-06-01", "acme", "public") == "300000", "before, only the facts have a price"
    version = opened(library, "acme", "public").version
    assert won(library, "2026-06-01", version=version) == "240000", "a version says the order, too"
    assert won(library, "2026-06-01", version=version.replace("+", " ")) == "240000", "as an address turns it"


def test_what_competed_is_kept_beside_the_winner(library: Library) -> None:
    prices(library, DGX, DGX.replace("2026-01-01", "2026-03-01").replace("250000", "240000"))
    catalogue = opened(library, "public")
    found = choose_price(catalogue, Offer("dgx-a100-640gb", BOUGHT_KINDS, date(2026, 6, 1)), "USD")
    assert found.price is not None and found.price.row == "public.1:3"
    assert [(each.book, str(each.amount)) for each in found.competing][:2] == [
        ("public", "250000"),
        ("facts", "300000"),
    ]


@pytest.mark.parametrize(
    ("day", "amount"),
    [("2027-02-28", "300000"), ("2027-03-01", "1000000"), ("2028-02-28", "1000000"), ("2028-02-29", "300000")],
)
def test_a_price_holds_from_its_first_day_until_the_day_before_its_end(library: Library, day: str, amount: str) -> None:
    row = "dgx-a100-640gb,1000000,USD,list,next year,2027-03-01,2028-02-29"  # 2028 has a 29 February
    assert prices(library, row, header=f"{HEADER},valid_to").published
    assert won(library, day) == amount


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Pacific/Apia", "Asia/Kolkata"])
def test_a_day_is_a_day_of_utc_wherever_the_machine_stands(
    library: Library, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    import time  # noqa: PLC0415

    # 29 March and 25 October 2026 have 23 and 25 hours in Berlin; Apia once left out a whole day
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        prices(
            library,
            DGX.replace("2026-01-01", "2026-03-29"),
            DGX.replace("2026-01-01", "2026-10-25").replace("250000", "240000"),
        )
        days = ("2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25")
        assert [won(library, day) for day in days] == ["300000", "250000", "250000", "240000"]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_price_of_next_year_is_asked_by_its_day(library: Library) -> None:
    prices(library, DGX, DGX.replace("2026-01-01", "2027-01-01").replace("250000", "270000"))
    assert (won(library, "2026-12-31"), won(library, "2027-01-01")) == ("250000", "270000")


def test_the_regions_own_price_wins_and_a_tier_is_for_those_who_take_as_many(library: Library) -> None:
    rows = (f"{DGX},,", f"{DGX.replace('250000', '260000')},eu,", f"{DGX.replace('250000', '200000')},,10",
            f"{DGX.replace('250000', '210000')},eu,10")  # fmt: skip
    assert prices(library, *rows, header=f"{HEADER},region,minimum_quantity").published
    asked = [(None, 1), ("eu", 1), ("us", 1), (None, 9), (None, 10), ("eu", 12)]
    found = [won(library, "2026-06-01", region=region, quantity=quantity) for region, quantity in asked]
    assert found == ["250000", "260000", "250000", "250000", "200000", "210000"]


def test_a_price_for_another_region_or_more_systems_is_a_gap_that_says_so(library: Library) -> None:
    prices(library, "dgx-a100-320gb,200000,USD,quote,a test,2026-01-01,eu,", "ipu-pod64,400000,USD,quote,a test,2026-01-01,,5",
           header=f"{HEADER},region,minimum_quantity")  # fmt: skip
    catalogue = opened(library, "public")
    day = date(2026, 6, 1)
    regional = choose_price(catalogue, Offer("dgx-a100-320gb", ("quote",), day), "USD")
    assert regional.reason == "dgx-a100-320gb is priced by region: give region, one of eu"
    tiered = choose_price(catalogue, Offer("ipu-pod64", ("quote",), day), "USD")
    assert tiered.reason == "ipu-pod64 is priced from 5 systems on, and the quantity is 1: give quantity"


def test_two_offers_that_are_alike_are_an_error_that_names_both(library: Library) -> None:
    prices(library, f"{DGX},A-1", f"{DGX.replace('250000', '251000')},A-2", header=f"{HEADER},sku")
    with pytest.raises(Competing, match="public.1:2.*public.1:3"):
        won(library, "2026-06-01")


def test_of_offers_that_are_alike_the_one_in_the_currency_asked_wins(library: Library) -> None:
    prices(library, DGX, DGX.replace("250000,USD", "230000,EUR"))
    catalogue = opened(library, "public")
    offer = Offer("dgx-a100-640gb", BOUGHT_KINDS, date(2026, 6, 1))
    assert [str(choose_price(catalogue, offer, each).price.amount) for each in ("USD", "EUR")] == ["250000", "230000"]  # type: ignore[union-attr]
    with pytest.raises(Competing):
        choose_price(catalogue, offer, "GBP")


def test_a_price_without_a_host_is_no_price_of_a_system_that_has_one(library: Library) -> None:
    header = f"{HEADER},includes"
    prices(
        library,
        f"{DGX},none",
        f"{DGX.replace('2026-01-01', '2025-06-01').replace('250000', '260000')},host support",
        header=header,
    )
    assert won(library, "2026-06-01") == "260000"


def test_what_is_not_there_or_may_not_be_read_looks_alike(library: Library) -> None:
    prices(library, DGX)
    prices(library, DGX, book="acme")
    library.heads(exact=True)
    errors = []
    for books, version in (
        (("acme",), None),
        (("nowhere",), None),
        (None, "+acme.1"),
        (None, "+nowhere.1"),
        (None, "+public.2"),
    ):
        with pytest.raises(UnknownName) as raised:
            library.open(ANYONE, books, version and library.facts.version + version)
        errors.append(str(raised.value).replace("nowhere", "acme").replace("public.2", "acme.1"))
    assert errors[0] == errors[1] and errors[2] == errors[3] == errors[4]
    assert "acme" not in library.state(ANYONE)
    assert library.readable(ANYONE) == ["public"]
    assert [each["book"] for each in books_of(library, ANYONE)] == ["public"]
    assert {each["book"] for each in publications(library, ANYONE)} == {"public"}


@pytest.mark.parametrize(
    "text",
    ["facts.12", "public.1", "facts.ab12cd34+public", "facts.ab12cd34+public.0", "facts.ab12cd34+a.1+a.1", "x" * 300],
)
def test_a_version_of_another_form_is_refused(library: Library, text: str) -> None:
    with pytest.raises(BadQuestion, match="not of the form"):
        library.open(EVERYTHING, None, text)


def test_books_and_a_version_that_do_not_agree_are_refused(library: Library) -> None:
    version = prices(library, DGX).published
    with pytest.raises(BadQuestion, match="the version asked is of the books public"):
        library.open(EVERYTHING, ("acme",), version)


def test_the_facts_of_an_earlier_release_can_still_be_asked(library: Library, tmp_path: Path) -> None:
    assert library.store is not None
    assert archive_facts(library.store, library.facts.facts)
    assert not archive_facts(library.store, library.facts.facts), "once is enough"
    old = prices(library, DGX).published
    folder = tmp_path / "newer"
    shutil.copytree(DATA, folder)
    table = folder / "prices.csv"
    text = table.read_text().replace("ipu-pod16,149995,", "ipu-pod16,159995,")
    assert text != table.read_text()
    table.write_text(text)
    newer = Library(folder, library.database)
    assert newer.facts.version != library.facts.version
    then = newer.open(EVERYTHING, None, old)
    assert then.version == old
    pod = [str(each.amount) for each in then.prices["ipu-pod16"]]
    assert pod == [str(each.amount) for each in library.facts.prices["ipu-pod16"]] != ["159995"]
    moved = difference(then, newer.open(EVERYTHING))
    assert [(each.table, each.changed) for each in moved.tables] == [
        ("prices.csv", ("ipu-pod16 list system once 2021-06-30",))
    ]
    names = {each.name for each in moved.answers}
    assert "ranking resnet" in names or any(name.startswith("claim 14") for name in names)
    with pytest.raises(UnknownName, match="unknown catalogue version"):
        newer.open(EVERYTHING, None, "facts.00000000")
    newer.close()


def test_a_difference_tells_rows_added_gone_and_changed_and_the_answers_that_move(library: Library) -> None:
    a = prices(library, DGX, "ipu-pod16,140000,USD,list,a test,2026-01-01").published
    b = prices(library, DGX.replace("250000", "290000"), "dgx-h100,300000,USD,list,a test,2026-01-01").published
    found = difference(*(opened(library, version=each) for each in (a, b)))
    held = found.prices["public"]
    assert held.counts == {"added": 1, "gone": 1, "changed": 1}
    assert ([each.system for each in held.added], [each.system for each in held.gone]) == (["dgx-h100"], ["ipu-pod16"])
    (change,) = held.changed
    assert (str(change.before.amount), str(change.after.amount), change.cells) == ("250000", "290000", ("amount",))
    answers = {each.name: each for each in found.answers}
    # 60 / 28.7709 runs an hour against 60 / 37.1152, over the prices: 290,000 and 149,995 give 1.4987, 250,000 and 140,000 1.3842
    assert any(name.startswith("claim 14") for name in answers)
    back = difference(*(opened(library, version=each) for each in (b, a)))
    assert back.prices["public"].counts == {"added": 1, "gone": 1, "changed": 1}
    assert not difference(*(opened(library, version=a),) * 2).prices


def test_a_purged_book_is_gone_for_good(library: Library, tmp_path: Path) -> None:
    secret = "987654.32"
    version = prices(
        library, DGX.replace("250000", secret), book="acme", accept=("outlier",), entered_by="canary-name"
    ).published
    public = prices(library, DGX).published
    assert amounts(library, "acme") == [secret]
    assert purge_book(library, "acme") == 1
    with pytest.raises(Purged, match=r"acme\.1 was purged"):
        library.open(EVERYTHING, None, version)
    with pytest.raises(UnknownName):
        library.open(ANYONE, None, version)
    assert opened(library, version=public).version == public
    again = prices(library, DGX.replace("250000", "260000"), book="acme").published
    assert again is not None and again.endswith("acme.2")
    assert amounts(library, "acme") == ["260000"]
    library.close()
    for path in tmp_path.glob("books.db*"):
        content = path.read_bytes()
        assert secret.encode() not in content and b"canary-name" not in content


def test_an_older_program_refuses_newer_tables_and_a_newer_one_asks_for_migration(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert library.database is not None
    for known, expected in (("0000", "made by a newer traincost"), ("9999", "run traincost migrate")):
        monkeypatch.setattr("pricing.catalogue.store.SCHEMA", known)
        other = Store(library.database)
        with pytest.raises(StoreMismatch, match=expected):
            heads(other)
        other.close()
    assert SCHEMA == "0003"


def test_systems_results_and_assumptions_of_a_book_take_part(library: Library) -> None:
    system = "id,name,vendor,accelerator_model,accelerators,hosts,rack_units,max_power_kw,aliases,source\n"
    assert take_in(
        library, f"{system}rig-8,Our Rig,Acme,X1,8,1,4,6.5,the rig;rig8,our datasheet\n", "systems", book="acme"
    ).published
    result = "benchmark,round,division,submitter,system,units,time_to_train_minutes,source\n"
    assert take_in(
        library, f"{result}resnet,v1.0,closed,Acme,The Rig,1,25,our log of May\n", "results", book="acme"
    ).published
    assumed = "name,value,unit,source,year,preset\n"
    assert take_in(
        library,
        f"{assumed}electricity_tariff_per_kwh,0.25,USD/kWh,our contract,2026,us-colo\n",
        "assumptions",
        book="acme",
    ).published
    assert prices(library, "rig8,80000,USD,quote,our quote,2026-01-01", book="acme").published
    held = opened(library, "acme")
    assert held.version.endswith("+acme.4")
    assert (held.system("THE RIG").id, held.system("rig-8").rack_units) == ("rig-8", 4)
    assert held.preset("us-colo")["electricity_tariff_per_kwh"].value == 0.25
    assert held.preset("hyperscale") == library.facts.preset("hyperscale")
    assert [each.id for each in held.results if each.book == "acme"] == ["acme/v1.0/Acme/1*rig-8/resnet"]
    assert "rig-8" not in library.facts.systems and "the rig" not in library.facts.by_alias


@pytest.mark.parametrize(
    ("noun", "content", "expected"),
    [
        ("systems", "id,name,vendor,accelerator_model,accelerators,hosts,source\ndgx-2,A,B,C,8,1,D\n", "is a shipped system"),
        ("systems", "id,name,vendor,accelerator_model,accelerators,hosts,source\nx-1,DGX-2,B,C,8,1,D\n", "is a name of the system dgx-2"),
        ("systems", "id,name,vendor,accelerator_model,accelerators,hosts,source\nx-1,Rig@leased,B,C,8,1,D\n", "holds an @"),
        ("systems", "id,name,vendor,accelerator_model,accelerators,hosts,source\nx-1,A,B,C,-8,1,D\n", "column accelerators"),
        ("systems", "id,name,vendor,accelerator_model,accelerators,hosts,source\nx-1,A,B,C,8,1,D\nx-1,A,B,C,8,1,D\n", "the same id as line 2"),
        ("systems", "id,name,vendor,accelerator_model,accelerators,hosts,source,rack_units\nx-1,A,B,C,8,1,D,-1\n", "above 0"),
        ("results", "benchmark,round,division,submitter,system,units,time_to_train_minutes,source\nresnet,v9.9,closed,A,dgx-2,1,5,B\n", "column round"),
        ("results", "benchmark,round,division,submitter,system,units,time_to_train_minutes,source\nresnet,v1.0,closed,A,dgx-2,1,0,B\n", "above 0"),
        ("results", "benchmark,round,division,submitter,system,units,time_to_train_minutes,source\nresnet,v1.0,middle,A,dgx-2,1,5,B\n", "one of closed, open"),
        ("assumptions", "name,value,unit,source,year\npue,1.3,1,A,2026\n", "nearest: pue_ratio"),
        ("assumptions", "name,value,unit,source,year\npue_ratio,0.3,1,A,2026\n", "column value"),
        ("assumptions", "name,value,unit,source,year\nelectricity_tariff_per_kwh,0.3,USD/MWh,A,2026\n", "column unit: money / kWh expected"),
        ("assumptions", "name,value,unit,source,year,preset\npue_ratio,1.3,1,A,2026,mars\n", "unknown preset"),
    ],
)  # fmt: skip
def test_other_facts_are_checked_as_prices_are(library: Library, noun: str, content: str, expected: str) -> None:
    report = take_in(library, content, noun)
    assert report.published is None
    assert expected in "; ".join(map(str, report.faults))
