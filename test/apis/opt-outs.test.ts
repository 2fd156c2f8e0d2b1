import { beforeEach, describe, expect, test } from "bun:test";
import type { ChannelEvent } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import { addContact, contactBy } from "../support/customers/contacts.ts";
import { rowsOf } from "../support/customers/customer.ts";
import { schedule, scheduledOf } from "../support/customers/scheduled.ts";
import { textFrom } from "../support/session/scripted-sends.ts";
import { batchOf, newBatch, numbers, passes, sentBy, useSender } from "../support/tenants/bulk.ts";
import { gatewayKeyOf, made, sendText, webhookAt } from "../support/tenants/platform.ts";
import { useEach } from "../support/use-world.ts";

const { w, network, who } = useSender();
const g = useEach(async () => ({ key: await gatewayKeyOf(w, who) }));

beforeEach(() => {
  network.pace = () => 0;
  network.outcomes.length = 0;
  network.sent.length = 0;
});

const [ANA = "", BIA = ""] = numbers(2);
const SECOND = 1000;

/** A contact that the customer made. */
const contact = async (phoneNumber = ANA): Promise<string> => made(await addContact(w, who, { phoneNumber }), 201).id;
const optOut = async (id: string, method = "PUT") =>
  made(await w.platform(`/v1/contacts/${id}/opt-out`, { key: who.key, method }), 200);
/** Someone who opted out. */
const optedOut = async (phoneNumber = ANA): Promise<string> => {
  const id = await contact(phoneNumber);
  await optOut(id);
  return id;
};
const consent = (state: "opted_out" | "opted_in", fields: object = {}): ChannelEvent => ({
  kind: "consent",
  at: w.clock.now(),
  nativeId: `${state}-${w.clock.now()}`,
  from: { pn: ANA },
  state,
  word: "PARAR",
  ...fields,
});
const reports = async (event: ChannelEvent) => {
  await network.notify(who.channelId, event);
  await w.settle();
};
const onlyContact = async () => (await w.platform("/v1/contacts", { key: who.key })).body.data[0];
const send = (fields: object = {}) =>
  w.gateway("/v1/messages", {
    key: g.key,
    body: { phoneId: who.channelId, to: ANA, type: "text", content: { text: "olá" }, ...fields },
  });
const sent = () => sentBy(network, who.channelId).map(({ to }) => to);
/** A try whose end nobody knows. */
const SILENT: SendOutcome = { ok: false, kind: "unknown", code: "UPSTREAM_UNAVAILABLE", reason: "no answer came" };
/** The link lets nothing out for five seconds. */
const heldBack = (): void => {
  const until = w.clock.now() + 5 * SECOND;
  network.pace = () => Math.max(0, until - w.clock.now());
};
const statusOf = async (id: string) => {
  const { status, failedReason } = made(await w.gateway(`/v1/messages/${id}`, { key: g.key }), 200);
  return [status, failedReason];
};
/** The ids of the messages that came, oldest first. */
const receivedIds = async (): Promise<string[]> => {
  await w.settle();
  return (
    await rowsOf<{ id: string }>(w, "SELECT id FROM received_messages WHERE tenant_id = ?1 ORDER BY id", [who.id])
  ).map(({ id }) => id);
};
const messages = () => rowsOf<{ id: string }>(w, "SELECT id FROM messages WHERE tenant_id = ?1", [who.id]);
const errorsOf = async (batchId: string) => (await batchOf(w, who, batchId)).errors;

describe("an opt-out", () => {
  test("is set and ended by both APIs, shown by both, and published once", async () => {
    const hook = w.receiver();
    await webhookAt(w, who.key, hook, { events: ["contact.opted_out", "contact.opted_in"] });
    const id = await contact();
    expect((await contactBy(w, who, id)).body).toMatchObject({ optedOutAt: null, optedOutBy: null });
    const now = new Date(w.clock.now()).toISOString();
    const out = { optedOutAt: now, optedOutBy: "request" };
    expect(await optOut(id)).toMatchObject(out);
    await optOut(id);
    expect((await w.gateway(`/v1/contacts/${id}`, { key: g.key })).body).toMatchObject(out);
    const ended = await w.gateway(`/v1/contacts/${id}/opt-out`, { key: g.key, method: "DELETE" });
    expect([ended.status, ended.body.optedOutAt, ended.body.optedOutBy]).toEqual([200, null, null]);
    await w.settle();
    expect(hook.arrived.map(({ body }) => [body.type, body.contactId, body.chat, body.by, body.word])).toEqual([
      ["contact.opted_out", id, ANA, "request", null],
      ["contact.opted_in", id, ANA, "request", null],
    ]);
  });

  test("finds a contact in the list by its filter", async () => {
    const out = await optedOut();
    const others = await contact(BIA);
    const list = async (filter: string) =>
      made(await w.gateway(`/v1/contacts?${filter}`, { key: g.key }), 200).items.map((one: { id: string }) => one.id);
    expect(await list("optedOut=true")).toEqual([out]);
    expect(await list("optedOut=false")).toEqual([others]);
    const page = async (filter: string) => {
      const { data, meta } = made(await w.platform(`/v1/contacts?${filter}`, { key: who.key }), 200);
      return [...data.map((one: { id: string }) => one.id), meta.total];
    };
    for (const search of ["", "&search=5511"]) {
      expect(await page(`optedOut=true${search}`)).toEqual([out, 1]);
      expect(await page(`optedOut=false${search}`)).toEqual([others, 1]);
    }
    expect(await page("optedOut=true&search=nobody")).toEqual([0]);
    for (const ask of [w.gateway, w.platform])
      expect((await ask("/v1/contacts?optedOut=yes", { key: ask === w.gateway ? g.key : who.key })).status).toBe(400);
  });

  test("of another customer's contact is not found", async () => {
    const id = await contact();
    const { key } = await w.account();
    expect((await w.gateway(`/v1/contacts/${id}/opt-out`, { key, method: "PUT" })).status).toBe(404);
    expect((await contactBy(w, who, id)).body.optedOutAt).toBeNull();
  });
});

describe("a person who opted out", () => {
  test.each([
    ["the gateway API", () => send()],
    ["the platform API", () => sendText(w, who.key, who.channelId, { to: ANA })],
  ])("gets no send of %s", async (_, ask) => {
    await optedOut();
    const { status, text } = await ask();
    expect([status, text.includes("RECIPIENT_OPTED_OUT")]).toEqual([409, true]);
    await w.settle();
    expect([sent(), await messages()]).toEqual([[], []]);
  });

  test.each([
    ["the gateway API", () => send({ isAnswer: true })],
    ["the platform API", () => sendText(w, who.key, who.channelId, { to: ANA, isAnswer: true })],
  ])("gets an answer of %s", async (_, ask) => {
    await optedOut();
    expect((await ask()).status).toBe(202);
    await w.settle();
    expect(sent()).toEqual([ANA]);
  });

  test("gets what quotes a message of theirs, under whichever of their names it came", async () => {
    await network.notify(who.channelId, textFrom(ANA));
    await network.notify(who.channelId, textFrom(ANA, { from: { lid: "77001" }, chat: { lid: "77001" } }));
    await optedOut(BIA);
    await network.notify(who.channelId, textFrom(BIA));
    await network.notify(who.channelId, textFrom(ANA, { from: { pn: ANA, lid: "77001" } }));
    await reports(consent("opted_out"));
    const [first, byLid, ofBia] = await receivedIds();
    for (const quotedMessageId of [first, byLid]) expect((await send({ quotedMessageId })).status).toBe(202);
    expect((await send({ quotedMessageId: ofBia })).status).toBe(409);
    await w.settle();
    expect(sent()).toEqual([ANA, ANA]);
  });

  test.each([["waits"], ["was sent"]])("gets nothing that quotes a message to them that %s", async (state) => {
    if (state === "waits") network.pace = () => 60 * SECOND;
    const { messageId: quotedMessageId } = made(await send(), 202);
    await w.settle();
    await reports(consent("opted_out"));
    const { status, text } = await send({ quotedMessageId });
    expect([status, text.includes("RECIPIENT_OPTED_OUT")]).toEqual([409, true]);
  });

  test("gets an answer in the chat that they wrote in", async () => {
    await network.notify(who.channelId, textFrom(ANA));
    await reports(consent("opted_out"));
    const [chat] = made(await w.gateway("/v1/chats", { key: g.key }), 200).items;
    const body = { type: "text", content: { text: "não escreveremos mais" } };
    expect((await w.gateway(`/v1/chats/${chat.id}/messages`, { key: g.key, body })).status).toBe(202);
    await w.settle();
    expect(sent()).toEqual([ANA]);
  });

  test("changes no answer to a request that is repeated: it was sent before", async () => {
    const ask = () => send({ idempotencyKey: "before-the-opt-out-1" });
    const first = await ask();
    await w.settle();
    await optOut((await onlyContact()).id);
    const again = await ask();
    await w.settle();
    expect([first.status, again.status, again.body.messageId, sent()]).toEqual([202, 200, first.body.messageId, [ANA]]);
  });

  test("opts in by a request, also where the network's clock runs ahead", async () => {
    await reports({ ...consent("opted_out"), at: w.clock.now() + 3_600_000 });
    const [contact] = made(await w.gateway("/v1/contacts?optedOut=true", { key: g.key }), 200).items;
    await w.gateway(`/v1/contacts/${contact.id}/opt-out`, { key: g.key, method: "DELETE" });
    expect((await send()).status).toBe(202);
  });

  test("gets no scheduled message: it fails when it is due", async () => {
    const asked = { key: g.key, phone: { id: who.channelId, phoneNumberId: "", accessToken: "", number: "" } };
    const { id } = made(await schedule(w, asked, { payload: payload() }), 201);
    await optedOut();
    await w.advance(61 * SECOND);
    const { status, ...rest } = await scheduledOf(w, asked, id);
    expect([status, JSON.stringify(rest).includes("RECIPIENT_OPTED_OUT")]).toEqual(["FAILED", true]);
    expect([sent(), await messages()]).toEqual([[], []]);
  });

  test("is an error of a batch, whose other recipients get their message", async () => {
    await optedOut();
    const batchId = await newBatch(w, who, { recipients: [ANA, BIA] });
    await passes(w, 10 * SECOND);
    expect(sent()).toEqual([BIA]);
    expect(await errorsOf(batchId)).toMatchObject([{ code: "RECIPIENT_OPTED_OUT" }]);
  });

  test("gets no message that waits in the phone's queue when they opt out, but for an answer", async () => {
    heldBack();
    const { messageId } = made(await send(), 202);
    const answer = made(await send({ isAnswer: true }), 202);
    await w.settle();
    await reports(consent("opted_out", { word: "SAIR" }));
    await passes(w, 10 * SECOND);
    expect(network.sent.map(({ order }) => order.messageId)).toEqual([answer.messageId]);
    expect(await statusOf(messageId)).toEqual(["FAILED", "[RECIPIENT_OPTED_OUT] the person opted out meanwhile"]);
    expect(await onlyContact()).toMatchObject({ optedOutAt: new Date(w.clock.now() - 10 * SECOND).toISOString() });
  });

  test.each([["a message"], ["a message of a batch"]])(
    "gets %s that may have left no second time, and it ends as unknown",
    async (what) => {
      network.outcomes.push(SILENT);
      if (what === "a message") made(await send(), 202);
      else await newBatch(w, who, { recipients: [ANA] });
      await passes(w, SECOND);
      expect(sent()).toEqual([ANA]);
      await reports(consent("opted_out"));
      await w.advance(120 * SECOND);
      const [{ id } = { id: "" }] = await messages();
      expect(await statusOf(id)).toEqual(["FAILED", expect.stringMatching(/^\[OUTCOME_UNKNOWN\] .*may have arrived/)]);
      expect(sent()).toEqual([ANA]);
    },
  );

  test("gets no message of a batch that waits in the phone's queue when they opt out", async () => {
    heldBack();
    const batchId = await newBatch(w, who, { recipients: [ANA, BIA] });
    await w.settle();
    expect(await messages()).toHaveLength(1); // accepted, and held back by the link's pace
    await reports(consent("opted_out"));
    await passes(w, 10 * SECOND);
    expect(sent()).toEqual([BIA]);
    expect(await errorsOf(batchId)).toMatchObject([{ code: "RECIPIENT_OPTED_OUT" }]);
  });

  test("gets messages again once they want them", async () => {
    const id = await optedOut();
    await optOut(id, "DELETE");
    expect((await send()).status).toBe(202);
    await w.settle();
    expect(sent()).toEqual([ANA]);
  });
});

describe("what a network says", () => {
  test("of a person whom nobody knew opts them out, and in again", async () => {
    await reports(consent("opted_out"));
    expect(await onlyContact()).toMatchObject({ phoneNumber: ANA, optedOutBy: "network" });
    expect((await send()).status).toBe(409);
    await w.advance(SECOND);
    await reports(consent("opted_in"));
    expect(await onlyContact()).toMatchObject({ optedOutAt: null, optedOutBy: null });
  });

  test("a second time counts from then on, and a repeated request does not", async () => {
    await reports(consent("opted_out"));
    const between = w.clock.now() + SECOND;
    await w.advance(2 * SECOND);
    const again = w.clock.now();
    await reports(consent("opted_out"));
    await w.advance(SECOND);
    await optOut((await onlyContact()).id);
    await reports(consent("opted_in", { at: between }));
    expect(await onlyContact()).toMatchObject({ optedOutAt: new Date(again).toISOString(), optedOutBy: "network" });
  });

  test("twice, or from before the opt-out, changes nothing", async () => {
    const early = consent("opted_in");
    await w.advance(SECOND);
    await reports(consent("opted_out"));
    await reports(early);
    expect(await onlyContact()).toMatchObject({ optedOutBy: "network" });
    const repeated = consent("opted_out");
    await w.advance(SECOND);
    await reports(consent("opted_in"));
    await reports(repeated);
    expect(await onlyContact()).toMatchObject({ optedOutAt: null });
  });

  test("in the refusal of a send opts the person out", async () => {
    network.outcomes.push({ ok: false, kind: "refused", code: "RECIPIENT_OPTED_OUT", reason: "STOP was sent" });
    const { messageId } = made(await send(), 202);
    await w.settle();
    expect(await statusOf(messageId)).toEqual(["FAILED", "[RECIPIENT_OPTED_OUT] STOP was sent"]);
    const contact = await onlyContact();
    expect(contact).toMatchObject({ phoneNumber: ANA, optedOutBy: "network" });
    expect((await send()).status).toBe(409);
    await w.advance(SECOND);
    network.outcomes.push({ ok: false, kind: "refused", code: "RECIPIENT_OPTED_OUT", reason: "STOP was sent" });
    made(await send({ isAnswer: true }), 202);
    await w.settle();
    expect((await onlyContact()).optedOutAt).toBe(contact.optedOutAt);
  });

  test("of two contacts who prove to be one person stays an opt-out", async () => {
    await reports(consent("opted_out", { from: { lid: "77001" } }));
    await contact();
    await network.notify(who.channelId, textFrom(ANA, { from: { pn: ANA, lid: "77001" } }));
    await w.settle();
    expect(await onlyContact()).toMatchObject({ phoneNumber: ANA, optedOutBy: "network" });
    expect((await send()).status).toBe(409);
  });
});

const payload = () => ({ phoneId: who.channelId, to: ANA, type: "text", content: { text: "até logo" } });
