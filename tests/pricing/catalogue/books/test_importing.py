"""Importing: text stays text, numbers have declared marks, all or nothing, and each fault has its place."""

import json
from collections.abc import Iterator
from datetime import date

import pytest

from pricing.catalogue.checking_books import check_books
from pricing.catalogue.importing.run import Request
from pricing.catalogue.importing.run import take_in as run_import
from pricing.catalogue.library import EVERYTHING, Library
from pricing.catalogue.purging import purge_book
from pricing.catalogue.resolution import choose_price
from pricing.catalogue.sources.base import Row
from pricing.errors import BadQuestion, StoreConflict, UnknownName
from schemas.price import Offer
from tests.pricing.catalogue.books.imports import DGX, HEADER, amounts, faults, opened, prices, take_in


def test_rows_that_are_right_are_published_under_the_next_head(library: Library) -> None:
    first = prices(library, DGX)
    assert (first.rows, first.faults, first.published) == (1, [], f"{library.facts.version}+public.1")
    second = prices(library, DGX.replace("250000", "240000.50"))
    assert second.published == f"{library.facts.version}+public.2"
    assert amounts(library) == ["240000.50"]
    assert amounts(library, version=first.published) == ["250000"], "the first version answers as it did"


def test_the_same_file_again_changes_nothing(library: Library) -> None:
    first = prices(library, DGX)
    again = prices(library, DGX)
    assert again.unchanged and again.published == first.published


def test_a_dry_run_tells_what_would_change_and_changes_nothing(library: Library) -> None:
    prices(library, DGX, "ipu-pod16,140000,USD,list,a test,2026-01-01")
    tried = prices(library, DGX.replace("250000", "240000"), "dgx-h100,300000,USD,list,a test,2026-01-01", dry_run=True)
    assert tried.published is None and not tried.refused
    assert tried.changes == {"added": 1, "gone": 1, "changed": 1}
    assert sorted(amounts(library)) == ["140000", "250000"]


def test_one_wrong_row_in_fifty_thousand_refuses_all(library: Library) -> None:
    prices(library, DGX)
    rows = [f"dgx-a100-640gb,{200_000 + each},USD,list,a test,{2000 + each // 336}-{1 + each // 28 % 12:02}-{1 + each % 28:02}"
            for each in range(50_000)]  # fmt: skip
    rows[31_000] = rows[31_000].replace("USD", "usd")
    report = prices(library, *rows)
    assert (
        faults(report)
        == "line 31002, column currency: 'usd' is not an ISO 4217 code of three capital letters, such as USD: write USD"
    )
    assert amounts(library) == ["250000"]


def test_the_first_hundred_faults_are_told_with_their_lines(library: Library) -> None:
    report = prices(library, *[DGX.replace("250000", "?")] * 150)
    assert len(report.faults) == 100 and report.more_faults
    assert [each.line for each in report.faults] == list(range(2, 102))


@pytest.mark.parametrize(
    ("row", "where", "expected"),
    [
        ("dgx-a100-640gb,,USD,list,a test,2026-01-01", "line 2, column amount", "a blank cell"),
        ("dgx-a100-640gb,-10.5,USD,list,a test,2026-01-01", "line 2, column amount", "0 or more"),
        ("DGX A100 600GB,1,USD,list,a test,2026-01-01", "line 2, column system", "nearest"),
        ("dgx-a100-640gb,1,USD,liste,a test,2026-01-01", "line 2, column kind", "one of list, street"),
        ("dgx-a100-640gb,1,HRK,list,a test,2026-01-01", "line 2, column currency", "successor is EUR"),
        ("dgx-a100-640gb,1,ЕUR,list,a test,2026-01-01", "line 2, column currency", "ISO 4217"),
        ("dgx-a100-640gb,1,XXQ,list,a test,2026-01-01", "line 2, column currency", "no currency"),
        ("dgx-a100-640gb,1,USD,list,,2026-01-01", "line 2, column source", "a blank cell"),
        ("dgx-a100-640gb,1,USD,list,a test,", "line 2, column valid_from", "a blank cell"),
        ("dgx-a100-640gb,1,USD,list,a test,01/02/2026", "line 2, column valid_from", "a date as 2021-06-30"),
        ("dgx-a100-640gb,1,USD,list,a test,45000", "line 2, column valid_from", "a date as 2021-06-30"),
        ("dgx-a100-640gb,1,USD,list,a test,26-01-01", "line 2, column valid_from", "a date as 2021-06-30"),
        ("dgx-a100-640gb,1,USD,list,a test,2026-02-29", "line 2, column valid_from", "a date as 2021-06-30"),
        ("dgx-a100-640gb,1,USD,on_demand,a test,2026-01-01", "line 2, column every", "hour, month or year"),
        ("dgx-a100-640gb,1,USD,list,a\x07test,2026-01-01", "line 2, column source", "control character U+0007"),
        ("dgx-a100-640gb,1e400,USD,list,a test,2026-01-01", "line 2, column amount", "1e30"),
        ("dgx-a100-640gb,nan,USD,list,a test,2026-01-01", "line 2, column amount", "plain number"),
        ("dgx-a100-640gb,TRUE,USD,list,a test,2026-01-01", "line 2, column amount", "plain number"),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_named_with_what_was_expected(library: Library, row: str, where: str, expected: str) -> None:
    report = prices(library, row)
    assert faults(report).startswith(f"{where}: ")
    assert expected in faults(report)


@pytest.mark.parametrize(
    "text", ["NA", "null", "None", "N/A", "nan", "inf", "00123", "12E5", "1.10", "2026-01", "TRUE", "0x10"]
)
def test_a_text_stays_the_text_that_it_is(library: Library, text: str) -> None:
    header = f"{HEADER},region,sku"
    assert prices(library, f"{DGX},{text},{text}", header=header).published
    (held,) = opened(library).books
    (row,) = held.prices.page({}, 0, 9)
    assert (row.region, row.sku) == (text, text)
    line = json.dumps({**dict(zip(HEADER.split(","), DGX.split(","), strict=True)), "region": text, "sku": text})
    assert take_in(library, line, name="list.ndjson", book="other").published
    (other,) = opened(library, "other").books
    (same,) = other.prices.page({}, 0, 9)
    assert (same.region, same.sku, same.amount) == (text, text, row.amount)


@pytest.mark.parametrize(
    ("cell", "given", "amount"),
    [
        ("149995", {}, "149995"), ("149995.50", {}, "149995.50"), ("1.49995e5", {}, "149995"), ("0", {}, "0"),
        ("1.234", {}, None), ("1.234", {"decimal": "point"}, "1.234"), ("1.2340", {}, "1.2340"),
        ("1.234", {"decimal": "comma", "thousands": "point"}, "1234"),
        ('"149.995,00"', {}, None), ('"149.995,00"', {"decimal": "comma", "thousands": "point"}, "149995.00"),
        ('"149,995"', {}, None), ('"149,995"', {"thousands": "comma"}, "149995"),
        ('"1,49,995"', {"thousands": "comma"}, None), ("$149995", {}, None), ("149.995 €", {}, None),
        ('"1,5"', {"decimal": "comma"}, "1.5"), ("149 995", {"thousands": "space"}, "149995"),
        ("149\u00a0995", {"thousands": "space"}, "149995"), ("149'995", {"thousands": "apostrophe"}, "149995"),
        ("(5)", {}, None), ("−5", {}, None), ("+5", {}, None), ("١٢", {}, None), ("1_000", {}, None), (" 5 ", {}, None),
        ('"1,234"', {"decimal": "comma"}, "1.234"), ("12345678901234567.89", {}, None),
    ],
)  # fmt: skip
def test_a_number_has_the_marks_that_were_declared_and_none_are_guessed(
    library: Library, cell: str, given: dict[str, str], amount: str | None
) -> None:
    report = prices(library, DGX.replace("250000", cell), accept=("outlier",), **given)
    if amount is None:
        assert "line 2, column amount" in faults(report)
    else:
        assert report.faults == []
        assert amounts(library) == [amount]


def test_marks_that_contradict_each_other_are_refused(library: Library) -> None:
    with pytest.raises(BadQuestion, match="another decimal mark"):
        prices(library, DGX, thousands="point")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"{HEADER}\n{DGX},7\n", "line 2: 6 cells expected, not 7"),
        (f"{HEADER}\n{DGX.rsplit(',', 1)[0]}\n", "line 2: 6 cells expected, not 5"),
        (f"{HEADER},amount\n", "columns 'amount' and 'amount' have the same name"),
        (f"{HEADER}, Amount \n", "columns 'amount' and ' Amount ' have the same name"),
        (f"{HEADER},\n", "column 7 has no name"),
        (f"{HEADER},colour\n{DGX},red\n", "unknown column 'colour'"),
        (f"{HEADER.replace('amount', 'Amount')}\n{DGX}\n", "unknown column 'Amount': map or ignore; nearest to the first: amount"),
        (f"{HEADER.replace('amount,', '')}\n{DGX.replace('250000,', '')}\n", "column amount is missing"),
        ("", "line 1: a header"),
        (f"{HEADER}\n", "there are no rows"),
        (HEADER.replace(",", ";") + "\n", "declare the delimiter semicolon"),
        (HEADER.replace(",", "\t") + "\n", "declare the delimiter tab"),
        (f'{HEADER}\n"{DGX}\n', "line 2: unexpected end of data"),
        (f"{HEADER}\r{DGX}\r", "lone carriage return"),
        (f"{HEADER}\n{DGX}\0\n", "line 2: a NUL byte"),
        (f"{HEADER}\n\n{DGX}\n", "line 2: a blank line"),
        (f'{HEADER}\n{DGX.replace("a test", "a " + chr(34) + "test")}\n'.replace("a \"", '"a "'), "line 2"),
        (f"{HEADER}\n{DGX}\n".encode("utf-16"), "UTF-16 at byte"),
        (f"{HEADER}\n{DGX.replace('a test', 'Größe €')}\n".encode("cp1252"), f"not UTF-8 at byte {len(HEADER) + 1 + DGX.index('a test') + 2}"),
        (f"{HEADER}\n{'x' * 1_000_001}\n", "line 2: the line has more than 1,000,000 bytes"),
    ],
)  # fmt: skip
def test_a_file_of_another_form_is_refused_whole_with_its_line(
    library: Library, content: str | bytes, expected: str
) -> None:
    prices(library, DGX)
    assert expected in faults(take_in(library, content))
    assert amounts(library) == ["250000"]


def test_a_byte_order_mark_is_no_part_of_the_first_column(library: Library) -> None:
    assert take_in(library, f"\ufeff{HEADER}\r\n{DGX}\r\n").published


def test_columns_are_mapped_filled_and_ignored_by_name(library: Library) -> None:
    report = take_in(
        library,
        "Product;Net price;Colour;Date\nNVIDIA DGX A100 640GB;250.000,50;grey;2026-01-01\n",
        delimiter="semicolon", decimal="comma", thousands="point", ignore=("Colour",),
        mapping=("system=Product", "amount=Net price", "valid_from=Date"),
        fill=("currency=EUR", "kind=list", "source=Reseller AG, Liste 7"),
    )  # fmt: skip
    assert report.faults == []
    (row,) = opened(library).books[0].prices.page({}, 0, 9)
    assert (row.system, str(row.amount), row.currency, row.source) == (
        "dgx-a100-640gb",
        "250000.50",
        "EUR",
        "Reseller AG, Liste 7",
    )
    wrong = (
        {"mapping": ("prise=Net price",)},
        {"mapping": ("amount=Gross",)},
        {"fill": ("amount=1",)},
        {"ignore": ("Size",)},
    )
    for given in wrong:
        assert take_in(library, f"{HEADER}\n{DGX}\n", **given).faults  # type: ignore[arg-type]
    with pytest.raises(BadQuestion, match="OURS=THEIRS"):
        take_in(library, f"{HEADER}\n{DGX}\n", mapping=("amount",))


def test_the_same_offer_twice_is_refused_with_both_lines(library: Library) -> None:
    report = prices(library, DGX, "ipu-pod16,140000,USD,list,a test,2026-01-01", DGX.replace("250000", "251000"))
    assert faults(report) == "line 2 and line 4 are the same offer on the same day"


def test_days_that_overlap_are_refused_with_both_lines(library: Library) -> None:
    header = f"{HEADER},valid_to"
    report = prices(library, f"{DGX},2026-06-01", f"{DGX.replace('2026-01-01', '2026-05-31')},", header=header)
    assert (
        faults(report) == "line 2 and line 3 are the same offer, and the first is valid until after the second begins"
    )
    meeting = prices(library, f"{DGX},2026-06-01", f"{DGX.replace('2026-01-01', '2026-06-01')},", header=header)
    assert meeting.published, "half-open days may meet"
    backwards = prices(library, f"{DGX},2026-01-01", header=header)
    assert "column valid_to: a day after valid_from" in faults(backwards)


def test_other_regions_tiers_and_units_are_other_offers(library: Library) -> None:
    header = f"{HEADER},region,minimum_quantity,sku"
    report = prices(library, f"{DGX},,,", f"{DGX},eu,,", f"{DGX},,10,", f"{DGX},,,A-1", header=header)
    assert report.published


def test_an_amount_far_from_its_neighbours_must_be_accepted(library: Library) -> None:
    for cell in ("149.9950", "149995000"):
        row = f"ipu-pod16,{cell},USD,list,a test,2026-01-01"
        report = prices(library, row)
        assert report.unconfirmed == ["outlier"] and report.published is None
        assert "line 2, column amount: the amount is 1" in str(report.warnings[0])
    assert prices(library, row, accept=("outlier",)).published
    with pytest.raises(UnknownName, match="nearest: outlier"):
        prices(library, row, accept=("outliers",))


def test_neighbours_in_the_file_tell_an_outlier_too(library: Library) -> None:
    rows = [f"{system},{amount},EUR,quote,a test,2026-01-01"
            for system, amount in (("dgx-a100-640gb", 270_000), ("dgx-h100", 280_000), ("dgx-b200", 300_000), ("dgx-a100-320gb", 200_000))]  # fmt: skip
    report = prices(library, *rows, "dgx-2,250,EUR,quote,a test,2026-01-01")
    # 250 / 16 accelerators is less than a thousandth of the others' median, some 34,000 for one
    assert [each.line for each in report.warnings] == [6]


def test_a_list_that_lost_most_of_its_rows_must_be_accepted(library: Library) -> None:
    rows = [DGX.replace("2026-01-01", f"2026-01-{day:02}") for day in range(1, 11)]
    prices(library, *rows)
    assert prices(library, *rows[:4]).unconfirmed == ["shrunk"]
    assert len(amounts(library)) == 10
    assert prices(library, *rows[:4], accept=("shrunk",)).published


def test_a_price_that_jumps_must_be_accepted(library: Library) -> None:
    prices(library, DGX)
    assert prices(library, DGX.replace("250000", "24000")).unconfirmed == ["jump"]
    assert prices(library, DGX.replace("250000", "26000")).published is not None


def test_a_merge_adds_and_refuses_what_is_there_already(library: Library) -> None:
    prices(library, DGX)
    later = DGX.replace("2026-01-01", "2026-07-01").replace("250000", "240000")
    assert prices(library, later, merge=True).published
    assert amounts(library) == ["250000", "240000"]
    report = prices(library, DGX.replace("250000", "251000"), merge=True)
    assert faults(report).startswith("public.1:2 in the book and line 2 are the same offer on the same day; withdraw")


def test_a_withdrawal_ends_the_row_that_it_names_from_then_on(library: Library) -> None:
    header = f"{HEADER},withdrawn"
    first = prices(library, DGX, "ipu-pod16,140000,USD,list,a test,2026-01-01")
    assert "no meaning" in faults(prices(library, f"{DGX},yes", header=header))
    assert "no row of this offer" in faults(
        prices(library, f"{DGX.replace('01-01', '01-02')},yes", header=header, merge=True)
    )
    report = prices(library, f"{DGX},yes", f"{DGX.replace('250000', '245000')},no", header=header, merge=True)
    assert report.faults == [] and report.withdrawn == 1
    assert sorted(amounts(library)) == ["140000", "245000"]
    assert sorted(amounts(library, version=first.published)) == ["140000", "250000"]
    assert opened(library).books[0].prices.count({}) == 2


def test_sources_of_one_book_stand_beside_each_other(library: Library) -> None:
    prices(library, DGX, source="reseller-one")
    prices(library, DGX.replace("2026-01-01", "2026-02-01"), source="reseller-two")
    assert len(amounts(library)) == 2
    prices(library, DGX.replace("2026-01-01", "2026-03-01"), source="reseller-one")
    (held,) = opened(library).books
    assert [each.valid_from.isoformat() for _, each in held.prices.each()] == ["2026-02-01", "2026-03-01"]


@pytest.mark.parametrize("name", ["Acme", "a", "acme.4", "facts", "../acme", "acme\n", "a" * 65, "acme+1", ""])
def test_a_book_has_a_plain_name(library: Library, name: str) -> None:
    with pytest.raises(BadQuestion, match="cannot be the name of a book"):
        prices(library, DGX, book=name or " ")


def test_who_entered_a_row_stands_with_it(library: Library) -> None:
    prices(library, DGX, entered_by="M. Muster")
    (held,) = library.open(EVERYTHING).books
    (row,) = held.prices.page({}, 0, 9)
    assert (row.entered_by, row.book, row.row) == ("M. Muster", "public", "public.1:2")


def test_another_sources_amount_of_the_same_offer_and_day_must_be_accepted(library: Library) -> None:
    prices(library, DGX, source="alpha")
    assert prices(library, DGX, source="twin").published, "the same amount is no rival"
    report = prices(library, DGX.replace("250000", "275000"), source="beta")
    assert report.unconfirmed == ["competing"]
    assert str(report.warnings[0]) == (
        "line 2, column amount: 275000 for dgx-a100-640gb, and 250000 from the same day in public.1:2: which is it?"
    )
    assert prices(library, DGX.replace("250000", "275000"), source="beta", accept=("competing, outlier",)).published


def test_every_wrong_cell_of_a_row_and_every_unknown_column_is_told(library: Library) -> None:
    report = prices(library, 'dgx-a100-640gb,"2,10",usd,lst,x,1.1.2026')
    assert [each.column for each in report.faults] == ["amount", "kind", "valid_from"]
    columns = prices(library, f"{DGX},1,2", header=f"{HEADER},Part no.,Lead time")
    assert faults(columns).startswith("unknown columns 'Part no.', 'Lead time': map or ignore; the template has those")


def test_a_dry_run_shows_what_would_change(library: Library) -> None:
    prices(library, DGX, "ipu-pod16,140000,USD,list,a test,2026-01-01")
    tried = prices(library, DGX.replace("250000", "240000"), "dgx-h100,300000,USD,list,a test,2026-01-01", dry_run=True)
    assert tried.examples == [
        "changed: dgx-a100-640gb list from 2026-01-01: amount 250000 → 240000",
        "gone: ipu-pod16 list 140000 USD from 2026-01-01", "added: dgx-h100 list 300000 USD from 2026-01-01",
    ]  # fmt: skip


def test_the_same_list_entered_by_another_changes_nothing(library: Library) -> None:
    first = prices(library, DGX, entered_by="one")
    again = prices(library, DGX, entered_by="another")
    assert again.unchanged and again.published == first.published


@pytest.mark.parametrize(
    ("header", "row", "given", "expected"),
    [
        (f"{HEADER},Net", f"{DGX},1", {"mapping": ("amount=Net",)}, "columns 'amount' and 'Net' are both amount: ignore one"),
        (f"{HEADER},Nr", f"{DGX},1", {"mapping": ("sku=Nr", "mpn=Nr")}, "column 'Nr' is mapped to sku and to mpn"),
        (f"{HEADER},minimum_quantity", f"{DGX},1e20", {}, "a whole number from 0 to 1,000,000 expected"),
        (f"{HEADER},per", f"{DGX.replace('dgx-a100-640gb', 'ipu-pod64')},node", {}, "as many servers as its workload needs"),
    ],
)  # fmt: skip
def test_what_would_be_read_wrongly_is_refused(
    library: Library, header: str, row: str, given: dict, expected: str
) -> None:
    assert expected in faults(prices(library, row, header=header, **given))


@pytest.mark.parametrize("later", ["2026-02-01", "2026-01-01"])
def test_a_jump_is_seen_in_a_new_list_of_another_day_and_beyond_the_first_thousand_rows(
    library: Library, later: str
) -> None:
    rows = [f"dgx-a100-640gb,{250_000 + n},USD,list,a test,2026-01-01,{n}" for n in range(1_500)]
    assert prices(library, *rows, header=f"{HEADER},sku").published
    rows = [row.replace("2026-01-01", later).replace(",25", ",26", 1) for row in rows[:-1]] + [
        rows[-1].replace("251499", "20000")
    ]
    report = prices(library, *rows, header=f"{HEADER},sku")
    assert [each.line for each in report.warnings if each.code == "jump"] == [1501]
    corrected = prices(library, f"{rows[5].split(',')[0]},250005,USD,list,a test,2026-01-01,5,yes",
                       "dgx-a100-640gb,20000,USD,list,a test,2026-01-01,5,no", header=f"{HEADER},sku,withdrawn", merge=True)  # fmt: skip
    assert corrected.unconfirmed == ["jump"]


def test_of_many_alike_offers_the_one_in_the_currency_asked_is_found(library: Library) -> None:
    codes = ["AUD", "BGN", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "USD"]
    assert prices(library, *(f"dgx-a100-640gb,250000,{code},list,a test,2025-01-01" for code in codes)).published
    catalogue = opened(library, "public")
    for code in codes:
        found = choose_price(catalogue, Offer("dgx-a100-640gb", ("list",), date(2025, 6, 1)), code).price
        assert found is not None and found.currency == code


def test_an_assumption_of_money_names_its_currency(library: Library) -> None:
    for unit, expected in (
        ("money / kWh", "column unit"),
        ("A1B / kWh", "column unit"),
        ("XXX / kWh", "column unit"),
        ("HRK/kWh", "successor is EUR"),
    ):
        report = take_in(
            library, f"name,value,unit,source,year\nelectricity_tariff_per_kwh,0.5,{unit},s,2026\n", "assumptions"
        )
        assert expected in faults(report)
    report = take_in(
        library, "name,value,unit,source,year\nelectricity_tariff_per_kwh,0.5,EUR / kWh,s,2026\n", "assumptions"
    )
    assert opened(library, "public").preset("us-colo")["electricity_tariff_per_kwh"].unit == "EUR/kWh"


def test_an_assumption_for_one_preset_wins_wherever_it_stands(library: Library) -> None:
    rows = ["pue_ratio,1.5,1,s,2026,us-colo", "pue_ratio,1.9,1,s,2026,"]
    for order in (rows, rows[::-1]):
        take_in(library, "\n".join(("name,value,unit,source,year,preset", *order)), "assumptions")
        held = opened(library, "public")
        assert (held.preset("us-colo")["pue_ratio"].value, held.preset("hyperscale")["pue_ratio"].value) == (1.5, 1.9)


def test_an_own_run_is_never_called_official(library: Library) -> None:
    from service.parameters import claims_parameters, compare_parameters  # noqa: PLC0415
    from service.questions import claims_answer, compare_answer  # noqa: PLC0415

    take_in(library, "benchmark,round,division,submitter,system,units,time_to_train_minutes,source\n"
                     "resnet,v1.0,closed,NVIDIA,dgx-a100-640gb,1,2.5,my own log\n", "results")  # fmt: skip
    catalogue = opened(library, "public")
    fields = compare_parameters()().load({"systems": "dgx-a100-640gb", "benchmark": "resnet", "round": "v1.0"})
    document = compare_answer(catalogue, fields).document()
    assert document["systems"][0]["time_to_train_minutes"] == 2.5
    assert document["systems"][0]["provenance"]["time_to_train_minutes"]["status"] == "listed"
    assert not [each for each in document["notices"] if "official" in each]
    assert "unverified_result" in {each["code"] for each in document["caveats"]}
    claims, before = (
        claims_answer(each, claims_parameters()().load({"claim": 14})).document()["claims"]
        for each in (catalogue, library.facts)
    )
    assert claims == before


def test_a_purge_during_an_import_ends_it_and_no_number_is_given_twice(library: Library) -> None:
    def rows() -> Iterator[Row]:
        for number in range(45_000):
            if number == 25_000:
                purge_book(library, "acme")
            yield Row(number + 2, {**dict(zip(HEADER.split(","), DGX.split(","), strict=True)), "sku": str(number)})

    prices(library, DGX, book="acme")
    request = Request(book="acme", source="two")
    with pytest.raises(StoreConflict, match="purged"):
        run_import(library, request, rows(), lambda _: None)
    assert prices(library, "ipu-pod16,140000,USD,list,a test,2026-01-01").published
    assert amounts(library) == ["140000"]
    assert check_books(library) == []


def test_systems_of_one_list_have_names_of_their_own_and_an_id_can_be_mended(library: Library) -> None:
    header = "id,name,vendor,accelerator_model,accelerators,hosts,source\n"
    assert "foo is a name of aa-1 in this list" in faults(
        take_in(library, f"{header}aa-1,Foo,A,X,8,1,s\nbb-1,foo,A,X,8,1,s\n", "systems")
    )
    for number in ('"a,b"', "2*x", "own:zz"):
        assert "column id" in faults(take_in(library, f"{header}{number},N,A,X,8,1,s\n", "systems"))
    assert take_in(library, f"{header}dgx-x1,DGX X1,A,X,8,1,s\n", "systems").published
    assert take_in(library, f"{header}dgx-x-1,DGX X1,A,X,8,1,s\n", "systems").published
    assert "dgx-x1" not in opened(library, "public").systems
