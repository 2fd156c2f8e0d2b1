import { describe, expect, test } from "bun:test";
import { iso } from "../../../../src/kernel/clock.ts";
import { newCustomer, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const writes = async (text = "oi") => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text, at: w.clock.now() });
  await w.settle();
};
const asked = (fields: Record<string, string>) =>
  w.gateway(`/v1/events?${new URLSearchParams(fields).toString()}`, { key: c.key });
const types = async (fields: Record<string, string>): Promise<string[]> =>
  (await asked(fields)).body.items.map(({ type }: any) => type);

describe("GET /v1/events", () => {
  test("shows what happened with include=data, as the webhook did, and not without", async () => {
    await writes("com dados");
    const [bare] = (await asked({ type: "message:received" })).body.items;
    expect(bare).not.toHaveProperty("data");
    const [full] = (await asked({ type: "message:received", include: "data" })).body.items;
    const { data, ...rest } = full;
    expect([rest, data]).toEqual([bare, c.hook.arrived[0]?.body.data]);
  });

  test("of several types, newest first, with a cursor", async () => {
    await writes("1");
    await c.sent();
    await writes("2");
    const both = "message:received,message:status";
    expect(await types({ types: both })).toEqual(["message:received", "message:status", "message:received"]);
    const first = (await asked({ types: both, limit: "2" })).body;
    const second = (await asked({ types: both, limit: "2", cursor: first.nextCursor })).body;
    const ids = [...first.items, ...second.items].map(({ id }: any) => id);
    expect([new Set(ids).size, second.nextCursor]).toEqual([3, null]);
    expect(await types({ types: "message:status" })).toEqual(["message:status"]);
    expect(await types({ types: "call:*,call:offer" })).toEqual([]);
  });

  test("of a time: `since` is included, `until` is not, in every status", async () => {
    await writes("before");
    await w.advance(60_000);
    const middle = iso(w.clock.now());
    await writes("after");
    await writes("after");
    const shown = async (fields: Record<string, string>) =>
      (await asked({ include: "data", type: "message:received", ...fields })).body.items.map(
        ({ data }: any) => data.content.text,
      );
    expect(await shown({ since: middle })).toEqual(["after", "after"]);
    expect(await shown({ until: middle })).toEqual(["before"]);
    expect(await shown({ since: middle, status: "DELIVERED" })).toEqual(["after", "after"]);
    expect(await shown({ since: iso(w.clock.now() + 3_600_000) })).toEqual([]);
    expect(await shown({ until: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(await shown({ since: middle, status: "DEAD" })).toEqual([]);
  });

  test.each([
    [{ types: "message:unknown" }],
    [{ type: "message:status", types: "message:received" }],
    [{ types: Array(11).fill("message:status").join() }],
    [{ since: "yesterday" }],
    [{ include: "everything" }],
  ])("refuses %j", async (fields) => {
    expect(gatewaySays(await asked(fields as Record<string, string>))).toBe("400 VALIDATION_ERROR");
  });
});
