"""What can go wrong."""

import re
import time
from email.utils import parsedate_to_datetime
from json import loads
from typing import Any, Mapping, Optional, Union

import httpx

from . import gateway, platform

RecadoErrorCode = Union[gateway.ErrorCode, platform.ErrorCode, str]
"""
The reason of a refusal, as Recado names it. `UNKNOWN`: the answer has no code, for instance because a proxy gave it. A
newer server may answer with a code that this list does not have yet.
"""


class RecadoError(Exception):
    """Recado refused a request, or could not do it."""

    status: int
    """The HTTP status."""
    code: RecadoErrorCode
    message: str
    details: Any
    """What the code does not say: the fields that are wrong, the network's own error."""
    request_id: Optional[str]
    """The id under which the server's log has the request."""
    retry_after: Optional[float]
    """How many seconds to wait before another try, where the server says so."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        message: str,
        details: Any = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.status} {self.code}: {self.message}"


class RecadoConnectionError(Exception):
    """No complete answer came: the server was not reached, the connection broke off, or the time was over."""

    is_timeout: bool
    """Whether the time was over."""

    def __init__(self, message: str, *, is_timeout: bool = False) -> None:
        super().__init__(message)
        self.is_timeout = is_timeout


class UnexpectedAnswerError(Exception):
    """The request was done, and its answer is not what the description says. `answer` has it as it came."""

    answer: Any

    def __init__(self, message: str, answer: Any) -> None:
        super().__init__(message)
        self.answer = answer


class WebhookVerificationError(Exception):
    """A webhook that Recado did not sign, or that is too old; its message says what is wrong."""


def connection_error(cause: Exception) -> RecadoConnectionError:
    """What a failure of the connection means."""
    is_timeout = isinstance(cause, httpx.TimeoutException)
    what = "No answer came in time" if is_timeout else "The server was not reached"
    error = RecadoConnectionError(f"{what}: {cause!r}", is_timeout=is_timeout)
    error.__cause__ = cause
    return error


def _retry_after(header: Optional[str]) -> Optional[float]:
    """`Retry-After` in seconds or as a date; None where it is missing or neither."""
    if not header:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _text(*values: Any) -> Optional[str]:
    return next((value for value in values if isinstance(value, str)), None)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def error_of(answer: httpx.Response) -> RecadoError:
    """The error of an answer that is not a success, and that was read."""
    try:
        body = _mapping(loads(answer.content))
    except ValueError:
        body = {}  # a proxy's page: the status is all there is
    error = body.get("error")
    inner = _mapping(error)
    code = _text(inner.get("code"), body.get("code"), error)
    details = [inner.get("details"), body.get("details"), body.get("errors")]
    return RecadoError(
        status=answer.status_code,
        code=code if code and re.fullmatch(r"[A-Z][A-Z0-9_]*", code) else "UNKNOWN",
        message=_text(inner.get("message"), body.get("message"), error)
        or f"The answer has the status {answer.status_code}.",
        details=next((one for one in details if one is not None), None),
        request_id=answer.headers.get("x-request-id"),
        retry_after=_retry_after(answer.headers.get("retry-after")),
    )
