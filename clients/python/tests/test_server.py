"""Against a real server: sends, lists, files, refusals, the stream; with threads and with asyncio."""

from contextlib import aclosing

import anyio
import pytest
from support import given

import recado
from recado import gateway

UNKNOWN = "01a1f8d3-ea00-4000-8000-000000000000"
PHONE = given("PHONE")
TEXT = {"phone_id": PHONE, "to": given("TO"), "type": "text", "content": {"text": "olá"}}


@pytest.fixture
def client():
    with recado.Recado(url=given("GATEWAY_URL"), api_key=given("API_KEY")) as made:
        yield made


def in_async(work):
    async def run():
        async with recado.AsyncRecado(url=given("GATEWAY_URL"), api_key=given("API_KEY")) as client:
            await work(client)

    anyio.run(run)


def test_a_message_is_sent(client):
    sent = client.messages.send(**TEXT)
    assert (sent.status, type(sent)) == ("QUEUED", gateway.AcceptedMessage)
    shown = client.messages.get(sent.message_id)
    assert shown.message_id == sent.message_id


def test_a_message_is_only_tried(client):
    tried = client.messages.send(**TEXT, dry_run=True)
    assert isinstance(tried, gateway.DryRunMessage) and tried.dry_run is True


def test_the_same_key_gives_the_same_answer(client):
    first, again = (client.messages.send(**TEXT, options={"idempotency_key": "order-4711"}) for _ in range(2))
    assert first.message_id == again.message_id


def test_lists(client):
    assert [phone.id for phone in client.phones.list()] == [PHONE]
    made = {client.flows.create(phone_id=PHONE, name=f"Flow {n}", categories=["SURVEY"]).id for n in range(5)}
    listed = client.flows.list(phone_id=PHONE, limit=2)
    assert {flow.id for flow in listed} >= made
    assert len(list(listed.pages())) >= 3
    assert len(listed.to_list(limit=3)) == 3 and listed.to_list(limit=0) == []
    for one in made:
        assert client.flows.delete(one) is None


def test_refusals(client):
    with pytest.raises(recado.RecadoError) as caught:
        client.phones.get(UNKNOWN)
    assert (caught.value.status, caught.value.code) == (404, "PHONE_NOT_FOUND")
    assert caught.value.request_id
    with pytest.raises(recado.RecadoError) as caught:
        client.messages.send(**{**TEXT, "content": {}})
    assert (caught.value.status, caught.value.code) == (400, "VALIDATION_ERROR")
    assert "text" in str(caught.value.details)


def test_files(client):
    png = bytes.fromhex(given("PNG"))
    kept = client.media.keep_file(recado.NamedFile(png, "foto.png", "image/png"))
    assert kept.media_handle
    assert client.media.keep_file(recado.NamedFile(png, content_type="image/png")).media_handle
    response = client.media.get(given("MEDIA"))
    assert response.read().startswith(b"%PDF")
    with pytest.raises(recado.RecadoError) as caught:
        client.media.get(UNKNOWN)
    assert caught.value.code == "MEDIA_NOT_FOUND"


def test_answers_are_models_that_fit(client):
    """Each of these raises when an answer is not what its model says."""
    client.account.get()
    client.phones.get(PHONE)
    client.phones.get_quota(PHONE)
    client.chats.list().to_list(limit=5)
    client.contacts.list().to_list(limit=5)
    client.messages.list().to_list(limit=5)
    client.templates.list(phone_id=PHONE).to_list()
    client.webhooks.list().to_list()
    client.billing.get_current()
    client.billing.get_ledger()
    client.billing.get_usage()
    client.system.health()
    client.system.version()
    for event in client.events.list().to_list(limit=5):
        assert client.events.get(event.id).id == event.id


def test_operator():
    with recado.RecadoAdmin(url=given("GATEWAY_URL"), admin_token=given("ADMIN_TOKEN")) as admin:
        account = admin.accounts.create(name="Loja")
        issued = admin.accounts.issue_api_key(account.id, name="site")
        assert account.id in [one.id for one in admin.accounts.list()]
        assert admin.stats.get() and admin.plans.list().to_list() is not None
    with recado.Recado(url=given("GATEWAY_URL"), api_key=issued.key) as client:
        assert client.phones.list().to_list() == []


def test_platform():
    with recado.RecadoPlatform(url=given("PLATFORM_URL"), token=given("PLATFORM_KEY")) as platform:
        for digit in range(5):
            platform.contacts.create(name=f"Ana {digit}", phone_number=f"551199999000{digit}")
        assert [len(page.data) for page in platform.contacts.list(limit=2).pages()] == [2, 2, 1]
        assert {one.name for one in platform.contacts.list(limit=2)} == {f"Ana {digit}" for digit in range(5)}
        assert platform.channels.list().to_list() is not None
        assert platform.institutions.get_account().id
    with recado.RecadoPlatform(url=given("PLATFORM_URL"), token="pk_live_wrong") as platform:
        with pytest.raises(recado.RecadoError) as caught:
            platform.channels.list().page()
        assert caught.value.status == 401 and caught.value.code != "UNKNOWN"


def test_async_functions():
    async def work(client):
        sent = await client.messages.send(**TEXT)
        assert (await client.messages.get(sent.message_id)).message_id == sent.message_id
        assert [phone.id async for phone in client.phones.list()] == [PHONE]
        assert len(await client.events.list().to_list(limit=2)) <= 2
        with pytest.raises(recado.RecadoError) as caught:
            await client.phones.get(UNKNOWN)
        assert caught.value.code == "PHONE_NOT_FOUND"
        file = await client.media.get(given("MEDIA"))
        assert (await file.aread()).startswith(b"%PDF")

    in_async(work)


def test_the_stream_goes_on_after_an_event(client):
    sent = client.messages.send(**TEXT)
    stream = client.events.stream(last_event_id="nothing", types=["message:status"])
    event = next(one for one in stream if one.type == "message:status" and one.data.message_id == sent.message_id)
    stream.close()
    assert isinstance(event, gateway.MessageStatusEvent)


def test_the_async_stream():
    async def work(client):
        sent = await client.messages.send(**TEXT)
        async with aclosing(client.events.stream(last_event_id="nothing", phone_id=PHONE)) as stream:
            async for event in stream:
                if event.type == "message:status" and event.data.message_id == sent.message_id:
                    return

    in_async(work)


def test_a_stream_that_is_refused_ends_with_the_refusal(client):
    with pytest.raises(recado.RecadoError) as caught:
        next(client.events.stream(types=["nothing"]))
    assert caught.value.code == "VALIDATION_ERROR"
    with recado.Recado(url=given("GATEWAY_URL"), api_key="ak_live_wrong") as wrong:
        with pytest.raises(recado.RecadoError) as caught:
            next(wrong.events.stream())
    assert caught.value.status == 401
    with recado.Recado(url="http://127.0.0.1:1", api_key="a") as nobody:
        with pytest.raises(recado.RecadoConnectionError):
            next(nobody.events.stream())
