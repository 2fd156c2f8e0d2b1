import { describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, sendsOf, tracesOf, wamidOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld({ logLevel: "debug" });
const c = useEach(() => newCustomer(w));

/** A message that the network has put off: it is queued for half a minute more. */
const queued = async (): Promise<string> => {
  w.graph.failNext(1, { kind: "error", code: 130429 }, { phoneNumberId: c.phone.phoneNumberId });
  return c.sent();
};
const contextOf = (id: string) => sendsOf(w, c).findLast((one) => one.biz_opaque_callback_data === id)?.context;
const sentStatus = (id: string) =>
  receivedBy(c.hook, "message:status").find(({ messageId, status }) => messageId === id && status === "sent");

describe("G-274 a message that quotes one which is still queued", () => {
  test("is accepted, and quotes it when both are sent, also over a restart", async () => {
    const first = await queued();
    const reply = await c.sent({ quotedMessageId: first });
    expect((await c.message(reply)).status).toBe("QUEUED");
    await w.restart();
    await w.advance(30 * SECOND_MS);
    expect(contextOf(reply)).toEqual({ message_id: wamidOf(w, first) });
    expect([(await c.message(first)).status, (await c.message(reply)).status]).toEqual(["SENT", "SENT"]);
    expect(sentStatus(reply)).not.toHaveProperty("quoteDropped");
  });

  test("is sent without the quote when that one fails; the event says so, and the log", async () => {
    const first = await queued();
    const reply = await c.sent({ quotedMessageId: first });
    w.graph.failNext(1, { kind: "error", code: 131026 }, { phoneNumberId: c.phone.phoneNumberId });
    w.logs.length = 0;
    await w.advance(30 * SECOND_MS);
    expect([(await c.message(first)).status, (await c.message(reply)).status, contextOf(reply)]).toEqual([
      "FAILED",
      "SENT",
      undefined,
    ]);
    expect(sentStatus(reply)).toMatchObject({ messageId: reply, quoteDropped: true });
    expect(w.logs.filter((line) => line.includes("sent without its quote"))).toHaveLength(1);
  });

  test("is refused where that one is to somebody else, of another phone, or has failed; nothing happens", async () => {
    const first = await queued();
    const other = await w.wabaPhone(c.key);
    w.graph.failNext(1, { kind: "error", code: 131026 }, { phoneNumberId: other.phoneNumberId });
    const failed = await c.sent({ phoneId: other.id });
    const before = await tracesOf(w, c);
    for (const send of [{ to: "5511999990002" }, { phoneId: other.id }])
      expect(gatewaySays(await c.send({ quotedMessageId: first, ...send }))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    expect(gatewaySays(await c.send({ phoneId: other.id, quotedMessageId: failed }))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    expect(await tracesOf(w, c)).toEqual(before);
  });
});
