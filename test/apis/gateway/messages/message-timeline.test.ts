import { describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, TO, wamidOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const timelineOf = async (id: string, key = c.key): Promise<any> =>
  (await w.gateway(`/v1/messages/${id}/timeline`, { key })).body;
const kindsOf = ({ steps }: { steps: any[] }): string[] => steps.map(({ kind }) => kind);
const stepIn = ({ steps }: { steps: any[] }, kind: string): any => steps.find((one) => one.kind === kind);

const receipt = async (id: string, status: "delivered" | "read"): Promise<void> => {
  await w.graph.inbound.status({
    to: c.phone.phoneNumberId,
    from: TO,
    wamid: wamidOf(w, id),
    status,
    at: w.clock.now(),
  });
  await w.settle();
};

describe("GET /v1/messages/{id}/timeline", () => {
  test("shows who had a message sent, its receipts, and what became of their events", async () => {
    const id = await c.sent({ content: { text: "olá, Ana" } });
    await receipt(id, "delivered");
    await receipt(id, "read");
    const timeline = await timelineOf(id);
    expect(kindsOf(timeline)).toEqual(["ACCEPTED", "SENT", "DELIVERED", "READ"]);
    expect(stepIn(timeline, "ACCEPTED").by).toMatchObject({ kind: "key", name: expect.any(String) });
    expect(timeline).toMatchObject({
      message: { id, direction: "outbound", status: "READ", content: { text: "olá, Ana" } },
      networkId: expect.stringContaining("wamid"),
      waiting: null,
    });
    expect(timeline.events.map(({ type }: any) => type)).toEqual(Array(3).fill("message:status"));
    expect(timeline.events[0]).toMatchObject({
      api: "gateway",
      deliveries: [
        { state: "DELIVERED", attempts: 1, lastStatusCode: 200, tries: [{ status: "DELIVERED", attempt: 1 }] },
      ],
    });
  });

  test("shows each try with the network's answer, and when the next one comes", async () => {
    w.graph.failNext(1, { kind: "error", code: 131000 }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent();
    const { waiting, ...timeline } = await timelineOf(id);
    expect(kindsOf({ steps: timeline.steps })).toEqual(["ACCEPTED", "TRY_REFUSED"]);
    expect(timeline.steps[1]).toMatchObject({ code: expect.any(String), reason: expect.any(String) });
    expect(waiting).toMatchObject({ because: "TRYING_AGAIN", nextTryAt: expect.any(String) });
    await w.advance(10 * SECOND_MS);
    expect(kindsOf(await timelineOf(id))).toEqual(["ACCEPTED", "TRY_REFUSED", "SENT"]);
  });

  test("shows why a message failed, as code, number of the network and words", async () => {
    w.graph.failNext(1, { kind: "error", code: 131026 }, { phoneNumberId: c.phone.phoneNumberId });
    const timeline = await timelineOf(await c.sent());
    expect(stepIn(timeline, "FAILED")).toMatchObject({ networkCode: 131026, reason: expect.any(String) });
    expect(stepIn(timeline, "FAILED").code).toMatch(/^[A-Z_]+$/);
    expect(timeline.waiting).toBeNull();
  });

  test("shows a received message, and the answer to it", async () => {
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    const id = c.hook.arrived[0]?.body.data.messageId;
    await w.advance(MINUTE_MS);
    const answerId = await c.sent();
    const timeline = await timelineOf(id);
    expect(kindsOf(timeline).toSorted()).toEqual(["ANSWERED", "RECEIVED", "WRITTEN"]);
    expect(stepIn(timeline, "ANSWERED")).toMatchObject({ messageId: answerId, by: { kind: "key" } });
    expect(timeline.events[0]).toMatchObject({ type: "message:received", deliveries: [{ state: "DELIVERED" }] });
  });

  test("shows a reaction to a message", async () => {
    const id = await c.sent();
    const { networkId } = await timelineOf(id);
    await w.graph.inbound.reaction({ to: c.phone.phoneNumberId, from: TO, messageId: networkId, emoji: "👍" });
    await w.settle();
    expect(stepIn(await timelineOf(id), "REACTED")).toMatchObject({ reason: "👍" });
  });

  test("shows what a dead endpoint did to the event of a message", async () => {
    c.hook.reply(() => new Response("<b>gone</b>", { status: 410 }));
    const timeline = await timelineOf(await c.sent());
    expect(timeline.events[0].deliveries[0]).toMatchObject({
      state: "DEAD",
      lastStatusCode: 410,
      nextRetryAt: null,
      tries: [{ status: "FAILED", statusCode: 410, responseBody: "<b>gone</b>" }],
    });
  });

  test("of an unknown message is 404", async () => {
    const answer = await w.gateway("/v1/messages/0198a000-1111-4222-8333-444455556666/timeline", { key: c.key });
    expect(gatewaySays(answer)).toBe("404 MESSAGE_NOT_FOUND");
  });
});
