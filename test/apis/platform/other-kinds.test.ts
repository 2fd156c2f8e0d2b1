import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type PagerNetwork, pagerNetwork, receivedPage } from "../../support/networks/pager.ts";
import { type Customer, connect, customer, made, rowsOf, webhookAt } from "../../support/tenants/platform.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
let network: PagerNetwork;
beforeAll(async () => {
  network = pagerNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
afterAll(() => w.stop());

let tokens = 0;
/** A token that the network takes and no other channel has. */
const newToken = (): string => {
  const token = `pg-8${String(++tokens).padStart(6, "0")}`;
  network.tokens.add(token);
  return token;
};

const create = (key: string, fields: object = {}) =>
  w.platform("/v1/channels", {
    key,
    body: { name: "Night shift", type: "CHAT_PAGER", credentials: { token: newToken() }, ...fields },
  });
const send = (who: Customer, channelId: string, fields: object = {}, key = who.key) =>
  w.platform(`/v1/channels/${channelId}/messages/text`, { key, body: { to: "anna.7", text: "wake up", ...fields } });

const newPager = async () => {
  const who = await customer(w);
  const { id } = made(await create(who.key), 201);
  await connect(w, who, id);
  return { ...who, channelId: id as string };
};

describe("a channel of a kind that an adapter brings", () => {
  test("is made by its word, DISCONNECTED, connects without a code, is listed, and is disconnected", async () => {
    const who = await customer(w);
    const { id, ...channel } = made(await create(who.key), 201);
    expect(channel).toMatchObject({ type: "CHAT_PAGER", status: "DISCONNECTED" });
    expect(made(await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" }), 200)).toMatchObject({
      status: "CONNECTING",
      qrCode: "",
    });
    await connect(w, who, (made(await create(who.key), 201) as { id: string }).id);
    const listed = made(await w.platform("/v1/channels", { key: who.key }), 200).data as {
      type: string;
      status: string;
    }[];
    expect(listed.map(({ type, status }) => [type, status])).toEqual([
      ["CHAT_PAGER", "CONNECTED"],
      ["CHAT_PAGER", "CONNECTED"],
    ]);
    made(await w.platform(`/v1/channels/${id}/disconnect`, { key: who.key, method: "POST" }), 200);
    expect(made(await w.platform(`/v1/channels/${id}`, { key: who.key }), 200).status).toBe("DISCONNECTED");
  });

  test("credentials are refused by their field's name, an unknown type with the known ones; nothing is stored", async () => {
    const who = await customer(w);
    const before = await rowsOf(w, who.id);
    expect(await create(who.key, { credentials: { token: "nonsense" } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "credentials.token" }] },
    });
    const unknown = await create(who.key, { type: "CHAT_TELEX" });
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining("CHAT_PAGER")]);
    expect(unknown.text).not.toContain("CHAT_SOCIAL");
    expect(await rowsOf(w, who.id)).toEqual(before);
  });

  test("cannot be connected without its credentials", async () => {
    const who = await customer(w);
    const { id } = made(await create(who.key, { credentials: undefined }), 201);
    expect(await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "credentials" }] },
    });
  });

  test("sends, and what comes in opens a conversation; the webhook gets both", async () => {
    const who = await newPager();
    const hook = w.receiver();
    await webhookAt(w, who.key, hook, {
      events: ["message.sent", "message.delivered", "message.received", "conversation.created"],
    });
    const { messageId } = made(await send(who, who.channelId), 202);
    await w.settle();
    const page = network.sent.at(-1);
    expect(page).toMatchObject({ channelId: who.channelId, to: "uid:anna.7", text: "wake up" });
    await network.notify(who.channelId, {
      kind: "receipt",
      key: page?.key ?? ("" as never),
      at: 0,
      status: "delivered",
    });
    await network.notify(who.channelId, receivedPage({ id: "in-1", from: "bert.3", text: "who is there?" }));
    await w.settle();
    const events = hook.arrived.map(({ body }) => [body.type, body.messageId ?? null, body.from ?? null]);
    expect(events).toContainEqual(["message.sent", messageId, null]);
    expect(events).toContainEqual(["message.delivered", messageId, null]);
    expect(events).toContainEqual(["message.received", expect.any(String), "uid:bert.3"]);
    expect(made(await w.platform("/v1/conversations", { key: who.key }), 200).data).toHaveLength(2);
  });

  test("learns the name of a person without a message: it is the contact's if that has none, and nobody else's", async () => {
    const who = await newPager();
    const know = (uid: string, name: string) =>
      network.notify(who.channelId, { kind: "known", at: 0, identity: { uid }, name });
    const names = async () => {
      await w.settle();
      return made(await w.platform("/v1/contacts", { key: who.key }), 200).data.map(
        ({ name }: { name: unknown }) => name,
      );
    };
    made(await send(who, who.channelId, { to: "dora.4" }), 202);
    expect(await names()).toEqual([null]);
    await know("dora.4", "Dora Lima");
    await know("emil.5", "Emil");
    expect(await names()).toEqual(["Dora Lima"]);
    await know("dora.4", "Dorinha");
    expect(await names()).toEqual(["Dora Lima"]);
  });

  test("is simulated for a test key; its adapter reads the recipients, and nothing reaches the network", async () => {
    const who = await newPager();
    const before = network.sent.length;
    const { messageId } = made(await send(who, who.channelId, {}, who.testKey), 202);
    expect((await send(who, who.channelId, { to: "5511999990001" }, who.testKey)).status).toBe(400);
    await w.settle();
    expect([network.sent.length, typeof messageId]).toEqual([before, "string"]);
  });

  test("sends a batch to ids of its network; a channel whose network has numbers takes numbers alone", async () => {
    const who = await newPager();
    const waba = made(
      await w.platform("/v1/channels", { key: who.key, body: { name: "Numbers", type: "CHAT_WABA" } }),
      201,
    );
    const batch = (channelId: string, to: string) =>
      w.platform("/v1/bulk", { key: who.key, body: { channelId, text: "all hands", recipients: [to] } });
    made(await batch(who.channelId, "bert.3"), 202);
    await w.settle();
    expect(network.sent.at(-1)).toMatchObject({ to: "uid:bert.3", text: "all hands" });
    const before = await rowsOf(w, who.id);
    expect((await batch(waba.id, "bert.3")).status).toBe(400);
    expect((await send(who, waba.id, { to: "bert.3" })).status).toBe(400);
    expect(await rowsOf(w, who.id)).toEqual(before);
  });

  test("sends with the options that its kind declares, one by one and in a batch, and refuses others", async () => {
    const who = await newPager();
    const batch = (sendOptions: object) =>
      w.platform("/v1/bulk", {
        key: who.key,
        body: { channelId: who.channelId, text: "all options", recipients: ["bert.4", "bert.5"], sendOptions },
      });
    made(await send(who, who.channelId, { text: "one option", sendOptions: { urgency: "high" } }), 202);
    const { batchId } = made(await batch({ urgency: "low" }), 202);
    await w.settle();
    await w.advance(10_000);
    const optionsOf = (text: string) => network.sent.filter((page) => page.text === text).map(({ options }) => options);
    expect(optionsOf("one option")).toEqual([{ urgency: "high" }]);
    expect(optionsOf("all options")).toEqual([{ urgency: "low" }, { urgency: "low" }]);
    expect(made(await w.platform(`/v1/bulk/${batchId}`, { key: who.key }), 200).sendOptions).toEqual({
      urgency: "low",
    });
    const before = await rowsOf(w, who.id);
    expect((await send(who, who.channelId, { sendOptions: { sender: "ACME" } })).status).toBe(400);
    expect((await batch({ sender: "ACME" })).status).toBe(400);
    expect(await rowsOf(w, who.id)).toEqual(before);
  });

  test("of one institution is unknown to every other", async () => {
    const mine = await newPager();
    const other = await customer(w);
    const before = network.sent.length;
    for (const answer of [
      await w.platform(`/v1/channels/${mine.channelId}`, { key: other.key }),
      await send(other, mine.channelId),
      await w.platform(`/v1/channels/${mine.channelId}/disconnect`, { key: other.key, method: "POST" }),
    ])
      expect(answer.status).toBe(404);
    await w.settle();
    expect(network.sent.length).toBe(before);
    expect(made(await w.platform(`/v1/channels/${mine.channelId}`, { key: mine.key }), 200).status).toBe("CONNECTED");
  });
});
