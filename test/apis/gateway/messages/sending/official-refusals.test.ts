import { describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, TO, wamidOf } from "../../../../support/customers/customer.ts";
import { accountOf, post } from "../../../../support/networks/waba-posts.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { APP_SECRET } from "../../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const phone = async () => (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;

/** How often the network was asked to send from the phone. */
const tries = () =>
  w.graph.journal.filter(({ method, path }) => method === "POST" && path.endsWith(`/${c.phone.phoneNumberId}/messages`))
    .length;

/** The message after the network has refused it so, and everything that might have followed. */
const refused = async (code: number) => {
  w.graph.failNext(1, { kind: "error", code });
  const { body } = await c.send();
  await w.settle();
  await w.advance(HOUR_MS);
  return c.message(body.messageId);
};

describe("what the network refuses since 2026", () => {
  test.each([
    131042, 131044, 131049, 131050, 131055, 131061, 131062, 131063, 131064, 131065, 138015, 138038, 147005, 2494191,
  ])("M26-6 %i ends the message after one try", async (code) => {
    const message = await refused(code);
    expect([message.status, message.failedReason]).toEqual([
      "FAILED",
      expect.stringContaining(`[UPSTREAM_BAD_REQUEST] (#${code})`),
    ]);
    expect(tries()).toBe(1);
  });

  test("M26-6 a conversation that another app holds has a code of its own, at once or by a status", async () => {
    expect((await refused(131070)).failedReason).toStartWith("[THREAD_HELD] (#131070)");
    expect(tries()).toBe(1);
    const id = await c.sent();
    await w.graph.inbound.status({
      to: c.phone.phoneNumberId,
      from: TO,
      wamid: wamidOf(w, id),
      status: "failed",
      code: 131070,
    });
    await w.settle();
    expect((await c.message(id)).failedReason).toStartWith("[THREAD_HELD] (#131070)");
  });

  test.each([134100, 134101])("M26-6 %i, a template not synced yet, is tried again after ten minutes", async (code) => {
    w.graph.failNext(1, { kind: "error", code });
    const { body } = await c.send();
    await w.settle();
    await w.advance(10 * MINUTE_MS - 1000);
    expect([tries(), (await c.message(body.messageId)).status]).toEqual([1, "QUEUED"]);
    await w.advance(1000);
    expect([tries(), (await c.message(body.messageId)).status]).toEqual([2, "SENT"]);
  });
});

describe("a refusal that concerns the whole number", () => {
  test.each([
    [131042, "PAYMENT"],
    [131064, "TEMPLATES_MISCLASSIFIED"],
  ])("M26-6 %i shows on the phone as %s, until the network says that the number may send", async (code, reason) => {
    expect((await phone()).wabaSendProblem).toBeNull();
    const at = new Date(w.clock.now()).toISOString();
    await refused(code);
    const shown = await phone();
    expect(shown.wabaSendProblem).toEqual({ reason, code, message: expect.stringContaining(`(#${code})`), at });
    expect([shown.status, receivedBy(c.hook, "channel:disconnected")]).toEqual(["CONNECTED", []]);
    const { number } = c.phone;
    const value = { display_phone_number: number, event: "THROUGHPUT_UPGRADE" };
    await post(w, [{ field: "phone_number_quality_update", value }], { accountId: await accountOf(w, c) });
    await untilTrue(async () => (await phone()).wabaSendProblem === null);
    expect((await phone()).wabaCanSend).toBe("AVAILABLE");
  });

  test("M26-6 a status that reports it shows it too; another failure does not", async () => {
    const failed = async (code: number) => {
      const id = await c.sent();
      const where = { to: c.phone.phoneNumberId, from: TO, wamid: wamidOf(w, id) };
      await w.graph.inbound.status({ ...where, status: "failed", code });
      await w.settle();
    };
    await failed(131026);
    expect((await phone()).wabaSendProblem).toBeNull();
    await failed(131042);
    expect((await phone()).wabaSendProblem).toMatchObject({ reason: "PAYMENT", code: 131042 });
  });
});

describe("the proof that we know the app's secret", () => {
  test("M26-14 is in every call, so an app that demands it takes them all", async () => {
    w.graph.configure({ proofSecret: APP_SECRET });
    const from = w.graph.journal.length;
    const customer = await newCustomer(w);
    const id = await customer.sent();
    expect((await customer.message(id)).status).toBe("SENT");
    const asked = w.graph.journal.slice(from);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter(({ query }) => query["appsecret_proof"] === undefined)).toEqual([]);
    expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
    w.graph.configure({ proofSecret: "" });
  });

  test("M26-14 is left out for the token of another app, after one refusal", async () => {
    w.graph.configure({ proofSecret: "the secret of somebody else's app" });
    const before = tries();
    expect((await c.send()).status).toBe(202);
    await w.settle();
    w.graph.configure({ proofSecret: "" });
    // wrong, then none: this app demands one that we cannot give, so the network's own words are what remains
    expect(w.graph.journal.slice(-2).map(({ query, status }) => ["appsecret_proof" in query, status])).toEqual([
      [true, 400],
      [false, 400],
    ]);
    expect(tries()).toBe(before + 2);
  });
});
