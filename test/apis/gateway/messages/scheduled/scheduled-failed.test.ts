import { describe, expect, test } from "bun:test";
import { changeAccount } from "../../../../../src/core/billing/accounts.ts";
import { discardScheduled } from "../../../../../src/core/messaging/scheduled/due.ts";
import { LOCAL } from "../../../../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import type { ChannelId } from "../../../../../src/kernel/ids.ts";
import { newCustomer, rowsOf, sendsOf } from "../../../../support/customers/customer.ts";
import { disconnect, endOf, inMs, onScheduled, reconnect, scheduled } from "../../../../support/customers/scheduled.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

const SOON = 5000;
const texts = () => sendsOf(w, c).map(({ text }) => text.body);
const stateOf = (id: string) => endOf(w, c, id);
const jobsOf = (id: string) => rowsOf(w, "SELECT owner, run_at FROM jobs WHERE unique_key = ?1", [`scheduled:${id}`]);
const queue = () => `scheduled:${c.phone.id}`;

describe("a phone that is not connected when a message is due", () => {
  test("GAP-G45 is waited for during 5 minutes: the message is PROCESSING, and goes out when the phone connects", async () => {
    const id = await scheduled(w, c, SOON);
    await disconnect(w, c);
    await w.advance(SOON + 5 * MINUTE_MS - 1);
    expect((await stateOf(id)).status).toBe("PROCESSING");
    for (const method of ["PATCH", "DELETE"] as const)
      expect(
        gatewaySays(
          await onScheduled(w, c, id, {
            method,
            ...(method === "PATCH" ? { body: { scheduledAt: inMs(w, DAY_MS) } } : {}),
          }),
        ),
      ).toBe("409 SCHEDULED_NOT_PENDING");
    await reconnect(w, c);
    expect([texts().at(-1), (await stateOf(id)).status]).toEqual(["até logo", "SENT"]);
  });

  test("GAP-G45 after 5 minutes the message is FAILED, with the reason, and never goes out", async () => {
    const ids = [await scheduled(w, c, SOON), await scheduled(w, c, SOON + MINUTE_MS)] as const;
    await disconnect(w, c);
    await w.advance(SOON + 5 * MINUTE_MS - 1);
    expect((await stateOf(ids[0])).status).toBe("PROCESSING");
    await w.advance(1);
    expect(await stateOf(ids[0])).toEqual({
      status: "FAILED",
      messageId: null,
      failedReason: "[PHONE_NOT_CONNECTED] The phone is not connected.",
    });
    expect((await stateOf(ids[1])).status).toBe("PROCESSING");
    await w.advance(MINUTE_MS);
    expect((await stateOf(ids[1])).status).toBe("FAILED");
    await reconnect(w, c);
    await w.advance(DAY_MS);
    expect(texts()).toEqual(["the last", "the last"]);
  });
});

describe("what cannot be accepted when it is due is FAILED with the code that a send would be refused with, and nothing goes out", () => {
  const isFailed = async (id: string, reason: string) => {
    await w.advance(SOON);
    expect(await stateOf(id)).toEqual({
      status: "FAILED",
      messageId: null,
      failedReason: expect.stringContaining(reason),
    });
    expect([texts(), await jobsOf(id)]).toEqual([[], []]);
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
  };

  test("a reply to a message that is not known", async () => {
    await isFailed(
      await scheduled(w, c, SOON, { quotedMessageId: "0198a000-1111-4222-8333-444455556666" }),
      "[MESSAGE_KEY_NOT_FOUND] ",
    );
  });

  test("a template that is not approved at that time", async () => {
    await isFailed(
      await scheduled(w, c, SOON, { type: "template", content: { name: "not_approved" } }),
      "[TEMPLATE_NOT_APPROVED] ",
    );
  });

  test("content that is not taken any more, by its field", async () => {
    const id = await scheduled(w, c, SOON);
    await w.app.env.db.write(async (tx) =>
      tx.rows("UPDATE scheduled SET payload = json_set(payload, '$.content.text', '') WHERE id = ?1", [id]),
    );
    await isFailed(id, "[VALIDATION_ERROR] The request is not valid. content.text must have at least 1 character");
  });

  test("anything of an account that is cancelled", async () => {
    const id = await scheduled(w, c, SOON);
    await changeAccount(w.app.env, LOCAL, c.accountId, { status: "CANCELLED" });
    await w.advance(SOON);
    await changeAccount(w.app.env, LOCAL, c.accountId, { status: "ACTIVE" });
    await isFailed(id, "[ACCOUNT_INACTIVE] ");
  });

  test("anything whose job is given up", async () => {
    const id = await scheduled(w, c, SOON);
    await w.app.env.db.write((tx) =>
      discardScheduled(w.app.env, tx, { scheduledId: id, channelId: c.phone.id as ChannelId }, "a bug"),
    );
    await isFailed(id, "[INTERNAL_ERROR] a bug");
  });
});

test("G-144 GAP-G17 a phone that is deleted cancels in one go what is scheduled for it, also what is due and waits; the rest stays", async () => {
  const other = await w.wabaPhone(c.key);
  const [waiting, pending, ofOther] = [
    await scheduled(w, c, SOON),
    await scheduled(w, c, DAY_MS),
    await scheduled(w, c, DAY_MS, { phoneId: other.id }),
  ] as const;
  await disconnect(w, c);
  await w.advance(SOON);
  expect((await stateOf(waiting)).status).toBe("PROCESSING");
  expect(gatewaySays(await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" }))).toBe("204");
  expect([(await stateOf(waiting)).status, (await stateOf(pending)).status, (await stateOf(ofOther)).status]).toEqual([
    "CANCELED",
    "CANCELED",
    "PENDING",
  ]);
  expect([await jobsOf(waiting), await jobsOf(pending), (await jobsOf(ofOther)).length]).toEqual([[], [], 1]);
  expect(await rowsOf(w, "SELECT key FROM queues WHERE key = ?1", [queue()])).toEqual([]);
  await w.advance(DAY_MS);
  expect((await stateOf(ofOther)).status).toBe("SENT");
  expect((await stateOf(pending)).status).toBe("CANCELED");
});
