"""The clients."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Iterator, Mapping, Optional, Sequence

import httpx
from typing_extensions import Self

from ._gateway import (
    ADMIN_ROUTES,
    GATEWAY_ROUTES,
    AdminResources,
    AsyncAdminResources,
    AsyncEventsResource,
    AsyncGatewayResources,
    EventsResource,
    GatewayResources,
)
from ._gateway import SHAPES as GATEWAY_SHAPES
from ._platform import PLATFORM_ROUTES, AsyncPlatformResources, PlatformResources
from ._platform import SHAPES as PLATFORM_SHAPES
from ._routes import AsyncRun, Run
from ._stream import OnReconnect, StreamItem, stream_events, stream_events_async
from ._transport import AsyncTransport, Transport

__all__ = [
    "AsyncRecado",
    "AsyncRecadoAdmin",
    "AsyncRecadoPlatform",
    "Recado",
    "RecadoAdmin",
    "RecadoPlatform",
]


class _Client:
    _transport: Transport

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class _AsyncClient:
    _transport: AsyncTransport

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.aclose()


class _Events(EventsResource):
    def __init__(self, run: Run, transport: Transport) -> None:
        super().__init__(run)
        self._transport = transport

    def stream(
        self,
        *,
        phone_id: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        last_event_id: Optional[str] = None,
        on_reconnect: OnReconnect = None,
        silence: float = 45.0,
        max_wait: float = 30.0,
    ) -> Iterator[StreamItem]:
        """
        The events of the account as they happen, and a `StreamGap` where some are missing. A lost connection is opened
        again, and the stream goes on after the last event that it gave. Raises RecadoError when the server refuses it,
        and RecadoConnectionError when it cannot be opened the first time.

        `last_event_id`: goes on after this event; by default the stream begins now. `on_reconnect` is called with what
        ended a connection. `silence`: for how many seconds nothing may arrive; a ping comes every 15 s. `max_wait`: how
        many seconds to wait at most before the stream is opened again.
        """
        return stream_events(
            self._transport,
            phone_id=phone_id,
            types=types,
            last_event_id=last_event_id,
            on_reconnect=on_reconnect,
            silence=silence,
            max_wait=max_wait,
        )


class _AsyncEvents(AsyncEventsResource):
    def __init__(self, run: AsyncRun, transport: AsyncTransport) -> None:
        super().__init__(run)
        self._transport = transport

    def stream(
        self,
        *,
        phone_id: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        last_event_id: Optional[str] = None,
        on_reconnect: OnReconnect = None,
        silence: float = 45.0,
        max_wait: float = 30.0,
    ) -> AsyncIterator[StreamItem]:
        """As `Recado.events.stream`. `contextlib.aclosing` closes the connection when you leave the loop."""
        return stream_events_async(
            self._transport,
            phone_id=phone_id,
            types=types,
            last_event_id=last_event_id,
            on_reconnect=on_reconnect,
            silence=silence,
            max_wait=max_wait,
        )


def _bearer(token: Optional[str]) -> Mapping[str, str]:
    return {} if token is None else {"authorization": f"Bearer {token}"}


def _connection(url: str, credential: Mapping[str, str], timeout: Optional[float], retries: int) -> Dict[str, Any]:
    return {"url": url, "credential": credential, "timeout": timeout, "max_retries": retries}


class Recado(GatewayResources, _Client):
    """
    The gateway API, with the key of an account: phones, messages, webhooks, events.

    `url` is the address of the API, such as `https://recado.example.com/gateway`. `timeout`: for how many seconds
    nothing may arrive. `max_retries`: how often a request that can be repeated is tried again. `http_client`: in place
    of one of its own, which `close()` closes.
    """

    events: _Events

    def __init__(
        self,
        *,
        url: str,
        api_key: str,
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._transport = Transport(http_client, **_connection(url, {"x-api-key": api_key}, timeout, max_retries))
        run = Run(GATEWAY_ROUTES, GATEWAY_SHAPES, self._transport.request)
        self._attach(run)
        self.events = _Events(run, self._transport)


class AsyncRecado(AsyncGatewayResources, _AsyncClient):
    """As `Recado`, for asyncio and trio."""

    events: _AsyncEvents

    def __init__(
        self,
        *,
        url: str,
        api_key: str,
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        connection = _connection(url, {"x-api-key": api_key}, timeout, max_retries)
        self._transport = AsyncTransport(http_client, **connection)
        run = AsyncRun(GATEWAY_ROUTES, GATEWAY_SHAPES, self._transport.request)
        self._attach(run)
        self.events = _AsyncEvents(run, self._transport)


class RecadoAdmin(AdminResources, _Client):
    """The operator's part of the gateway API, with the admin token: accounts, plans, keys, jobs."""

    def __init__(
        self,
        *,
        url: str,
        admin_token: str,
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        connection = _connection(url, {"x-admin-token": admin_token}, timeout, max_retries)
        self._transport = Transport(http_client, **connection)
        self._attach(Run(ADMIN_ROUTES, GATEWAY_SHAPES, self._transport.request))


class AsyncRecadoAdmin(AsyncAdminResources, _AsyncClient):
    """As `RecadoAdmin`, for asyncio and trio."""

    def __init__(
        self,
        *,
        url: str,
        admin_token: str,
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        connection = _connection(url, {"x-admin-token": admin_token}, timeout, max_retries)
        self._transport = AsyncTransport(http_client, **connection)
        self._attach(AsyncRun(ADMIN_ROUTES, GATEWAY_SHAPES, self._transport.request))


class RecadoPlatform(PlatformResources, _Client):
    """The platform API, with an API key or the token of a user: channels, conversations, contacts, batches."""

    def __init__(
        self,
        *,
        url: str,
        token: Optional[str] = None,
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._transport = Transport(http_client, **_connection(url, _bearer(token), timeout, max_retries))
        self._attach(Run(PLATFORM_ROUTES, PLATFORM_SHAPES, self._transport.request))


class AsyncRecadoPlatform(AsyncPlatformResources, _AsyncClient):
    """As `RecadoPlatform`, for asyncio and trio."""

    def __init__(
        self,
        *,
        url: str,
        token: Optional[str] = None,
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._transport = AsyncTransport(http_client, **_connection(url, _bearer(token), timeout, max_retries))
        self._attach(AsyncRun(PLATFORM_ROUTES, PLATFORM_SHAPES, self._transport.request))
