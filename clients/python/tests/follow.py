"""Prints the texts that come over the stream, as they come, and what ended a connection. Ends after COUNT texts."""

import sys

import anyio
from support import given

import recado

connection = {"url": given("GATEWAY_URL"), "api_key": given("API_KEY")}
count = int(given("COUNT"))
options = {"max_wait": 0.05, "on_reconnect": lambda cause: print("lost", type(cause).__name__, flush=True)}


def show(event):
    print("event", event.data.content.text, flush=True)


def follow():
    with recado.Recado(**connection) as client:
        for number, event in enumerate(client.events.stream(**options), 1):
            show(event)
            if number == count:
                break


async def follow_async():
    async with recado.AsyncRecado(**connection) as client:
        number = 0
        async for event in client.events.stream(**options):
            show(event)
            number += 1
            if number == count:
                break


if sys.argv[1] == "async":
    anyio.run(follow_async)
else:
    follow()
