"""Refusals, other tries, files: against a server of the test's own, with threads and with asyncio."""

import io

import anyio
import httpx
import pytest
from support import Server

import recado
from recado import NamedFile, RecadoConnectionError, RecadoError

PHONE = {"error": {"code": "RATE_LIMITED", "message": "Not now.", "details": {"a": 1}}}
BUSY = (429, {"retry-after": "0", "x-request-id": "r-1"}, PHONE)
ACCEPTED = (202, {}, {"messageId": "1", "status": "QUEUED"})
KINDS = ["sync", "async"]
MESSAGE = {"phone_id": "1", "to": "2", "type": "text", "content": {"text": "olá"}}


def ask(kind, url, work, **connection):
    """Does the work with a client of either kind; `work` gives what is to be called."""
    if kind == "sync":
        with recado.Recado(url=url, api_key="ak", **connection) as client:
            return work(client)

    async def run():
        async with recado.AsyncRecado(url=url, api_key="ak", **connection) as client:
            return await work(client)

    return anyio.run(run)


def send(client):
    return client.messages.send(**MESSAGE)


@pytest.mark.parametrize("kind", KINDS)
class TestBoth:
    @pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
    def test_another_try_follows(self, kind, status):
        busy = (status, {"retry-after": "0"}, {})
        with Server(busy, busy, ACCEPTED) as server:
            assert ask(kind, server.url, send).message_id == "1"
        assert len(server.seen) == 3

    @pytest.mark.parametrize("status", [400, 401, 404, 409, 500, 501])
    def test_no_other_try_follows(self, kind, status):
        with Server((status, {}, {})) as server, pytest.raises(RecadoError) as caught:
            ask(kind, server.url, send)
        assert (caught.value.status, caught.value.code, len(server.seen)) == (status, "UNKNOWN", 1)

    def test_a_409_that_says_when_is_waited_for(self, kind):
        with Server((409, {"retry-after": "0"}, {}), ACCEPTED) as server:
            ask(kind, server.url, send)
        assert len(server.seen) == 2

    def test_all_tries_have_one_key_and_another_post_has_another(self, kind):
        with Server(BUSY, ACCEPTED, ACCEPTED) as server:
            ask(kind, server.url, send)
            ask(kind, server.url, send)
        first, again, other = (headers["idempotency-key"] for _, _, headers, _ in server.seen)
        assert len(first) == 36 and first == again != other

    def test_the_caller_may_give_the_key_and_headers(self, kind):
        options = {"idempotency_key": "order-1", "headers": {"X-Trace": "t"}}
        with Server(ACCEPTED) as server:
            ask(kind, server.url, lambda client: client.messages.send(**MESSAGE, options=options))
        headers = server.seen[0][2]
        assert (headers["idempotency-key"], headers["x-trace"], headers["x-api-key"]) == ("order-1", "t", "ak")

    def test_a_lost_connection_is_tried_again(self, kind):
        with Server("refused", ACCEPTED) as server:
            ask(kind, server.url, send)
        assert len(server.seen) == 2

    def test_a_patch_is_never_tried_again(self, kind):
        with Server(BUSY) as server, pytest.raises(RecadoError):
            ask(kind, server.url, lambda client: client.phones.update("1", label="a"))
        assert len(server.seen) == 1

    def test_tries_come_as_often_as_is_said(self, kind):
        with Server(*[BUSY] * 9) as server:
            with pytest.raises(RecadoError):
                ask(kind, server.url, send, max_retries=0)
            assert len(server.seen) == 1
            with pytest.raises(RecadoError):
                ask(kind, server.url, lambda client: client.messages.send(**MESSAGE, options={"max_retries": 4}))
            assert len(server.seen) == 6

    def test_more_than_a_minute_is_not_waited_for(self, kind):
        with Server((429, {"retry-after": "61"}, {})) as server, pytest.raises(RecadoError) as caught:
            ask(kind, server.url, send)
        assert (caught.value.retry_after, len(server.seen)) == (61.0, 1)

    def test_a_refusal_says_what_the_server_says(self, kind):
        with Server(BUSY) as server, pytest.raises(RecadoError) as caught:
            ask(kind, server.url, send, max_retries=0)
        error = caught.value
        assert (error.status, error.code, error.message) == (429, "RATE_LIMITED", "Not now.")
        assert (error.details, error.request_id, error.retry_after) == ({"a": 1}, "r-1", 0.0)

    def test_no_server_is_a_connection_error(self, kind):
        with pytest.raises(RecadoConnectionError) as caught:
            ask(kind, "http://127.0.0.1:1", send, max_retries=0)
        assert not caught.value.is_timeout

    def test_silence_is_a_timeout(self, kind):
        # a body that is shorter than it says: the rest never comes
        silent = (200, {"content-length": "100"}, {})
        with Server(silent) as server, pytest.raises(RecadoConnectionError) as caught:
            ask(kind, server.url, send, max_retries=0, timeout=0.05)
        assert caught.value.is_timeout

    def test_an_answer_that_is_not_as_described_is_not_lost(self, kind):
        with Server((202, {}, {"id": 1})) as server, pytest.raises(recado.UnexpectedAnswerError) as caught:
            ask(kind, server.url, send)
        assert caught.value.answer == {"id": 1}

    def test_bytes_are_uploaded_and_tried_again(self, kind):
        with Server(BUSY, (201, {}, {"mediaHandle": "h"})) as server, pytest.raises(recado.UnexpectedAnswerError):
            ask(kind, server.url, lambda client: client.media.keep_file(NamedFile(b"png", content_type="image/png")))
        assert [(headers["content-type"], body) for _, _, headers, body in server.seen] == [("image/png", b"png")] * 2

    def test_an_open_file_is_uploaded_once(self, kind):
        with Server(BUSY) as server, pytest.raises(RecadoError):
            ask(kind, server.url, lambda client: client.media.keep_file(io.BytesIO(b"png")))
        assert len(server.seen) == 1

    def test_a_named_file_is_uploaded_in_a_form(self, kind):
        with Server((400, {}, {})) as server, pytest.raises(RecadoError):
            ask(kind, server.url, lambda client: client.media.keep_file(NamedFile(b"png", "foto.png", "image/png")))
        _, _, headers, body = server.seen[0]
        assert headers["content-type"].startswith("multipart/form-data")
        assert b'name="file"; filename="foto.png"' in body and b"image/png" in body

    def test_the_link_of_a_file_is_followed_without_the_credential(self, kind):
        with Server((200, {"content-type": "application/pdf"}, b"%PDF")) as other:
            with Server((302, {"location": f"{other.url}/file?sig=1"}, b"")) as server:
                if kind == "sync":
                    content = ask(kind, server.url, lambda client: client.media.get("1").read())
                else:

                    async def read(client):
                        return await (await client.media.get("1")).aread()

                    content = ask(kind, server.url, read)
        assert content == b"%PDF"
        assert "x-api-key" in server.seen[0][2] and "x-api-key" not in other.seen[0][2]

    def test_a_list_whose_cursor_does_not_move_ends(self, kind):
        page = (200, {}, {"items": [], "nextCursor": "same"})
        with Server(page, page, page) as server:
            ask(kind, server.url, lambda client: client.flows.list(limit=1).to_list())
        assert [path for _, path, _, _ in server.seen] == ["/v1/flows?limit=1", "/v1/flows?limit=1&cursor=same"]

    def test_a_list_asks_for_nothing_before_it_is_read(self, kind):
        with Server() as server:

            async def nothing(client):
                client.flows.list()

            ask(kind, server.url, (lambda client: client.flows.list() and None) if kind == "sync" else nothing)
        assert server.seen == []


def test_trio_or_asyncio_the_client_of_the_caller_stays_open():
    http = httpx.Client()
    recado.Recado(url="http://a", api_key="b", http_client=http).close()
    assert not http.is_closed


@pytest.mark.parametrize("wrong", ["", ".", "..", None])
def test_an_id_that_leads_elsewhere_is_refused(wrong):
    with pytest.raises(TypeError):
        recado.Recado(url="http://a", api_key="b").phones.get(wrong)


def test_an_argument_that_a_route_does_not_take_is_refused():
    with pytest.raises(TypeError):
        recado.Recado(url="http://a", api_key="b").phones.get("1", colour="red")
