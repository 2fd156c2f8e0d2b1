"""Sends one message, through whatever loses its answer, and prints its id."""

import sys

import anyio
from support import given

import recado

connection = {"url": given("GATEWAY_URL"), "api_key": given("API_KEY")}
message = {"phone_id": given("PHONE"), "to": given("TO"), "type": "text", "content": {"text": "once"}}


async def send_async():
    async with recado.AsyncRecado(**connection) as client:
        return await client.messages.send(**message)


if sys.argv[1] == "async":
    sent = anyio.run(send_async)
else:
    with recado.Recado(**connection) as client:
        sent = client.messages.send(**message)
print(sent.message_id)
