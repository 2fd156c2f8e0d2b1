"""The client of Recado's APIs."""

from . import gateway, platform
from ._client import AsyncRecado, AsyncRecadoAdmin, AsyncRecadoPlatform, Recado, RecadoAdmin, RecadoPlatform
from ._errors import (
    RecadoConnectionError,
    RecadoError,
    RecadoErrorCode,
    UnexpectedAnswerError,
    WebhookVerificationError,
)
from ._models import Model, Other, OtherEvent
from ._pages import AsyncPages, Pages
from ._requests import NamedFile, RequestOptions, Upload
from ._stream import StreamGap
from ._webhooks import platform_webhooks, webhooks

__all__ = [
    "AsyncPages",
    "AsyncRecado",
    "AsyncRecadoAdmin",
    "AsyncRecadoPlatform",
    "Model",
    "NamedFile",
    "Other",
    "OtherEvent",
    "Pages",
    "Recado",
    "RecadoAdmin",
    "RecadoConnectionError",
    "RecadoError",
    "RecadoErrorCode",
    "RecadoPlatform",
    "RequestOptions",
    "StreamGap",
    "UnexpectedAnswerError",
    "Upload",
    "WebhookVerificationError",
    "gateway",
    "platform",
    "platform_webhooks",
    "webhooks",
]
