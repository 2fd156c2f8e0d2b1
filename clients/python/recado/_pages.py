"""Lists, which are asked for page by page while they are read."""

from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generic, Iterator, List, Optional, Tuple, TypeVar

Item = TypeVar("Item")
Query = Dict[str, str]
Page = Tuple[Any, Any]
"""A page as it came, and as its model."""


def _items(page: Any) -> List[Any]:
    """The items of a page: the page itself, or the list in it."""
    if isinstance(page, list):
        return page
    return next((value for value in vars(page).values() if isinstance(value, list)), [])


class _Paging:
    def __init__(self, query: Query, cursor: str) -> None:
        self._query = query
        self._cursor = cursor

    def _after(self, page: Any, query: Query) -> Optional[Query]:
        """The query of the page after this one; None at the end."""
        if not isinstance(page, dict):
            return None
        cursor = page.get("nextCursor")
        # a cursor that does not move would be asked for again and again
        if cursor and cursor != query.get(self._cursor):
            return {**query, self._cursor: cursor}
        if (page.get("meta") or {}).get("hasMore"):
            return {**query, "page": str(int(query.get("page", "1")) + 1)}
        return None


class Pages(_Paging, Generic[Item]):
    """`for item in pages` gives every item of every page."""

    def __init__(self, ask: Callable[[Query], Page], query: Query, cursor: str = "cursor") -> None:
        super().__init__(query, cursor)
        self._ask = ask

    def page(self) -> Any:
        """The first page, as the server answers it."""
        return self._ask(self._query)[1]

    def pages(self) -> Iterator[Any]:
        """Page after page, as the server answers them."""
        query: Optional[Query] = self._query
        while query is not None:
            raw, page = self._ask(query)
            yield page
            query = self._after(raw, query)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from _items(page)

    def to_list(self, limit: Optional[int] = None) -> List[Item]:
        """The first items of the list; all of them where no limit is given."""
        items: List[Item] = []
        if limit is not None and limit <= 0:
            return items
        for item in self:
            items.append(item)
            if limit is not None and len(items) >= limit:
                break
        return items


class AsyncPages(_Paging, Generic[Item]):
    """`async for item in pages` gives every item of every page."""

    def __init__(self, ask: Callable[[Query], Awaitable[Page]], query: Query, cursor: str = "cursor") -> None:
        super().__init__(query, cursor)
        self._ask = ask

    async def page(self) -> Any:
        """The first page, as the server answers it."""
        return (await self._ask(self._query))[1]

    async def pages(self) -> AsyncIterator[Any]:
        """Page after page, as the server answers them."""
        query: Optional[Query] = self._query
        while query is not None:
            raw, page = await self._ask(query)
            yield page
            query = self._after(raw, query)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in _items(page):
                yield item

    async def to_list(self, limit: Optional[int] = None) -> List[Item]:
        """The first items of the list; all of them where no limit is given."""
        items: List[Item] = []
        if limit is not None and limit <= 0:
            return items
        async for item in self:
            items.append(item)
            if limit is not None and len(items) >= limit:
                break
        return items
