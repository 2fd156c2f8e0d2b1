import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { receivedBy, TO } from "../../../support/customers/customer.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";
import { untilTrue } from "../../../support/waiting.ts";

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(() => l.llm.reset());

/** The simulated network has a clock of its own: what it posts is of the server's time here. */
const where = (c: Chat) => ({ to: c.phone.phoneNumberId, from: TO, at: l.w.clock.now() });

describe("M26-1 a conversation that another app leads", () => {
  test("M26-1 message, standby, control_passed, message: all are in the chat once, and the last one is answered", async () => {
    const c = await newChat(l);
    const { threads, inbound } = l.w.graph;
    // two others wait for their answers, as many as an account may have at once: the agent begins when all are stored
    const gate = Promise.withResolvers<void>();
    l.llm.next(REPLIES.held(gate.promise), REPLIES.held(gate.promise));
    for (const from of ["5511988880001", "5511988880002"]) await inbound.text({ ...where(c), from, text: "oi" });
    await l.llm.received(2);
    await inbound.text({ ...where(c), text: "um" });
    await threads.standby({ ...where(c), text: "dois" });
    await threads.echo({ ...where(c), text: "a outra app responde" });
    await threads.handover("control_passed", where(c));
    await inbound.text({ ...where(c), text: "três" });
    await untilTrue(async () => (await c.turns()).some(({ content }) => content === "três"));
    gate.resolve();
    await l.w.settle();
    expect(c.sent().filter((said) => said.startsWith(TO))).toEqual([`${TO}: You said: três`]);
    const turns = (await c.turns()).map(({ role, content }) => `${role} ${content}`);
    expect(turns).toEqual([
      "USER um",
      "USER dois",
      "HUMAN a outra app responde",
      "USER três",
      "ASSISTANT You said: três",
    ]);
    expect(await c.with()).toMatchObject({ status: "AI" });
  });

  test("M26-1 the agent is silent while another app leads, and answers again when this app does", async () => {
    const c = await newChat(l);
    await l.w.graph.inbound.text({ ...where(c), text: "um" });
    await l.w.settle();
    await l.w.graph.threads.standby({ ...where(c), text: "dois" });
    await l.w.settle();
    expect(await c.with()).toMatchObject({ status: "AI", heldBy: { role: null } });
    expect(c.sent()).toEqual([`${TO}: You said: um`]);
    await l.w.graph.inbound.text({ ...where(c), text: "três" });
    await l.w.settle();
    expect(c.sent()).toEqual([`${TO}: You said: um`, `${TO}: You said: três`]);
    const led = await c.with();
    expect([led.status, led.heldBy]).toEqual(["AI", undefined]);
  });

  test("M26-1 the same message on standby and then on messages is one turn, and is answered", async () => {
    const c = await newChat(l);
    await l.w.graph.inbound.text({ ...where(c), text: "um" });
    await l.w.settle();
    const wamid = await l.w.graph.threads.standby({ ...where(c), text: "dois" });
    await l.w.settle();
    await l.w.graph.inbound.text({ ...where(c), text: "dois", wamid });
    await l.w.settle();
    expect(c.sent()).toEqual([`${TO}: You said: um`, `${TO}: You said: dois`]);
    expect((await c.turns()).filter(({ role }) => role === "USER").map(({ content }) => content)).toEqual([
      "um",
      "dois",
    ]);
    const [held] = receivedBy(c.hook, "message:standby");
    expect(receivedBy(c.hook, "message:received").at(-1)).toMatchObject({ messageId: held.messageId });
  });

  test("M26-1 somebody whom the agent does not know yet gets no answer while another app leads", async () => {
    const c = await newChat(l);
    await l.w.graph.threads.standby({ ...where(c), text: "um", at: l.w.clock.now() });
    await l.w.graph.inbound.text({ ...where(c), text: "antes", at: l.w.clock.now() - 60_000 });
    await l.w.settle();
    expect([c.sent(), l.llm.journal]).toEqual([[], []]);
  });

  test("M26-1 an answer that the provider is still writing is not sent into another app's conversation", async () => {
    const c = await newChat(l);
    const gate = Promise.withResolvers<void>();
    l.llm.next(REPLIES.held(gate.promise));
    await l.w.graph.inbound.text({ ...where(c), text: "um" });
    await l.llm.received(1);
    await l.w.graph.threads.standby({ ...where(c), text: "dois" });
    await untilTrue(() => receivedBy(c.hook, "message:standby").length > 0);
    gate.resolve();
    await l.w.settle();
    expect(c.sent()).toEqual([]);
    expect((await c.turns()).map(({ role }) => role)).toEqual(["USER", "USER"]);
  });
});
