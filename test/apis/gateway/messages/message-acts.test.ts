import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, rowsOf, TO, tracesOf, wamidOf } from "../../../support/customers/customer.ts";
import { messageFrom, ofNumber, post, postInbound } from "../../../support/networks/waba-posts.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const PERSON = { canonicalKey: `pn:${TO}`, pn: `${TO}@s.whatsapp.net`, lid: null, type: "pn" };
const AT = "2023-11-14T22:13:20.000Z";

const w = useWorld({ logLevel: "debug" });
const c = useEach(() => newCustomer(w));

const ACTS: [name: string, fields: (key: string) => object, type: string, data: object][] = [
  [
    "a reaction",
    (key) => ({ type: "reaction", reaction: { message_id: key, emoji: "😀" } }),
    "message:reaction",
    { emoji: "😀", timestamp: AT },
  ],
  [
    "a reaction that is taken back",
    (key) => ({ type: "reaction", reaction: { message_id: key } }),
    "message:reaction",
    { emoji: "", timestamp: AT },
  ],
  [
    "an edit",
    (key) => ({
      type: "edit",
      edit: { original_message_id: key, message: { type: "text", text: { body: "corrected" } } },
    }),
    "message:edited",
    { text: "corrected", editedAt: AT },
  ],
];

/** What the customer did to a message with that provider message id. */
const act = (fields: object, id = `wamid.${Bun.randomUUIDv7()}`) =>
  ofNumber(c, messageFrom({ pn: TO }, { text: undefined, id, ...fields }));

describe.each(ACTS)("%s", (_, fields, type, data) => {
  test("of a message that we sent is published under our id, with who did it, and is no message", async () => {
    const messageId = await c.sent();
    c.hook.arrived.length = 0;
    await post(w, [act(fields(wamidOf(w, messageId)))]);
    expect(c.hook.arrived.map(({ body }) => [body.type, body.data])).toEqual([
      [type, { messageId, ...data, from: PERSON }],
    ]);
    expect((await c.message(messageId)).status).toBe("SENT");
  });

  test("of a message that the customer wrote is published under the id it was received by", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS" });
    const [{ messageId }] = receivedBy(c.hook, "message:received");
    await post(w, [act(fields("wamid.THEIRS"))]);
    expect(c.hook.arrived.slice(1).map(({ body }) => [body.type, body.data])).toEqual([
      [type, { messageId, ...data, from: PERSON }],
    ]);
    expect(c.hook.arrived.at(-1)?.raw).not.toContain("wamid");
  });

  test("is published once, however often and in whatever webhook the network repeats it", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS" });
    c.hook.arrived.length = 0;
    const repeated = act(fields("wamid.THEIRS"), "wamid.ACT");
    await post(w, [repeated]);
    await post(w, [repeated, repeated]);
    await post(w, [repeated, ofNumber(c, messageFrom({ pn: TO }, { text: { body: "beside it" } }))]);
    expect(c.hook.arrived.map(({ body }) => body.type)).toEqual([type, "message:received"]);
  });

  test("of an unknown message is not published, and logged", async () => {
    const before = await tracesOf(w, c);
    w.logs.length = 0;
    await post(w, [act(fields("wamid.NOBODYS"))]);
    expect(await tracesOf(w, c)).toEqual({ ...before, envelopes: (before.envelopes ?? 0) + 1 });
    expect(w.logs.some((line) => line.includes("a message that is not known"))).toBe(true);
  });

  test("of another phone's message is not published", async () => {
    const other = await newCustomer(w);
    const theirs = await other.sent();
    await post(w, [act(fields(wamidOf(w, theirs)))]);
    expect([receivedBy(c.hook), receivedBy(other.hook, type)]).toEqual([[], []]);
  });
});

test("an edited message is found by the words that it has now, with those of its other texts, and not by the earlier ones", async () => {
  await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS", text: { body: "bolo de fubá" } });
  const correction = {
    original_message_id: "wamid.THEIRS",
    message: { type: "text", text: { body: "pão de queijo" } },
  };
  await post(w, [act({ type: "edit", edit: correction })]);
  const found = async (q: string): Promise<unknown[]> =>
    (await w.gateway(`/v1/messages?q=${q}`, { key: c.key })).body.items.map(({ content }: any) => content.text);
  expect([await found("queijo pao"), await found("fuba"), await found("bolo queijo")]).toEqual([
    ["pão de queijo"],
    [],
    [],
  ]);
});

describe("a revocation", () => {
  const revoke = (key: string, id?: string) => act({ type: "revoke", revoke: { original_message_id: key } }, id);

  test("is the end of a message: an edit that comes after it is not published, and changes no text", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS" });
    const edit = act(ACTS[2]?.[1]("wamid.THEIRS") ?? {});
    await post(w, [revoke("wamid.THEIRS")]);
    c.hook.arrived.length = 0;
    await post(w, [edit, edit]);
    expect(c.hook.arrived).toEqual([]);
    expect(await rowsOf(w, "SELECT kind FROM message_acts WHERE tenant_id = ?", [c.accountId])).toEqual([
      { kind: "deletion" },
    ]);
  });

  test("G-619 of the customer's own message is the status deleted, once", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS" });
    const [{ messageId }] = receivedBy(c.hook, "message:received");
    await post(w, [revoke("wamid.THEIRS", "wamid.ACT")]);
    await post(w, [revoke("wamid.THEIRS", "wamid.ACT"), revoke("wamid.THEIRS", "wamid.ACT")]);
    expect(receivedBy(c.hook, "message:status")).toEqual([{ messageId, status: "deleted", timestamp: AT, to: PERSON }]);
  });

  test("leaves nothing to read in lists, chats and the message itself, and nothing to find", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS", text: { body: "um segredo" } });
    const ask = async (path: string): Promise<any> => (await w.gateway(path, { key: c.key })).body;
    const [{ id, chatId, content }] = (await ask("/v1/messages?q=segredo")).items;
    expect(content).toEqual({ text: "um segredo" });
    const correction = {
      original_message_id: "wamid.THEIRS",
      message: { type: "text", text: { body: "um segredo só" } },
    };
    await post(w, [
      act({ type: "reaction", reaction: { message_id: "wamid.THEIRS", emoji: "🤫" } }),
      act({ type: "edit", edit: correction }),
    ]);
    expect((await ask("/v1/messages")).items[0]).toMatchObject({ id, content: { text: "um segredo só" } });
    await post(w, [revoke("wamid.THEIRS")]);
    const left = { id, type: "text", content: {}, media: null, reactions: [], editedAt: null, deletedAt: AT };
    expect((await ask("/v1/messages")).items).toMatchObject([left]);
    expect((await ask(`/v1/chats/${chatId}/messages`)).items).toMatchObject([left]);
    expect((await ask(`/v1/messages/${id}/timeline`)).message).toMatchObject(left);
    expect((await ask(`/v1/chats/${chatId}`)).lastMessage).toMatchObject({ id, text: null, deletedAt: AT });
    for (const q of ["segredo", "só"]) expect((await ask(`/v1/messages?q=${q}`)).items).toEqual([]);
    expect(await rowsOf(w, "SELECT content FROM received_messages WHERE id = ?1", [id])).toEqual([
      { content: '{"text":"um segredo"}' },
    ]);
  });

  test("lets no search tell by its cursor what the message said, and its page goes on to living messages", async () => {
    for (const [id, body] of [
      ["wamid.LIVING", "um bolo"],
      ["wamid.FIRST", "um segredo"],
      ["wamid.SECOND", "um segredo"],
    ])
      await postInbound(w, c, { pn: TO }, { id, text: { body } });
    await post(w, [revoke("wamid.FIRST"), revoke("wamid.SECOND")]);
    const ask = async (query: string): Promise<any> => (await w.gateway(`/v1/messages?${query}`, { key: c.key })).body;
    for (const q of ["segredo", "bola"]) expect(await ask(`limit=1&q=${q}`)).toEqual({ items: [], nextCursor: null });
    expect(await ask("limit=1&q=um")).toMatchObject({ items: [{ content: { text: "um bolo" } }], nextCursor: null });
    expect((await ask("limit=1")).items).toMatchObject([{ content: {}, deletedAt: AT }]);
  });

  test("GAP-G38 of a message that we sent does not change its stored status", async () => {
    const id = await c.sent();
    await post(w, [revoke(wamidOf(w, id))]);
    expect(receivedBy(c.hook, "message:status").map(({ messageId, status }) => [messageId, status])).toEqual([
      [id, "sent"],
      [id, "deleted"],
    ]);
    expect((await c.message(id)).status).toBe("SENT");
  });
});

test("acts of one message are published in the order in which they came, each once", async () => {
  await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS" });
  c.hook.arrived.length = 0;
  const reaction = (emoji: string | undefined) =>
    act({ type: "reaction", reaction: { message_id: "wamid.THEIRS", ...(emoji ? { emoji } : {}) } });
  await post(w, [
    reaction("👍"),
    reaction("❤️"),
    reaction(undefined),
    act({ type: "revoke", revoke: { original_message_id: "wamid.THEIRS" } }),
  ]);
  expect(receivedBy(c.hook).map(({ emoji, status }) => emoji ?? status)).toEqual(["👍", "❤️", "", "deleted"]);
});

describe("what comes before its message", () => {
  const reaction = (emoji: string, key = "wamid.LATE") =>
    act({ type: "reaction", reaction: { message_id: key, emoji } });
  const edit = (body: string) =>
    act({ type: "edit", edit: { original_message_id: "wamid.LATE", message: { type: "text", text: { body } } } });
  const revoke = () => act({ type: "revoke", revoke: { original_message_id: "wamid.LATE" } });
  const message = () => ofNumber(c, messageFrom({ pn: TO }, { id: "wamid.LATE", text: { body: "olá" } }));
  const kinds = () =>
    c.hook.arrived.map(({ body }) => body.data.emoji ?? body.data.text ?? body.data.status ?? body.type);
  const waiting = () => rowsOf(w, "SELECT act_key FROM early_acts WHERE channel_id = ?1", [c.phone.id]);

  test("in one post follows it, in the order in which it came", async () => {
    await post(w, [reaction("👍"), edit("corrected"), reaction("❤️"), message(), revoke()]);
    expect(kinds()).toEqual(["message:received", "👍", "corrected", "❤️", "deleted"]);
    expect(new Set(receivedBy(c.hook).map(({ messageId }) => messageId)).size).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  test("in a post of its own, repeated, over a restart, follows it once", async () => {
    const early = reaction("👍");
    await post(w, [early]);
    await post(w, [early, revoke()]);
    await w.restart();
    expect([kinds(), (await waiting()).length]).toEqual([[], 2]);
    await post(w, [message()]);
    await post(w, [message(), early]);
    expect([kinds(), await waiting()]).toEqual([["message:received", "👍", "deleted"], []]);
  });

  test("of a message that we sent and whose key is not known yet follows the status that makes it known", async () => {
    w.graph.failNext(1, { kind: "half", isAccepted: true }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent();
    const key = wamidOf(w, id);
    await post(w, [reaction("👍", key)]);
    expect(kinds()).toEqual([]);
    await post(w, [
      ofNumber(c, {
        statuses: [
          { id: key, status: "delivered", timestamp: "1700000000", recipient_id: TO, biz_opaque_callback_data: id },
        ],
      }),
    ]);
    expect(kinds()).toEqual(["delivered", "👍"]);
  });

  test("is forgotten after a day, and with its phone; of more than a thousand the oldest go", async () => {
    await post(w, [reaction("👍")]);
    await w.advance(DAY_MS);
    await post(w, [message()]);
    expect([kinds(), await waiting()]).toEqual([["message:received"], []]);
    for (let n = 0; n < 11; n++)
      await post(
        w,
        Array.from({ length: 100 }, (_, i) => reaction("👍", `wamid.NEVER-${n * 100 + i}`)),
      );
    expect(await waiting()).toHaveLength(1000);
    await w.advance(DAY_MS + HOUR_MS);
    expect(await waiting()).toEqual([]);
    await post(w, [reaction("👍", "wamid.NEVER")]);
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect(await waiting()).toEqual([]);
  });

  test("does not cross phones", async () => {
    const other = await newCustomer(w);
    await post(w, [reaction("👍")]);
    await post(w, [ofNumber(other, messageFrom({ pn: TO }, { id: "wamid.LATE" }))]);
    expect([receivedBy(other.hook, "message:reaction"), (await waiting()).length]).toEqual([[], 1]);
  });
});

test("a reaction, an edit and a message that the network gives one id are three things", async () => {
  await postInbound(w, c, { pn: TO }, { id: "wamid.ONE" });
  const ofOne = { original_message_id: "wamid.ONE", message: { type: "text", text: { body: "x" } } };
  await post(w, [
    act({ type: "reaction", reaction: { message_id: "wamid.ONE", emoji: "👍" } }, "wamid.ONE"),
    act({ type: "edit", edit: ofOne }, "wamid.ONE"),
    act({ type: "revoke", revoke: ofOne }, "wamid.ONE"),
  ]);
  expect(c.hook.arrived.map(({ body }) => body.data.status ?? body.type)).toEqual([
    "message:received",
    "message:reaction",
    "message:edited",
    "deleted",
  ]);
});

test("somebody who only reacted is known", async () => {
  const id = await c.sent();
  await post(w, [
    ofNumber(
      c,
      messageFrom(
        { pn: TO, bsuid: "BR.1" },
        { type: "reaction", reaction: { message_id: wamidOf(w, id), emoji: "👍" } },
      ),
    ),
  ]);
  expect(receivedBy(c.hook, "message:reaction")).toMatchObject([{ from: { bsuid: "BR.1" } }]);
  expect((await w.gateway(`/v1/phones/${c.phone.id}/identities/resolve?key=BR.1`, { key: c.key })).body).toMatchObject({
    canonicalKey: `pn:${TO}`,
  });
});
