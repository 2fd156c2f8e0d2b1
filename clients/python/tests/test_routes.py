"""Every function asks the route that the description says, with threads and with asyncio."""

import inspect

import anyio
import httpx
import pytest
from support import given_json

import recado

ROUTES = given_json("ROUTES")
ID = "an id/ü"
PATH_OF_ID = "an%20id%2F%C3%BC"
CLASSES = {
    "Gateway": (recado.Recado, recado.AsyncRecado, {"api_key": "ak"}),
    "Admin": (recado.RecadoAdmin, recado.AsyncRecadoAdmin, {"admin_token": "at"}),
    "Platform": (recado.RecadoPlatform, recado.AsyncRecadoPlatform, {"token": "tk"}),
}


def arguments(function, route):
    """An id for each parameter of the path, and something for all that is needed."""
    parameters = inspect.signature(function).parameters.values()
    needed = {one.name: "x" for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty}
    is_upload = any(one.name == "file" and one.kind is not one.KEYWORD_ONLY for one in parameters)
    uploads = [b"a file"] if is_upload else []
    return [ID] * route["inPath"] + uploads, needed


def name_of(route):
    return f"{route['part']} {route['namespace']}.{route['name']}"


def check(route, seen):
    assert [request.method for request in seen] == [route["method"]]
    path = seen[0].url.raw_path.decode().partition("?")[0]
    assert path == "/base" + route["path"].replace("{}", PATH_OF_ID)


@pytest.mark.parametrize("route", ROUTES, ids=name_of)
def test_function(route):
    kind, _, credential = CLASSES[route["part"]]
    seen = []
    http = httpx.Client(transport=httpx.MockTransport(lambda request: seen.append(request) or httpx.Response(200)))
    client = kind(url="http://recado.example/base/", http_client=http, **credential)
    function = getattr(getattr(client, route["namespace"]), route["name"])
    positional, named = arguments(function, route)
    answer = function(*positional, **named)
    assert isinstance(answer, recado.Pages) == route["isList"]
    if isinstance(answer, recado.Pages):
        answer.page()
    check(route, seen)


@pytest.mark.parametrize("route", ROUTES, ids=name_of)
def test_async_function(route):
    _, kind, credential = CLASSES[route["part"]]
    seen = []
    http = httpx.AsyncClient(transport=httpx.MockTransport(lambda request: seen.append(request) or httpx.Response(200)))

    async def ask():
        client = kind(url="http://recado.example/base", http_client=http, **credential)
        function = getattr(getattr(client, route["namespace"]), route["name"])
        positional, named = arguments(function, route)
        answer = function(*positional, **named)
        assert isinstance(answer, recado.AsyncPages) == route["isList"]
        await (answer.page() if route["isList"] else answer)

    anyio.run(ask)
    check(route, seen)


def test_no_function_is_missing_and_none_is_too_many():
    found = set()
    for part, (kind, _, credential) in CLASSES.items():
        client = kind(url="http://recado.example", http_client=httpx.Client(), **credential)
        for namespace, resource in vars(client).items():
            for name, _ in inspect.getmembers(resource, inspect.ismethod):
                if not name.startswith("_") and not namespace.startswith("_"):
                    found.add((part, namespace, name))
    assert found == {(one["part"], one["namespace"], one["name"]) for one in ROUTES} | {("Gateway", "events", "stream")}
