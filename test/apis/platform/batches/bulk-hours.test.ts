import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { hoursFrom, openingAt } from "../../../support/customers/business-hours.ts";
import { batchOf, bulkSender, newBatch, numbers, passes, sentBy, useSender } from "../../../support/tenants/bulk.ts";
import { made } from "../../../support/tenants/platform.ts";

const { network, w, who } = useSender();

const setHours = async (body: object): Promise<any> =>
  made(await w.platform("/v1/business-hours", { key: who.key, method: "PUT", body }), 200);
const sent = () => sentBy(network, who.channelId).map(({ to }) => to);
const act = (id: string, what: "pause" | "resume") =>
  w.platform(`/v1/bulk/${id}/${what}`, { key: who.key, method: "POST" });

describe("a batch outside business hours", () => {
  test("is sent, unless it respects them", async () => {
    await setHours(hoursFrom(w, 3 * HOUR_MS));
    const id = await newBatch(w, who);
    await passes(w, MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", respectHours: false, opensAt: null });
  });

  test("waits for the opening, says until when, and sends each message once then", async () => {
    const opening = openingAt(w, 3 * HOUR_MS);
    expect(await setHours(hoursFrom(w, 3 * HOUR_MS))).toMatchObject({ isOpen: false, opensAt: opening });
    const id = await newBatch(w, who, { recipients: numbers(3), respectHours: true });
    await passes(w, HOUR_MS);
    expect(await batchOf(w, who, id)).toMatchObject({
      status: "QUEUED",
      respectHours: true,
      opensAt: opening,
      pending: 3,
    });
    expect(sent()).toEqual([]);
    await passes(w, 2 * HOUR_MS + MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", opensAt: null });
    expect(sent()).toEqual(numbers(3));
    expect(new Date(sentBy(network, who.channelId)[0]?.at ?? 0).toISOString()).toBe(opening);
  });

  test("stops at the closing, and goes on the next day", async () => {
    await setHours(hoursFrom(w, -59 * MINUTE_MS));
    const id = await newBatch(w, who, { recipients: numbers(200), respectHours: true });
    await passes(w, 5 * MINUTE_MS);
    const before = sent().length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(130);
    expect((await batchOf(w, who, id)).opensAt).not.toBeNull();
    await passes(w, 20 * HOUR_MS);
    expect(sent()).toHaveLength(before);
    await passes(w, DAY_MS - 20 * HOUR_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 200 });
    expect(sent()).toEqual(numbers(200));
  });

  test("goes on at once when the hours change and it is open", async () => {
    await setHours(hoursFrom(w, 3 * HOUR_MS));
    const id = await newBatch(w, who, { respectHours: true });
    await passes(w, MINUTE_MS);
    await setHours(hoursFrom(w, -HOUR_MS / 2));
    await passes(w, MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 2 });
  });

  test("that is paused by hand stays paused at the opening, and when the hours change", async () => {
    await setHours(hoursFrom(w, 3 * HOUR_MS));
    const id = await newBatch(w, who, { respectHours: true });
    await passes(w, MINUTE_MS);
    made(await act(id, "pause"), 200);
    await passes(w, 3 * HOUR_MS + MINUTE_MS);
    await setHours(hoursFrom(w, -HOUR_MS / 2));
    await passes(w, MINUTE_MS);
    expect(sent()).toEqual([]);
    made(await act(id, "resume"), 200);
    await passes(w, MINUTE_MS);
    expect(sent()).toEqual(numbers(2));
  });

  test("of another institution, and its hours, are not touched", async () => {
    const other = await bulkSender(w);
    await setHours(hoursFrom(w, 3 * HOUR_MS));
    const { source } = made(await w.platform("/v1/business-hours", { key: other.key }), 200);
    expect(source).toBe("NONE");
  });
});
