"""From the arguments of a function to a request, and from its answer to a model."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Tuple, Union
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from ._errors import UnexpectedAnswerError
from ._models import Model, parse
from ._pages import AsyncPages, Pages
from ._requests import Call, RequestOptions

NOT_GIVEN: Any = object()
"""The value of an argument that was left out. None is sent as null."""


@dataclass(frozen=True)
class Tagged:
    """A shape that a field of the value names."""

    by: str
    of: Dict[str, str]


Shape = Union[Dict[str, Tuple[str, Optional[str]]], Tagged]
"""Of each name in a body: the name on the wire, and the shape of what is inside."""


@dataclass(frozen=True)
class Route:
    """
    A row of the table. `query` and `headers`: the arguments that go there, and their names on the wire.

    `body`: "json", "optional" for JSON that may be left out, or "file".
    """

    method: str
    path: str
    query: Dict[str, str] = field(default_factory=dict)
    headers: Dict[str, str] = field(default_factory=dict)
    body: Optional[str] = None
    shape: Optional[str] = None
    answer: Any = None
    item: Any = None
    cursor: str = "cursor"
    is_file: bool = False


def wire(value: Any, shape: Optional[str], shapes: Mapping[str, Shape]) -> Any:
    """A value of a body as JSON has it. Names that the shape does not know are sent as they are."""
    if isinstance(value, Model):
        return value.to_json_dict()
    if isinstance(value, BaseModel):
        raise TypeError(f"{type(value).__name__} is not a model of this client")
    if isinstance(value, datetime):
        return _time(value)
    if isinstance(value, Mapping):
        return _wire_fields(value, shape, shapes)
    if isinstance(value, (list, tuple)):
        return [wire(one, shape, shapes) for one in value]
    return value


def _time(value: datetime) -> str:
    """A time as ISO 8601. Raises ValueError for one without a time zone, which could mean any of 24."""
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone: use datetime.now(timezone.utc)")
    return value.isoformat()


def _wire_fields(value: Mapping[str, Any], shape: Optional[str], shapes: Mapping[str, Shape]) -> Dict[str, Any]:
    own = shapes.get(shape) if shape else None
    if isinstance(own, Tagged):
        return _wire_fields(value, own.of.get(str(value.get(own.by))), shapes)
    names = own or {}
    by_wire = {name: inner for name, inner in names.values()}
    fields = {}
    for name, one in value.items():
        target, inner = names.get(name, (name, by_wire.get(name)))
        if one is not NOT_GIVEN:
            fields[target] = wire(one, inner, shapes)
    return fields


def query_text(value: Any) -> str:
    """A value of a query. A list is its items with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _time(value)
    if isinstance(value, (list, tuple)):
        return ",".join(query_text(one) for one in value)
    return str(value)


def _segment(route: Route, value: Any) -> str:
    """An id in a path. An empty one, or a dot, would lead to another route."""
    text = str(value) if isinstance(value, (str, int)) else ""
    if text in ("", ".", ".."):
        raise TypeError(f"{route.path}: an id is missing")
    return quote(text, safe="")


def call_of(route: Route, given: Mapping[str, Any], shapes: Mapping[str, Shape]) -> Call:
    """The request of a route with the arguments of its function."""
    rest = {name: value for name, value in given.items() if name != "self" and value is not NOT_GIVEN}
    options: RequestOptions = rest.pop("options", None) or RequestOptions()
    path = route.path
    for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
        path = path.replace(f"{{{name}}}", _segment(route, rest.pop(name, "")))
    query = {own: rest.pop(name) for name, own in route.query.items() if name in rest}
    headers = {own.lower(): str(rest.pop(name)) for name, own in route.headers.items() if name in rest}
    if route.body == "file":
        body = rest.pop("file")
    else:
        body = wire(rest, route.shape, shapes) if rest or route.body == "json" else None
    if body is not None and route.body is None:
        raise TypeError(f"{route.path} takes no argument {', '.join(rest)}")
    texts = {name: query_text(value) for name, value in query.items() if value is not None}
    is_raw = route.body == "file"
    return Call(route.method, path, texts, headers, body, is_raw, route.is_file, options)


def answer_of(route: Route, value: Any) -> Any:
    """The model of an answer. Raises UnexpectedAnswerError for one that is not what the description says."""
    if route.is_file or value is None or route.answer is None:
        return value
    try:
        return parse(route.answer, value)
    except ValidationError as cause:
        raise UnexpectedAnswerError(f"{route.method} {route.path}: {cause}", value) from cause


@dataclass(frozen=True)
class Run:
    """How the functions of a client reach its server."""

    routes: Mapping[str, Route]
    shapes: Mapping[str, Shape]
    request: Callable[[Call], Any]


@dataclass(frozen=True)
class AsyncRun:
    """As `Run`, for asyncio and trio."""

    routes: Mapping[str, Route]
    shapes: Mapping[str, Shape]
    request: Callable[[Call], Awaitable[Any]]


class Resource:
    """The functions of one namespace."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def _call(self, name: str, given: Mapping[str, Any]) -> Any:
        route = self._run.routes[name]
        return answer_of(route, self._run.request(call_of(route, given, self._run.shapes)))

    def _pages(self, name: str, given: Mapping[str, Any]) -> Pages[Any]:
        route = self._run.routes[name]
        call = call_of(route, given, self._run.shapes)

        def ask(query: Dict[str, str]) -> Tuple[Any, Any]:
            raw = self._run.request(Call(call.method, call.path, query, call.headers, options=call.options))
            return raw, answer_of(route, raw)

        return Pages(ask, call.query, route.cursor)


class AsyncResource:
    """The functions of one namespace, for asyncio and trio."""

    def __init__(self, run: AsyncRun) -> None:
        self._run = run

    async def _call(self, name: str, given: Mapping[str, Any]) -> Any:
        route = self._run.routes[name]
        return answer_of(route, await self._run.request(call_of(route, given, self._run.shapes)))

    def _pages(self, name: str, given: Mapping[str, Any]) -> AsyncPages[Any]:
        route = self._run.routes[name]
        call = call_of(route, given, self._run.shapes)

        async def ask(query: Dict[str, str]) -> Tuple[Any, Any]:
            raw = await self._run.request(Call(call.method, call.path, query, call.headers, options=call.options))
            return raw, answer_of(route, raw)

        return AsyncPages(ask, call.query, route.cursor)
