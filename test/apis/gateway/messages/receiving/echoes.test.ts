import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, TO, tracesOf, wamidOf } from "../../../../support/customers/customer.ts";
import { ofNumber, post, postInbound, resolve } from "../../../../support/networks/waba-posts.ts";
import { connectedChannel, customer, made } from "../../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../../support/world.ts";

const PERSON = { canonicalKey: `pn:${TO}`, pn: `${TO}@s.whatsapp.net`, lid: null, type: "pn" };

const w = useWorld();
const c = useEach(() => newCustomer(w));

type Fields = Record<string, unknown>;
const written = (more: Fields = {}): Fields => ({
  from: c.phone.number,
  to: TO,
  id: "wamid.E1",
  timestamp: "1700000000",
  type: "text",
  text: { body: "from the app" },
  ...more,
});
const echo = (...echoes: Fields[]) => ofNumber(c, { message_echoes: echoes }, "smb_message_echoes");
const history = (messages: Fields[]) => ofNumber(c, { history: [{ threads: [{ id: TO, messages }] }] }, "history");
const theirs = (more: Fields = {}): Fields => ({
  from: TO,
  id: "wamid.H1",
  timestamp: "1690000000",
  type: "text",
  text: { body: "long ago" },
  ...more,
});
const received = () => receivedBy(c.hook, "message:received");

describe("what the owner writes in the business app", () => {
  test("is published as a message of ours, in the customer's chat", async () => {
    await post(w, [echo(written())]);
    const own = { canonicalKey: `pn:${c.phone.number}`, pn: `${c.phone.number}@s.whatsapp.net`, lid: null, type: "pn" };
    expect(received()).toEqual([
      {
        messageId: expect.any(String),
        direction: "outbound",
        type: "text",
        timestamp: "2023-11-14T22:13:20.000Z",
        content: { text: "from the app" },
        from: own,
        chat: PERSON,
        pushName: null,
      },
    ]);
  });

  test("is never sent: nothing goes to the network, and there is no message to ask for", async () => {
    const before = await tracesOf(w, c);
    await post(w, [echo(written())]);
    expect(await tracesOf(w, c)).toMatchObject({ messages: before.messages ?? 0, upstreamCalls: before.upstreamCalls });
    expect((await w.gateway(`/v1/messages/${received()[0].messageId}`, { key: c.key })).status).toBe(404);
  });

  test("is published once, by whichever webhook", async () => {
    await post(w, [echo(written())]);
    await post(w, [echo(written(), written({ id: "wamid.E2", text: { body: "second" } }))]);
    await post(w, [history([written()])]);
    expect(received().map(({ content }) => content.text)).toEqual(["from the app", "second"]);
  });

  test("makes the customer known, and is known by all their names", async () => {
    await postInbound(w, c, { pn: TO, bsuid: "BR.1" });
    await post(w, [echo(written({ to: undefined, to_user_id: "BR.1" }))]);
    expect(received().at(-1).chat).toEqual({ ...PERSON, bsuid: "BR.1" });
    await post(w, [echo(written({ id: "wamid.E3", to: "5511999990002", to_user_id: "BR.2" }))]);
    expect((await resolve(w, c, "BR.2")).body).toMatchObject({ canonicalKey: "pn:5511999990002" });
    expect((await w.gateway("/v1/contacts", { key: c.key })).body.items).toHaveLength(2); // the owner is none
  });

  test("edits, takes back and reacts to: its own messages, ours and the customer's", async () => {
    await post(w, [echo(written())]);
    const own = received()[0].messageId;
    const ours = await c.sent();
    await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS" });
    const customers = received().at(-1).messageId;
    c.hook.arrived.length = 0;
    await post(w, [
      echo(
        written({
          id: "wamid.X1",
          type: "edit",
          edit: { original_message_id: "wamid.E1", message: { type: "text", text: { body: "corrected" } } },
        }),
        written({ id: "wamid.X2", type: "revoke", revoke: { original_message_id: wamidOf(w, ours) } }),
        written({ id: "wamid.X3", type: "reaction", reaction: { message_id: "wamid.THEIRS", emoji: "👍" } }),
      ),
    ]);
    const from = `pn:${c.phone.number}`;
    expect(
      c.hook.arrived.map(({ body }) => [
        body.type,
        body.data.messageId,
        body.data.from?.canonicalKey ?? body.data.status,
      ]),
    ).toEqual([
      ["message:edited", own, from],
      ["message:status", ours, "deleted"],
      ["message:reaction", customers, from],
    ]);
    expect((await c.message(ours)).status).toBe("SENT");
  });

  test("a message that we sent, reported by the network as its owner's, is not published again", async () => {
    const id = await c.sent();
    const key = wamidOf(w, id);
    c.hook.arrived.length = 0;
    await post(w, [echo(written({ id: key })), history([written({ id: key })])]);
    expect(receivedBy(c.hook)).toEqual([]);
    await post(w, [echo(written({ id: "wamid.REPLY", context: { id: key } }))]);
    expect(received()).toMatchObject([{ quotedMessageId: id }]);
  });

  test("is not published to the platform, whose customers did not just write; what the customer writes is", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    const hook = w.receiver();
    made(
      await w.platform("/v1/webhooks", {
        key: who.key,
        body: { name: "All", url: hook.url, events: ["message.received"], secret: WEBHOOK_SECRET },
      }),
      201,
    );
    const mine = { phone: { ...c.phone, phoneNumberId: channel.phoneNumberId, number: channel.number } };
    await post(w, [
      ofNumber(mine, { message_echoes: [written()] }, "smb_message_echoes"),
      ofNumber(mine, { history: [{ threads: [{ id: TO, messages: [theirs()] }] }] }, "history"),
      ofNumber(mine, { messages: [theirs({ id: "wamid.NOW" })] }),
    ]);
    expect(hook.arrived.map(({ body }) => body.text)).toEqual(["long ago"]);
  });
});
