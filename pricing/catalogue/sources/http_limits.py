"""What one fetch over HTTP may do: the URLs and addresses that it may reach, how long, and how much."""

import re
import time
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}
URL = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]{1,8000}")  # the characters of RFC 3986: no blank, no backslash
PLAIN_IPV6 = ip_network("2000::/3")  # all else is local, or an IPv4 address in disguise: mapped, NAT64
NOT_PUBLIC = tuple(  # what is_global of some Python versions lets pass; 2002::/16 is 6to4, 2001::/23 holds Teredo
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20"))
)
HEADS = 1024 * 1024  # what an answer may have on the way beside twice its bytes: its head, the lengths of its chunks


class Refused(Exception):
    """What is not asked or not taken; asking again would change nothing."""


class Broken(Exception):
    """What broke on the way; asking again may help, after `wait` seconds if the server said so."""

    def __init__(self, detail: str, wait: float = 0.0) -> None:
        self.wait = wait
        super().__init__(detail)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one fetch may do: reach private addresses, last, bring, and try again."""

    allow_private: bool
    seconds: float
    most_bytes: int
    tries: int


class Wire:
    """What the connections of one fetch share: the only place that they may reach, the limits, and what came so far.

    `ended` tells whether the other side ended the connection while more of the answer was due.
    """

    def __init__(self, url: str, limits: Limits) -> None:
        _, self.host, self.port = origin(url)
        self.limits = limits
        self.ended = False
        self._received = 0
        self._deadline = time.monotonic() + limits.seconds

    def left(self) -> float:
        """Seconds until the deadline, more than 0. Raises Refused."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Refused(f"not read whole within {self.limits.seconds:g} s")
        return left

    def begin(self) -> None:
        """Count from 0, for the next answer."""
        self._received, self.ended = 0, False

    def took(self, count: int) -> None:
        """Count bytes that came, of which 0 say that no more will. Raises Refused."""
        self._received += count
        self.ended = self.ended or count == 0
        if self._received > 2 * self.limits.most_bytes + HEADS:
            raise Refused(f"the answer has far more than {self.limits.most_bytes:,} bytes on the way")


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of a URL. Raises Refused for one that we do not ask."""
    if not URL.fullmatch(url):
        raise Refused("an http or https URL expected, with other characters percent-encoded")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Refused(f"an http or https URL expected: {error}") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise Refused("an http or https URL with a host expected")
    if "@" in parts.netloc:
        raise Refused("a user or a password stands in the URL; give a header instead")
    return parts.scheme, parts.hostname.rstrip("."), PORTS[parts.scheme] if port is None else port


def shown(url: str) -> str:
    """A URL as messages have it: without query, fragment, user and password, which may be secrets."""
    return re.sub(r"//[^/]*@", "//", re.split("[?#]", url, maxsplit=1)[0])[:200]


def is_public(text: str) -> bool:
    """Whether an address is a plain one of the public internet."""
    address = ip_address(text)
    if address.version == PLAIN_IPV6.version and address not in PLAIN_IPV6:
        return False
    return address.is_global and not address.is_multicast and not any(address in each for each in NOT_PUBLIC)
