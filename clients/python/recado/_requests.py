"""What a request is, and whether it may be repeated. Nothing here reaches the network."""

import random
import uuid
from dataclasses import dataclass, field
from json import dumps
from typing import Any, AsyncIterable, BinaryIO, Dict, Iterable, Mapping, Optional, Union

from typing_extensions import TypedDict

from ._errors import RecadoConnectionError, RecadoError


class RequestOptions(TypedDict, total=False):
    """What can be said about one request."""

    timeout: Optional[float]
    """In place of the client's: for how many seconds nothing may arrive."""
    max_retries: int
    """In place of the client's."""
    idempotency_key: str
    """In place of the key that the client makes for each POST; the same key never does the same thing twice."""
    headers: Mapping[str, str]


@dataclass(frozen=True)
class NamedFile:
    """
    A file with what is known of it. With a `name` it is sent in a form, else as the body.

    `content_type` is for instance `image/png`.
    """

    content: Union[bytes, BinaryIO]
    name: Optional[str] = None
    content_type: str = "application/octet-stream"


Upload = Union[bytes, BinaryIO, NamedFile, Iterable[bytes], AsyncIterable[bytes]]
"""A file to be sent. What is not bytes can be read only once, so its request is never tried again."""


@dataclass
class Call:
    """A request of a route. `body` is JSON or, with `is_raw`, a file. `is_file`: the answer is a file."""

    method: str
    path: str
    query: Dict[str, str] = field(default_factory=dict)
    headers: Dict[str, str] = field(default_factory=dict)
    body: Any = None
    is_raw: bool = False
    is_file: bool = False
    options: RequestOptions = field(default_factory=lambda: RequestOptions())


RETRIED = {408, 429, 502, 503, 504}
FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_RETRY_AFTER = 60.0
"""A server that asks for a longer wait is not waited for: the caller learns of it."""


def backoff(tries: int, longest: float = LONGEST_WAIT) -> float:
    """Between a half and the whole of a wait that doubles with each try, in seconds."""
    return min(longest, FIRST_WAIT * 2 ** min(tries, 30)) * (0.5 + random.random() / 2)


def _is_once(body: Any) -> bool:
    content = body.content if isinstance(body, NamedFile) else body
    return not isinstance(content, (bytes, bytearray, memoryview))


def can_repeat(call: Call) -> bool:
    """Whether a request may be sent twice: not a PATCH, and not a body that can be read only once."""
    return call.method != "PATCH" and not (call.is_raw and _is_once(call.body))


def is_worth_another_try(error: Exception) -> bool:
    """Whether the next try may bring something else."""
    if isinstance(error, RecadoConnectionError):
        return True
    if not isinstance(error, RecadoError) or (error.retry_after or 0) > LONGEST_RETRY_AFTER:
        return False
    # 409 with a time: the first try of the same Idempotency-Key is still under way
    return error.status in RETRIED or (error.status == 409 and error.retry_after is not None)


def wait_after(error: Exception, tries: int, longest: float = LONGEST_WAIT) -> float:
    """How many seconds to wait after a failure: what the server asks for, or a wait that grows."""
    asked = error.retry_after if isinstance(error, RecadoError) else None
    return backoff(tries, longest) if asked is None else asked


def headers_of(call: Call, credential: Mapping[str, str]) -> Dict[str, str]:
    """The headers of all tries of a request. A POST gets an Idempotency-Key."""
    headers = {**credential, **call.headers}
    for name, value in call.options.get("headers", {}).items():
        headers[name.lower()] = value
    key = call.options.get("idempotency_key")
    if key is None and call.method == "POST" and "idempotency-key" not in headers:
        key = str(uuid.uuid4())
    if key is not None:
        headers["idempotency-key"] = key
    return headers


def content_of(call: Call) -> Dict[str, Any]:
    """The body as httpx takes it, with its type."""
    body = call.body
    if body is None:
        return {}
    if not call.is_raw:
        return {"content": dumps(body).encode(), "type": "application/json"}
    if not isinstance(body, NamedFile):
        return {"content": body, "type": "application/octet-stream"}
    if body.name is None:
        return {"content": body.content, "type": body.content_type}
    return {"files": {"file": (body.name, body.content, body.content_type)}}
