"""Sends requests to one API with one credential: with threads, and with asyncio or trio."""

import time
from typing import Any, AsyncIterator, Dict, Mapping, Optional
from urllib.parse import urljoin

import anyio
import anyio.to_thread
import httpx

from ._errors import connection_error, error_of
from ._requests import Call, can_repeat, content_of, headers_of, is_worth_another_try, wait_after

FAILURES = (httpx.TransportError, httpx.DecodingError, httpx.StreamError)
PART_BYTES = 65_536


def _answer(response: httpx.Response) -> Any:
    """The JSON of an answer that was read; None where it has no body."""
    if not response.is_success:
        raise error_of(response)
    if not response.content:
        return None
    try:
        return response.json()
    except ValueError as cause:
        raise connection_error(cause) from cause


def _target(response: httpx.Response) -> Optional[str]:
    """Where an answer leads to."""
    location = response.headers.get("location") if 300 <= response.status_code < 400 else None
    return urljoin(str(response.url), location) if location else None


async def _parts(file: Any) -> AsyncIterator[bytes]:
    """A file's bytes, read without holding up the loop."""
    while part := await anyio.to_thread.run_sync(file.read, PART_BYTES):
        yield part


class _Common:
    def __init__(self, url: str, credential: Mapping[str, str], timeout: Optional[float], max_retries: int) -> None:
        self._base = url.rstrip("/")
        self._credential = dict(credential)
        self._timeout = timeout
        self._max_retries = max_retries

    def _request(self, call: Call, headers: Mapping[str, str]) -> Dict[str, Any]:
        content = content_of(call)
        kind = content.pop("type", None)
        own = {"content-type": kind, **headers} if kind else dict(headers)
        timeout = call.options.get("timeout", self._timeout)
        return {
            "method": call.method,
            "url": self._base + call.path,
            "params": call.query or None,
            "headers": own,
            "timeout": timeout,
            **content,
        }

    def _tries(self, call: Call) -> int:
        return call.options.get("max_retries", self._max_retries) if can_repeat(call) else 0


class Transport(_Common):
    """For programs with threads."""

    def __init__(self, client: Optional[httpx.Client], **connection: Any) -> None:
        super().__init__(**connection)
        self._client = client or httpx.Client()
        self._is_own = client is None

    def close(self) -> None:
        if self._is_own:
            self._client.close()

    def open(self, call: Call) -> httpx.Response:
        """The answer as soon as its head is there. It is tried once, and must be closed."""
        request = self._client.build_request(**self._request(call, headers_of(call, self._credential)))
        return self._send(request)

    def request(self, call: Call) -> Any:
        """The answer's JSON, None where it has no body, or for a file the answer itself."""
        headers = headers_of(call, self._credential)
        tried = 0
        while True:
            try:
                return self._attempt(call, headers)
            except Exception as error:
                if tried >= self._tries(call) or not is_worth_another_try(error):
                    raise
                time.sleep(wait_after(error, tried))
            tried += 1

    def _attempt(self, call: Call, headers: Mapping[str, str]) -> Any:
        response = self._send(self._client.build_request(**self._request(call, headers)), follows=call.is_file)
        if call.is_file:
            return response
        try:
            response.read()
        except FAILURES as cause:
            raise connection_error(cause) from cause
        finally:
            response.close()
        return _answer(response)

    def _send(self, request: httpx.Request, follows: bool = False) -> httpx.Response:
        try:
            response = self._client.send(request, stream=True, follow_redirects=False)
            target = _target(response) if follows else None
            if target is not None:
                # a link to a file may lead to another host, which must not get the credential
                response.close()
                response = self._client.send(self._client.build_request("GET", target), stream=True)
            if not response.is_success:
                response.read()
                raise error_of(response)
            return response
        except FAILURES as cause:
            raise connection_error(cause) from cause


class AsyncTransport(_Common):
    """For programs with asyncio or trio."""

    def __init__(self, client: Optional[httpx.AsyncClient], **connection: Any) -> None:
        super().__init__(**connection)
        self._client = client or httpx.AsyncClient()
        self._is_own = client is None

    async def aclose(self) -> None:
        if self._is_own:
            await self._client.aclose()

    async def open(self, call: Call) -> httpx.Response:
        """The answer as soon as its head is there. It is tried once, and must be closed."""
        request = self._client.build_request(**self._prepared(call, headers_of(call, self._credential)))
        return await self._send(request)

    async def request(self, call: Call) -> Any:
        """The answer's JSON, None where it has no body, or for a file the answer itself."""
        headers = headers_of(call, self._credential)
        tried = 0
        while True:
            try:
                return await self._attempt(call, headers)
            except Exception as error:
                if tried >= self._tries(call) or not is_worth_another_try(error):
                    raise
                await anyio.sleep(wait_after(error, tried))
            tried += 1

    def _prepared(self, call: Call, headers: Mapping[str, str]) -> Dict[str, Any]:
        request = self._request(call, headers)
        if hasattr(request.get("content"), "read"):
            request["content"] = _parts(request["content"])
        return request

    async def _attempt(self, call: Call, headers: Mapping[str, str]) -> Any:
        response = await self._send(self._client.build_request(**self._prepared(call, headers)), follows=call.is_file)
        if call.is_file:
            return response
        try:
            await response.aread()
        except FAILURES as cause:
            raise connection_error(cause) from cause
        finally:
            await response.aclose()
        return _answer(response)

    async def _send(self, request: httpx.Request, follows: bool = False) -> httpx.Response:
        try:
            response = await self._client.send(request, stream=True, follow_redirects=False)
            target = _target(response) if follows else None
            if target is not None:
                # a link to a file may lead to another host, which must not get the credential
                await response.aclose()
                response = await self._client.send(self._client.build_request("GET", target), stream=True)
            if not response.is_success:
                await response.aread()
                raise error_of(response)
            return response
        except FAILURES as cause:
            raise connection_error(cause) from cause


