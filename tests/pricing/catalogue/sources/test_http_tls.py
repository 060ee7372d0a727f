"""Over TLS a feed has the same bounds, and the certificate is verified for the host's name."""

import ssl
import subprocess
from pathlib import Path

import pytest

from tests.pricing.catalogue.sources.fake_feed import Changing, chunked, drip, fault, feed, late, rows, whole

CSV = b"sku,price\na,1\nb,2\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost and its key."""
    folder = tmp_path_factory.mktemp("tls")
    made = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost", "-out", str(made[0]), "-keyout", str(made[1])]
    subprocess.run(command, check=True, capture_output=True)
    return made


@pytest.fixture
def tls(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    return context


@pytest.fixture
def _trusted(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", str(certificate[0]))


@pytest.mark.needs("openssl")
@pytest.mark.usefixtures("_trusted")
def test_over_tls_the_name_of_the_host_is_verified(tls: ssl.SSLContext) -> None:
    with feed(
        {"/1": whole(b'{"items": [{"sku": "a"}], "next": "/2"}'), "/2": chunked(b'[{"sku": "b"}]')}, tls=tls
    ) as server:
        assert len(rows(server.url("/1", host="localhost"))) == 2
        count = len(server.asked)
        said = fault(server.url("/1"))
        assert "the certificate is not trusted: IP address mismatch" in said and len(server.asked) == count
        assert "which is not public" in fault(server.url("/1", host="localhost"), allow_private=False)


@pytest.mark.needs("openssl")
def test_a_certificate_of_nobody_is_not_trusted(
    tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, certificate: tuple[Path, Path]
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate[0]))  # the environment is not asked
    with feed(whole(CSV, "text/csv"), tls=tls) as server:
        assert "the certificate is not trusted: self" in fault(server.url(host="localhost"))
    assert server.asked == [] and server.connects == 1


@pytest.mark.needs("openssl")
@pytest.mark.usefixtures("_trusted")
def test_over_tls_cuts_and_deadlines_are_the_same(tls: ssl.SSLContext) -> None:
    said, changing = whole(CSV, "text/csv"), Changing()
    with feed({"/slow": lambda _: drip(said, 0.4), "*": changing}, tls=tls) as server:
        for cut in range(0, len(said), 5):
            changing.said = said[:cut]
            fault(server.url(host="localhost"))
        assert "not read whole within 1 s" in late(server.url("/slow", host="localhost"))


def test_what_is_no_tls_is_a_fault() -> None:
    with feed(whole(CSV, "text/csv")) as server:
        assert "page 1: no TLS connection" in fault(server.url().replace("http:", "https:"))
