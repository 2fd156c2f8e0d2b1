"""The models take what the description shows, what a newer server may add, and what it may leave out."""

from datetime import datetime, timezone

import pytest
from support import given_json
from typing_extensions import is_typeddict

import recado
from recado import gateway, platform
from recado._gateway import SHAPES as GATEWAY_SHAPES
from recado._models import parse, parse_event
from recado._routes import NOT_GIVEN, wire

MODULES = {"gateway": gateway, "platform": platform}


def is_answered(one):
    """What is sent is a dictionary, and has no model."""
    return not is_typeddict(getattr(MODULES[one["api"]], one["name"])) and one["value"] != {}


EXAMPLES = [one for one in given_json("EXAMPLES") if is_answered(one)]
EVENTS = given_json("EVENTS")


def names_in(value):
    """Every name in a value, with those around it."""
    if isinstance(value, dict):
        return {path for name, one in value.items() for path in {(name,)} | {(name, *rest) for rest in names_in(one)}}
    if isinstance(value, list):
        return {path for one in value for path in names_in(one)}
    return set()


def test_there_are_examples():
    assert len(EXAMPLES) > 100


@pytest.mark.parametrize("one", EXAMPLES, ids=lambda one: f"{one['api']} {one['name']}")
def test_example(one):
    kind = getattr(MODULES[one["api"]], one["name"])
    made = parse(kind, one["value"])
    # what is known of it is the same on its way back
    if isinstance(made, recado.Model):
        assert set(made.to_json_dict()) <= set(one["value"])


@pytest.mark.parametrize("one", EVENTS, ids=lambda one: f"{one['api']} {one['value'].get('type')}")
def test_event(one):
    made = parse_event(MODULES[one["api"]].WebhookEvent, one["value"])
    assert not isinstance(made, recado.OtherEvent)
    assert names_in(made.to_json_dict()) == names_in(one["value"])


PHONE_EVENT = {"id": "1", "type": "channel:connected", "timestamp": "2026-01-01T00:00:00.000Z"}


def test_unknown_event_is_kept():
    event = parse_event(gateway.WebhookEvent, {**PHONE_EVENT, "type": "moon:risen", "data": {"phase": "full"}})
    assert isinstance(event, recado.OtherEvent)
    assert (event.type, event.data) == ("moon:risen", {"phase": "full"})


def test_unknown_fields_are_ignored_and_unknown_values_of_an_enumeration_are_taken():
    made = parse(gateway.AcceptedMessage, {"messageId": "1", "status": "DREAMT", "colour": "red"})
    assert (made.message_id, made.status, hasattr(made, "colour")) == ("1", "DREAMT", False)


def test_a_member_of_a_union_is_the_one_that_knows_the_most():
    kind = platform.MessageReceivedEventContent
    assert isinstance(parse(kind, {"text": "a"}), platform.ReceivedText)
    assert isinstance(parse(kind, {"text": "a", "selectedId": "1"}), platform.ReceivedReply)


def test_names_in_a_body_are_written_as_on_the_wire():
    body = {"type": "image", "content": {"media_url": "https://a", "caption": "b"}, "phone_id": "1"}
    same = {"type": "image", "content": {"mediaUrl": "https://a", "caption": "b"}, "phoneId": "1"}
    assert wire(body, "SendMessage", GATEWAY_SHAPES) == same
    assert wire(same, "SendMessage", GATEWAY_SHAPES) == same


def test_names_that_are_your_own_stay_as_they_are():
    flow = {"phone_id": "1", "json": {"my_screen": {"media_url": 1}}}
    assert wire(flow, "CreateFlowRequest", GATEWAY_SHAPES) == {"phoneId": "1", "json": {"my_screen": {"media_url": 1}}}


def test_what_is_not_given_is_not_sent_and_none_is_null():
    assert wire({"a": NOT_GIVEN, "b": None}, None, {}) == {"b": None}


def test_a_time_needs_its_zone():
    assert wire(datetime(2026, 1, 1, tzinfo=timezone.utc), None, {}) == "2026-01-01T00:00:00+00:00"
    with pytest.raises(ValueError, match="time zone"):
        wire(datetime(2026, 1, 1), None, {})
