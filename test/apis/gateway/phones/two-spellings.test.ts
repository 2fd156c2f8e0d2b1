import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newChat } from "../../../support/customers/agents/ai-chat.ts";
import { newCustomer, receivedBy, rowsOf, sendsOf, wamidOf } from "../../../support/customers/customer.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";
import { resolve } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

// One person may be written 5511987654321 or 551187654321, 5215512345678 or 525512345678, 5491123456789 or 541123456789.
// Contacts, their search and batches: contacts-known,
// contacts-search, bulk; sends and look-ups of sessions: plugins/session/outbound/numbers; export and erasure: core/person.

const LONG = "5511987654321";
const SHORT = "551187654321";
/** A landline, and a number of Chile, whose 9 is part of every mobile number. */
const OTHERS = [
  ["551133334444", "5511933334444"],
  ["56987654321", "5687654321"],
] as const;
const PAIRS = [
  [LONG, SHORT],
  [SHORT, LONG],
  ["5215512345678", "525512345678"],
  ["525512345678", "5215512345678"],
  ["5491123456789", "541123456789"],
  ["541123456789", "5491123456789"],
] as const;
/** As it is dialled within Argentina: clients write it so, and no network. */
const DIALLED = ["5491123456789", "54111523456789"] as const;

describe.each([...PAIRS, DIALLED])("a person who wrote as %s", (known, other) => {
  const w = useWorld();
  const c = useEach(() => newCustomer(w));
  const writes = async (from: string = known, text = "oi") => {
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text, at: w.clock.now() });
    await w.settle();
  };
  const messagesWith = async (contact: string): Promise<any[]> =>
    (await w.gateway(`/v1/messages?contact=${contact}`, { key: c.key })).body.items;

  test("is found by the other spelling, under the one that the network uses", async () => {
    await writes();
    for (const key of [other, `pn:${other}`, `+${other}`])
      expect((await resolve(w, c, key)).body.canonicalKey).toBe(`pn:${known}`);
  });

  test("has one conversation and one contact, whichever spelling is written to and listed by", async () => {
    await writes();
    await c.sent({ to: other, type: "text", content: { text: "olá" } });
    await c.sent({ to: known, type: "text", content: { text: "tudo bem?" } });
    await w.settle();
    expect(await rowsOf(w, "SELECT id FROM conversations WHERE tenant_id = ?1", [c.accountId])).toHaveLength(1);
    expect(await rowsOf(w, "SELECT id FROM contacts WHERE tenant_id = ?1", [c.accountId])).toHaveLength(1);
    for (const contact of [known, other]) expect(await messagesWith(contact)).toHaveLength(3);
  });

  test("may be quoted in a message to the other spelling while theirs is queued, and the quote is sent", async () => {
    w.graph.failNext(1, { kind: "error", code: 130429 }, { phoneNumberId: c.phone.phoneNumberId });
    const first = await c.sent({ to: known });
    const reply = await c.sent({ to: other, quotedMessageId: first });
    await w.advance(31_000);
    await w.settle();
    const sends = sendsOf(w, c);
    expect(sends.findLast((one) => one.biz_opaque_callback_data === reply)?.context).toEqual({
      message_id: wamidOf(w, first),
    });
  });

  test("is led by the other app, by whichever spelling is asked", async () => {
    await w.graph.threads.standby({ to: c.phone.phoneNumberId, from: known, at: w.clock.now(), text: "oi" });
    await w.settle();
    expect(receivedBy(c.hook, "conversation:held")).toHaveLength(1);
    for (const key of [known, other]) {
      const path = `/v1/phones/${c.phone.id}/conversations/${key}/control`;
      expect((await w.gateway(path, { key: c.key })).body.heldBy).not.toBeNull();
    }
  });
});

describe.each(OTHERS)("%s and %s are two people", (one, another) => {
  const w = useWorld();
  const c = useEach(() => newCustomer(w));

  test("neither is found by the other, and each has a conversation of its own", async () => {
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: one, text: "oi", at: w.clock.now() });
    await w.settle();
    expect(gatewaySays(await resolve(w, c, another))).toStartWith("404");
    await c.sent({ to: another, type: "text", content: { text: "olá" } });
    await w.settle();
    expect(await rowsOf(w, "SELECT id FROM conversations WHERE tenant_id = ?1", [c.accountId])).toHaveLength(2);
  });
});

describe("an agent", () => {
  let l: LlmWorld;
  beforeAll(async () => {
    l = await startLlmWorld();
  });
  afterAll(() => l.stop());

  test.each(PAIRS)("has one conversation with who writes as %s and then as %s", async (first, then) => {
    const c = await newChat(l);
    await c.says("um", first);
    await c.says("dois", then);
    const { items } = (await c.talk()).body;
    expect(items).toMatchObject([{ turnCount: 2 }]);
    for (const spelling of [first, then]) expect((await c.with(spelling)).id).toBe(items[0].id);
  });

  test.each([...PAIRS, DIALLED])("of who writes as %s knows what a person answered to %s", async (known, other) => {
    const c = await newChat(l);
    await c.says("um", known);
    await c.send({ to: other, type: "text", content: { text: "aqui é a Ana" } });
    await l.w.settle();
    expect((await c.turns(known)).map(({ role }: any) => role)).toEqual(["USER", "ASSISTANT", "HUMAN"]);
  });
});
