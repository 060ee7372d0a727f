"""The same imports give the same answers, to the byte, on SQLite and on PostgreSQL."""

from pathlib import Path

import pytest

from pricing.catalogue.keys import make_key
from pricing.catalogue.library import Library
from service.app import create_app
from service.settings import Settings
from tests.postgres import Server
from tests.pricing.catalogue.books.imports import DGX, HEADER, prices, take_in
from tests.service.test_api import ASKED

DAY = "as_of=2026-10-30"
ADDRESSES = (
    f"{ASKED}&{DAY}", f"{ASKED}&{DAY}&currency=EUR", f"{ASKED}&{DAY}&books=acme,public&region=eu&quantity=12", f"{ASKED}&{DAY}&format=csv",
    f"{ASKED}&{DAY}&format=table", "/v1/prices?book=public&limit=500", "/v1/prices?system=dgx-a100-640gb", "/v1/prices?books=acme&book=acme",
    f"/v1/ranking?benchmark=resnet&round=v1.0&{DAY}", f"/v1/tco?systems=dgx-a100-640gb,rig-8&{DAY}&books=acme,public", "/v1/systems?books=acme&vendor=Acme",
    "/v1/books/public/prices", "/v1/books/acme/prices?format=json", "/v1/books/acme/systems", "/v1/prices?region=mars", "/v1/compare?systems=rig-9&books=acme",
    f"/v1/compare?systems=dgx-h100&{DAY}",
)  # fmt: skip


def filled(database: str) -> list[tuple[int, bytes]]:
    """The answers of a service on a database that was filled in the same way."""
    library = Library(database=database)
    assert library.store is not None
    library.store.migrate()
    header = f"{HEADER},region,minimum_quantity,note,valid_to"
    texts = ("Größe €", "zz", "Zz", "ä", "=1+1", "a,b;c", "NA")
    prices(library, *(f"{DGX.replace('2026-01-01', f'2026-01-0{n + 1}')},{'eu' if n % 2 else ''},{1 + 9 * (n % 3)},\"{text}\","
                      for n, text in enumerate(texts)), header=header)  # fmt: skip
    prices(library, f"{DGX.replace('2026-01-01', '2026-02-01')},,1,x,2026-09-01", header=header, merge=True)
    prices(library, f"{DGX.replace('2026-01-01', '2026-01-01')},,1,,,yes", header=f"{header},withdrawn", merge=True)
    prices(
        library,
        *(f"dgx-h100,30{n}000,USD,list,a test,2026-01-01,{sku}" for n, sku in enumerate("BAab")),
        header=f"{HEADER},sku",
        source="other",
    )
    system = "id,name,vendor,accelerator_model,accelerators,hosts,rack_units,max_power_kw,source\nrig-8,Our Rig,Acme,X1,8,1,4,6.5,ours\n"
    take_in(library, system, "systems", book="acme")
    prices(library, "rig-8,80000.10,EUR,list,our quote,2026-01-01", DGX.replace("250000", "1.5e5"), book="acme")
    key = make_key(library.store, "a test", ["read:acme"])
    app = create_app(Settings(database_url=database))
    answers = [app.test_client().get(address, headers={"X-API-Key": key}) for address in ADDRESSES]
    found = [(each.status_code, each.data) for each in answers]
    library.close()
    app.extensions["traincost"].close()
    return found


@pytest.mark.needs("postgres")
def test_both_engines_give_the_same_bytes(tmp_path: Path, postgres: Server) -> None:
    sqlite, postgresql = filled(f"sqlite:///{tmp_path / 'books.db'}"), filled(postgres.fresh())
    for address, one, other in zip(ADDRESSES, sqlite, postgresql, strict=True):
        assert one == other, address
    statuses = [status for status, _ in sqlite]
    assert statuses.count(200) >= 14 and 404 in statuses and 409 in statuses
