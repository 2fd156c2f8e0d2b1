import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { post } from "../../../support/networks/waba-posts.ts";
import { numbers, postBatch, type Sender } from "../../../support/tenants/bulk.ts";
import { type Customer, connectedChannel, customer } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
type Official = Sender & { accountId: string; numberId: string; number: string };

/** An institution with an official number, and where the network posts about it. */
const newOfficial = async (): Promise<Official> => {
  const who: Customer = await customer(w);
  const { id: channelId } = await connectedChannel(w, who);
  const [row] = await rowsOf<{ account_id: string; number_id: string; phone_number: string }>(
    w,
    "SELECT account_id, number_id, phone_number FROM channels WHERE id = ?1",
    [channelId],
  );
  if (!row) throw new Error("there is no channel");
  return { ...who, channelId, accountId: row.account_id, numberId: row.number_id, number: row.phone_number };
};
const who = useEach(newOfficial);

/** The network reports to how many new people the portfolio may write in 24 hours. */
const limitIs = (limit: string | number) =>
  post(w, [{ field: "business_capability_update", value: { max_daily_conversations_per_business: limit } }], {
    accountId: who.accountId,
    at: w.clock.now(),
  });
const batch = async (count: number, first = 0) => {
  const { status, body } = await postBatch(w, who, { recipients: numbers(count, first) });
  return status === 202 ? 202 : `${status} ${body.code}`;
};

describe("the portfolio's limit of new people", () => {
  test("a batch to more new people than it leaves is refused, and stores nothing; a day later it fits", async () => {
    await limitIs(3);
    expect(await batch(4)).toStartWith("429");
    expect(await rowsOf(w, "SELECT id FROM batches WHERE channel_id = ?1", [who.channelId])).toEqual([]);
    expect(await batch(2)).toBe(202);
    expect(await batch(2, 100)).toStartWith("429");
    expect(await batch(2)).toBe(202); // the same people count once
    expect(await batch(1, 200)).toBe(202);
    await w.advance(DAY_MS + 1000);
    expect(await batch(3, 300)).toBe(202);
  });

  test("people who wrote within 24 hours are not new", async () => {
    await limitIs("TIER_1");
    for (const from of numbers(3)) await w.graph.inbound.text({ to: who.numberId, from, text: "oi" });
    await w.settle();
    expect(await batch(3)).toBe(202);
    expect(await batch(4, 100)).toStartWith("429");
  });

  test.each(["TIER_UNLIMITED", "TIER_SOMETHING_NEW", "TIER_2K"])("%s refuses no small batch", async (limit) => {
    await limitIs(limit);
    expect(await batch(20)).toBe(202);
  });
});
