import { describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, rowsOf, sendsOf, TO, tracesOf } from "../../../support/customers/customer.ts";
import { FILES } from "../../../support/customers/media.ts";
import { ofNumber, post, secondsAt } from "../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

/** The simulated network has a clock of its own: what it posts is of the server's time here. */
const where = () => ({ to: c.phone.phoneNumberId, from: TO, at: w.clock.now() });
const path = (to = TO) => `/v1/phones/${c.phone.id}/conversations/${encodeURIComponent(to)}/control`;
const heldBy = async (to = TO) => (await w.gateway(path(to), { key: c.key })).body.heldBy;
const control = (body: object, to = TO) => w.gateway(path(to), { key: c.key, body });
const types = () => c.hook.arrived.map(({ body }) => body.type);
const settled = async <T>(work: Promise<T>): Promise<T> => {
  const done = await work;
  await w.settle();
  return done;
};
const standby = (text = "oi", more: object = {}) => settled(w.graph.threads.standby({ ...where(), text, ...more }));
const writes = (text = "oi", more: object = {}) => settled(w.graph.inbound.text({ ...where(), text, ...more }));
const calls = () =>
  w.graph.journal.filter(({ path: called }) => called.endsWith(`/${c.phone.phoneNumberId}/thread_control`));

describe("M26-1 what is said in a conversation that another app leads", () => {
  test("M26-1 comes under a name of its own, with who leads it, after the event that it is held", async () => {
    await standby("quero falar com vocês");
    expect(types()).toEqual(["conversation:held", "message:standby"]);
    expect(receivedBy(c.hook, "conversation:held")).toMatchObject([
      { chat: { canonicalKey: `pn:${TO}` }, heldBy: { role: null, since: expect.any(String) }, cause: "standby" },
    ]);
    expect(receivedBy(c.hook, "message:standby")).toMatchObject([
      { direction: "inbound", content: { text: "quero falar com vocês" }, heldBy: { role: null } },
    ]);
    expect(await heldBy()).toMatchObject({ role: null });
  });

  test("M26-1 what that app answers comes too, as outbound, and nothing is sent", async () => {
    await standby();
    const before = await tracesOf(w, c);
    await settled(w.graph.threads.echo({ ...where(), text: "Olá, sou a IA" }));
    expect(receivedBy(c.hook, "message:standby").at(-1)).toMatchObject({
      direction: "outbound",
      content: { text: "Olá, sou a IA" },
      chat: { canonicalKey: `pn:${TO}` },
    });
    expect(await tracesOf(w, c)).toMatchObject({ messages: before.messages ?? 0, upstreamCalls: before.upstreamCalls });
  });

  test("M26-1 a template that the other app sent is its text", async () => {
    await settled(
      w.graph.threads.echo(
        { ...where(), text: "" },
        {
          message: { to: TO, type: "template", template: { name: "promo", language: { code: "pt_BR" } } },
          template: { name: "promo", components: [{ type: "BODY", text: "Só hoje" }] },
        },
      ),
    );
    expect(receivedBy(c.hook, "message:standby")).toMatchObject([{ type: "text", content: { text: "Só hoje" } }]);
  });

  test("M26-1 an empty standby is harmless", async () => {
    const { answers } = await settled(w.graph.threads.empty(c.phone.phoneNumberId));
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect([types(), await heldBy()]).toEqual([[], null]);
  });

  test("M26-1 a repeat changes nothing; the same message for this app is published once more under its id", async () => {
    const wamid = await standby("um");
    await standby("um", { wamid });
    const [{ messageId }] = receivedBy(c.hook, "message:standby");
    await writes("um", { wamid });
    await writes("um", { wamid });
    expect(types()).toEqual(["conversation:held", "message:standby", "conversation:released", "message:received"]);
    expect(receivedBy(c.hook, "message:received")).toMatchObject([{ messageId }]);
    await standby("um", { wamid }); // it is this app's now
    expect(types()).toHaveLength(4);
  });

  test("M26-1 a file is fetched once, also where its message comes for this app later", async () => {
    const { phoneNumberId } = c.phone;
    const id = w.graph.addMedia({ bytes: FILES.png, mimeType: "image/png", phoneNumberId });
    const image = { id, mime_type: "image/png" };
    const message = { from: TO, id: "wamid.held.image", timestamp: secondsAt(w.clock.now()), type: "image", image };
    await post(w, [ofNumber(c, { standby: { messages: [message] } }, "standby")]);
    const [held] = receivedBy(c.hook, "message:standby");
    await post(w, [ofNumber(c, { messages: [message] })]);
    const [received] = receivedBy(c.hook, "message:received");
    expect([received.messageId, received.media.mediaId]).toEqual([held.messageId, held.media.mediaId]);
    expect(receivedBy(c.hook, "media:available")).toHaveLength(1);
  });

  test("M26-1 is not counted as received, and a reply may quote it", async () => {
    const wamid = await standby("um");
    expect(await rowsOf(w, "SELECT received FROM usage_days WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
    await settled(w.graph.inbound.text({ ...where(), text: "sobre isso", quoted: wamid }));
    const [{ messageId }] = receivedBy(c.hook, "message:standby");
    expect(receivedBy(c.hook, "message:received")).toMatchObject([{ quotedMessageId: messageId }]);
  });
});

describe("M26-1 marks in a conversation that another app leads", () => {
  test.each(["read", "typing"])("M26-1 %s is refused, and the network is not asked", async (mark) => {
    await standby();
    const [{ messageId }] = receivedBy(c.hook, "message:standby");
    const before = w.graph.journal.length;
    const body = { phoneId: c.phone.id };
    const answer = await w.gateway(`/v1/messages/${messageId}/${mark}`, { key: c.key, body });
    expect(gatewaySays(answer)).toBe("409 THREAD_HELD");
    await w.settle();
    expect(w.graph.journal).toHaveLength(before);
  });
});

describe("M26-1 who leads a conversation", () => {
  test("M26-1 follows the network's reports, each change once", async () => {
    await standby("um");
    await standby("dois");
    await settled(w.graph.threads.handover("control_passed", where()));
    expect(await heldBy()).toBeNull();
    await settled(w.graph.threads.handover("control_taken", where()));
    expect(await heldBy()).toMatchObject({ role: "escalation" });
    await settled(w.graph.threads.handover("control_passed", { ...where(), withRoles: false }));
    await writes("três");
    expect(types().filter((type) => type.startsWith("conversation:"))).toEqual([
      "conversation:held",
      "conversation:released",
      "conversation:held",
      "conversation:released",
    ]);
  });

  test("M26-1 a late report changes nothing", async () => {
    const now = w.clock.now();
    await settled(w.graph.threads.handover("control_taken", { ...where(), at: now - 120_000 }));
    await settled(w.graph.threads.handover("control_passed", { ...where(), at: now }));
    await standby("tarde", { at: now - 60_000 });
    expect(await heldBy()).toBeNull();
    // the message itself still was another app's to answer
    expect(receivedBy(c.hook, "message:standby")).toHaveLength(1);
  });

  test("M26-1 is nobody a day after the person's last message, and that is published", async () => {
    await standby("um", { at: w.clock.now() });
    w.clock.advance(DAY_MS - 60_000);
    await w.settle();
    expect(await heldBy()).not.toBeNull();
    w.clock.advance(60_000);
    await w.settle();
    expect(await heldBy()).toBeNull();
    expect(receivedBy(c.hook, "conversation:released")).toMatchObject([{ cause: "idle" }]);
  });

  test("M26-1 waits for a later message of the person before it is nobody", async () => {
    await standby("um", { at: w.clock.now() });
    w.clock.advance(DAY_MS / 2);
    await standby("dois", { at: w.clock.now() });
    w.clock.advance(DAY_MS / 2 + 60_000);
    await w.settle();
    expect(await heldBy()).not.toBeNull();
    w.clock.advance(DAY_MS / 2);
    await w.settle();
    expect(await heldBy()).toBeNull();
  });

  test("M26-1 stays nobody when another app writes there a day later: what it may send then is a template", async () => {
    await standby("um", { at: w.clock.now() });
    w.clock.advance(DAY_MS + 60_000);
    await w.settle();
    await settled(w.graph.threads.echo({ ...where(), text: "uma oferta" }));
    expect(await heldBy()).toBeNull();
    expect(types()).toEqual(["conversation:held", "message:standby", "conversation:released", "message:standby"]);
    await standby("dois");
    expect(await heldBy()).not.toBeNull();
  });

  test("M26-1 is not decided for a year by a time that lies ahead", async () => {
    await standby("um", { at: w.clock.now() + 365 * DAY_MS });
    await writes("dois");
    expect(await heldBy()).toBeNull();
  });

  test("M26-1 is kept over a restart, and is nobody's in time", async () => {
    await standby("um", { at: w.clock.now() });
    await w.restart();
    expect(await heldBy()).not.toBeNull();
    w.clock.advance(DAY_MS);
    await w.settle();
    expect(receivedBy(c.hook, "conversation:released")).toMatchObject([{ cause: "idle" }]);
  });

  test("M26-1 is known by any name of the person", async () => {
    await standby();
    const { canonicalKey, bsuid } = receivedBy(c.hook, "message:standby")[0].from;
    expect(await heldBy(canonicalKey)).not.toBeNull();
    expect(await heldBy(`bsuid:${bsuid}`)).not.toBeNull();
  });
});

describe("M26-1 passing, taking and releasing by API", () => {
  test("M26-1 pass names the role and the text, and the conversation is held from then on", async () => {
    await writes();
    const answer = await control({ action: "pass", targetRole: "ai_agent", metadata: "pedido 7" });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { heldBy: { role: "ai_agent", since: iso(Math.floor(w.clock.now() / 1000) * 1000) } },
    });
    expect(calls().map(({ body }) => body)).toEqual([
      {
        messaging_product: "whatsapp",
        action: "pass",
        to: TO,
        control_pass: { target_role: "ai_agent" },
        metadata: "pedido 7",
      },
    ]);
    expect(w.graph.threads.leader(c.phone.phoneNumberId, TO)).toBe("ai_agent");
    await w.settle();
    expect(receivedBy(c.hook, "conversation:held")).toMatchObject([{ heldBy: { role: "ai_agent" }, cause: "request" }]);
  });

  test("M26-1 take ends it, and release leaves it to nobody", async () => {
    w.graph.threads.role("escalation");
    await standby();
    expect((await control({ action: "take" })).body).toEqual({ heldBy: null });
    expect((await control({ action: "release" })).body).toEqual({ heldBy: null });
    expect(w.graph.threads.leader(c.phone.phoneNumberId, TO)).toBeUndefined();
    await w.settle();
    expect(receivedBy(c.hook, "conversation:released")).toMatchObject([{ cause: "request" }]);
  });

  test("M26-1 only its leader passes a conversation on, and only `escalation` takes one: each is asked once", async () => {
    await standby();
    const before = await heldBy();
    expect(gatewaySays(await control({ action: "pass" }))).toBe("409 THREAD_HELD");
    w.graph.threads.role("customer_service");
    expect(gatewaySays(await control({ action: "take" }))).toBe("409 THREAD_ROLE_REFUSED");
    expect([calls().length, await heldBy()]).toEqual([2, before]);
  });

  test("M26-1 a refused request of any other kind changes nothing", async () => {
    w.graph.threads.role("escalation");
    await standby();
    w.graph.failNext(1, { kind: "error", code: 100 }, { operation: "thread.take" });
    expect(gatewaySays(await control({ action: "take" }))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(await heldBy()).not.toBeNull();
  });

  test("M26-1 the body and the recipient are checked, and the network is not asked", async () => {
    const before = calls().length;
    expect(fieldsOf(await control({ action: "request" }))).toEqual(["action"]);
    expect(fieldsOf(await control({ action: "pass", metadata: "x".repeat(2001) }))).toEqual(["metadata"]);
    expect(gatewaySays(await control({ action: "take" }, "nobody"))).toBe("400 INVALID_TO");
    const { key } = await w.account();
    expect(gatewaySays(await w.gateway(path(), { key, body: { action: "take" } }))).toBe("404 PHONE_NOT_FOUND");
    expect(calls()).toHaveLength(before);
  });

  test("M26-1 a free message into another app's conversation is refused, not repeated", async () => {
    w.graph.threads.role("customer_service");
    await standby();
    const before = sendsOf(w, c).length;
    const id = await c.sent();
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringContaining("THREAD_HELD"),
    });
    expect(sendsOf(w, c)).toHaveLength(before + 1); // it was tried once
  });
});
