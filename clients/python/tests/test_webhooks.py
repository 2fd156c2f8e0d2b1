"""Deliveries as the server signs them, and what is refused. The vectors come from the server's own code."""

import pytest
from support import given_json

from recado import OtherEvent, WebhookVerificationError, gateway, platform_webhooks, webhooks

V = given_json("VECTORS")
BODY, NOW, SECRET, FORMER = V["body"], V["now"], V["secret"], V["former"]
BOTH = {"gateway": webhooks, "platform": platform_webhooks}


def verify(raw=BODY, headers=V["gateway"], secret=SECRET, **more):
    return webhooks.verify(raw, headers, secret, **{"now": NOW, **more})


def refused(reason, **given):
    with pytest.raises(WebhookVerificationError, match=reason):
        verify(**given)


def without_standard(headers):
    return {name: value for name, value in headers.items() if not name.lower().startswith("webhook-")}


def test_a_real_delivery_gives_its_event():
    delivery = V["delivery"]
    event = webhooks.verify(delivery["raw"], delivery["headers"], SECRET, now=delivery["now"])
    assert isinstance(event, gateway.MessageStatusEvent)
    assert event.type == "message:status"
    assert event.data.status == "sent"


@pytest.mark.parametrize("api", ["gateway", "platform"])
def test_both_apis(api):
    assert BOTH[api].verify(BODY, V[api], SECRET, now=NOW).id == "1"


@pytest.mark.parametrize("raw", [BODY, BODY.encode(), bytearray(BODY.encode())], ids=["text", "bytes", "bytearray"])
def test_the_body_as(raw):
    assert verify(raw=raw).id == "1"


@pytest.mark.parametrize(
    "headers",
    [
        {name.upper(): value for name, value in V["gateway"].items()},
        list(V["gateway"].items()),
        [(name.encode(), value.encode()) for name, value in V["gateway"].items()],
        {name: [value] for name, value in V["gateway"].items()},
    ],
    ids=["upper case", "pairs", "pairs of ASGI", "lists"],
)
def test_the_headers_as(headers):
    assert verify(headers=headers).id == "1"


def test_a_secret_that_was_changed():
    assert verify(headers=V["rotated"], secret=FORMER).id == "1"
    assert verify(headers=V["signed_by_former"], secret=[SECRET, FORMER]).id == "1"
    refused("No signature", headers=V["signed_by_former"])


def test_a_secret_of_the_form_whsec():
    assert verify(headers=V["whsec"]["headers"], secret=V["whsec"]["secret"]).id == "1"


@pytest.mark.parametrize("seconds", [299, -299])
def test_a_delivery_in_time(seconds):
    assert verify(now=NOW + seconds).id == "1"


@pytest.mark.parametrize("seconds", [301, -301])
def test_a_delivery_out_of_time(seconds):
    refused("301 s away", now=NOW + seconds)
    assert verify(now=NOW + seconds, tolerance=None).id == "1"


@pytest.mark.parametrize(
    "changed",
    [
        {"raw": BODY.replace("Olá", "Ola")},
        {"raw": BODY + " "},
        {"headers": {**V["gateway"], "webhook-id": "2"}},
        {"headers": {**V["gateway"], "webhook-timestamp": str(NOW + 1)}},
        {"headers": {**V["gateway"], "webhook-signature": "v1,"}},
        {"headers": {**V["gateway"], "webhook-signature": "v1,é"}},
        {"headers": {**V["gateway"], "webhook-signature": V["gateway"]["webhook-signature"].replace("v1", "v2")}},
        {"secret": FORMER},
    ],
)
def test_what_was_changed_is_refused(changed):
    refused("No signature", **changed)


def test_what_lacks_something_is_refused():
    refused("missing", headers={})
    refused("missing", headers=without_standard(V["gateway"]))
    refused("No signature", headers={}, tolerance=None)
    refused("no time", headers={**V["gateway"], "webhook-timestamp": "NaN"})
    refused("not JSON", raw="ok", headers=V["not_json"])


@pytest.mark.parametrize("api", ["gateway", "platform"])
def test_the_other_signatures_alone(api):
    assert verify(headers=without_standard(V[api]), tolerance=None).id == "1"
    refused("No signature", raw=BODY + " ", headers=without_standard(V[api]), tolerance=None)


@pytest.mark.parametrize("secret", ["", [], [SECRET, ""]])
def test_a_secret_is_needed(secret):
    with pytest.raises(TypeError):
        verify(secret=secret)


@pytest.mark.parametrize("api", ["gateway", "platform"])
def test_an_event_that_is_too_large_is_known(api):
    cut = V["cut"][api]
    event = BOTH[api].verify(cut["raw"], cut["headers"], SECRET, now=NOW)
    assert BOTH[api].is_cut(event)
    assert not BOTH[api].is_cut(OtherEvent(id="1"))
