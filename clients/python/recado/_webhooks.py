"""Verifies deliveries of webhooks."""

import base64
import binascii
import hmac
import re
import time
from json import loads
from typing import Any, Generic, Iterable, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from . import gateway, platform
from ._errors import WebhookVerificationError
from ._models import parse_event

Event = TypeVar("Event")
Headers = Union[Mapping[str, Any], Iterable[Tuple[Any, Any]]]
"""Headers as a server gives them: a mapping, or pairs of names and values."""

SECRET_PREFIX = "whsec_"
HEX_HEADERS = (
    "x-gateway-signature",
    "x-gateway-signature-previous",
    "x-webhook-signature",
    "x-webhook-signature-previous",
)


def _text(value: Any) -> str:
    if isinstance(value, (bytes, bytearray)):
        return value.decode("latin-1")
    return value if isinstance(value, str) else " ".join(_text(one) for one in value)


def _headers(headers: Headers) -> Mapping[str, str]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    return {_text(name).lower(): _text(value) for name, value in pairs if value is not None}


def _base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _hex(text: str) -> Optional[bytes]:
    return bytes.fromhex(text) if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text) else None


def _keys(secret: str) -> List[bytes]:
    """The keys that a secret stands for: its bytes, and those that the form `whsec_<base64>` encodes."""
    inner = _base64(secret[len(SECRET_PREFIX) :]) if secret.startswith(SECRET_PREFIX) else None
    return [secret.encode(), *([inner] if inner else [])]


def _is_signed(secrets: Sequence[str], signatures: Sequence[bytes], signed: bytes) -> bool:
    digests = [hmac.digest(key, signed, "sha256") for secret in secrets for key in _keys(secret)]
    matches = [hmac.compare_digest(one, digest) for digest in digests for one in signatures]
    return any(matches)


Claim = Tuple[List[Optional[bytes]], bytes]


def _claim(body: bytes, headers: Headers, tolerance: Optional[float], now: float) -> Claim:
    """What the headers claim: the signatures, and the bytes that they are over."""
    own = _headers(headers)
    event_id, timestamp, signatures = (own.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if event_id and timestamp and signatures:
        if not re.fullmatch(r"[0-9]+", timestamp):
            raise WebhookVerificationError("webhook-timestamp is no time.")
        age = abs(now - int(timestamp))
        if tolerance is not None and age > tolerance:
            raise WebhookVerificationError(f"The delivery is {age:.0f} s away from now.")
        found = [_base64(one[3:]) for one in signatures.split(" ") if one.startswith("v1,")]
        return found, f"{event_id}.{timestamp}.".encode() + body
    # without a signed time an old delivery could be sent again for ever
    if tolerance is not None:
        raise WebhookVerificationError("The headers webhook-id, -timestamp and -signature are missing.")
    return [_hex(re.sub("^sha256=", "", own.get(name, ""))) for name in HEX_HEADERS], body


class Webhooks(Generic[Event]):
    """Verifies deliveries of the webhooks of one API."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def verify(
        self,
        raw: Union[str, bytes],
        headers: Headers,
        secret: Union[str, Sequence[str]],
        *,
        tolerance: Optional[float] = 300.0,
        now: Optional[float] = None,
    ) -> Event:
        """
        The event of a delivery. `raw` is the body as it came, before anything parses it. With several secrets each will
        do, so a secret can be changed. Raises WebhookVerificationError where Recado did not send it so, or not now.

        `tolerance`: how many seconds the time of the delivery may be from now. With None any age will do, and a
        delivery that has lost its Standard Webhooks headers on the way is verified by `X-Gateway-Signature` alone.
        `now`: in place of the present, in seconds since 1970.
        """
        secrets = [secret] if isinstance(secret, str) else list(secret)
        if not secrets or "" in secrets:
            raise TypeError("A secret is missing.")
        body = raw.encode() if isinstance(raw, str) else bytes(raw)
        found, signed = _claim(body, headers, tolerance, time.time() if now is None else now)
        if not _is_signed(secrets, [one for one in found if one], signed):
            raise WebhookVerificationError("No signature of the delivery is by the secret.")
        try:
            value = loads(body)
        except ValueError as cause:
            raise WebhookVerificationError("The body is not JSON.") from cause
        return parse_event(self._kind, value)

    @staticmethod
    def is_cut(event: Any) -> bool:
        """Whether an event came without its content, because it has more than 256 KiB. `events.get(id)` has it."""
        data = getattr(event, "data", None)
        inner = data.get("isCut") if isinstance(data, dict) else _mark(data)
        return _mark(event) is True or inner is True


def _mark(value: Any) -> Any:
    return getattr(value, "is_cut", None) or getattr(value, "isCut", None)


webhooks: "Webhooks[gateway.WebhookEvent]" = Webhooks(gateway.WebhookEvent)
"""Verifies deliveries of the gateway API's webhooks."""

platform_webhooks: "Webhooks[platform.WebhookEvent]" = Webhooks(platform.WebhookEvent)
"""Verifies deliveries of the platform API's webhooks."""
