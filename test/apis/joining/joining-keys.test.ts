import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { rowsOf, sendsOf, TO } from "../../support/customers/customer.ts";
import { join, newCompany } from "../../support/customers/joining.ts";
import { inMs, payloadOf, schedule, scheduledOf } from "../../support/customers/scheduled.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { connectedChannel, gatewayKeyOf, made } from "../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCompany(w));

describe("an idempotency key that both have used", () => {
  const idempotencyKey = "a-key-of-both";
  /** The institution as a client of the gateway, with a phone of its own. */
  const institutionSends = async () => {
    const [own, key] = [await connectedChannel(w, c.institution), await gatewayKeyOf(w, c.institution)];
    return (change: object = {}) =>
      w.gateway("/v1/messages", {
        key,
        body: {
          phoneId: own.id,
          to: TO,
          type: "text",
          content: { text: "of the institution" },
          idempotencyKey,
          ...change,
        },
      });
  };
  const toSchedule = (change: object = {}) => ({
    scheduledAt: inMs(w, HOUR_MS),
    payload: payloadOf(c.account, { content: { text: "later" }, idempotencyKey, ...change }),
  });
  const keys = () => rowsOf(w, "SELECT key FROM idempotency_keys WHERE key = ?1", [idempotencyKey]);

  test("means the institution's message; the account's scheduled one is sent, and repeats of either send nothing", async () => {
    const send = await institutionSends();
    const first = made(await send(), 202);
    const asked = toSchedule();
    const { id } = made(await schedule(w, c.account, asked), 201);
    await join(w, c);
    expect(gatewaySays(await schedule(w, c.account, asked))).toBe("409 IDEMPOTENCY_KEY_REUSED");
    expect(made(await send(), 200).messageId).toBe(first.messageId);
    await w.advance(HOUR_MS);
    expect((await scheduledOf(w, c.account, id)).status).toBe("SENT");
    expect(sendsOf(w, c.account).map(({ text }) => text.body)).toEqual(["later"]);
  });

  test("of two scheduled messages both are sent, each once", async () => {
    const [own, key] = [await connectedChannel(w, c.institution), await gatewayKeyOf(w, c.institution)];
    const asked = toSchedule();
    const payload = { ...asked.payload, phoneId: own.id, content: { text: "of the institution" } };
    const theirs = made(await w.gateway("/v1/messages/scheduled", { key, body: { ...asked, payload } }), 201).id;
    const { id } = made(await schedule(w, c.account, asked), 201);
    await join(w, c);
    await w.advance(HOUR_MS);
    const rows = await rowsOf<{ id: string; status: string }>(
      w,
      "SELECT id, status FROM scheduled WHERE id IN (?1, ?2)",
      [theirs, id],
    );
    expect(rows.map(({ status }) => status)).toEqual(["SENT", "SENT"]);
    const texts = await rowsOf<{ text: string }>(
      w,
      "SELECT content ->> 'text' AS text FROM messages WHERE channel_id IN (?1, ?2) ORDER BY 1",
      [own.id, c.account.phone.id],
    );
    expect(texts.map(({ text }) => text)).toEqual(["later", "of the institution"]);
    await w.advance(DAY_MS);
    expect(sendsOf(w, c.account)).toHaveLength(1);
  });

  test("GAP-G36 is refused as before where the account itself had used it for another message", async () => {
    await (await institutionSends())();
    const { id } = made(await schedule(w, c.account, toSchedule()), 201);
    await w.app.env.db.write(async (tx) =>
      // as a version left it that claimed no key for what it scheduled
      tx.run("DELETE FROM idempotency_keys WHERE tenant_id = ?1", [c.account.accountId]),
    );
    made(await c.account.send({ idempotencyKey }), 202);
    await join(w, c);
    await w.advance(HOUR_MS);
    expect((await scheduledOf(w, c.account, id)).failedReason).toStartWith("[IDEMPOTENCY_KEY_REUSED]");
  });

  test("means the account's where the institution's has ended", async () => {
    const send = await institutionSends();
    made(await send(), 202);
    await w.advance(DAY_MS - MINUTE_MS);
    const first = made(await c.account.send({ idempotencyKey }), 202);
    w.clock.advance(MINUTE_MS); // the institution's has ended, and is not removed yet
    expect(await keys()).toHaveLength(2);
    await join(w, c);
    expect(made(await c.account.send({ idempotencyKey }), 200).messageId).toBe(first.messageId);
    expect(gatewaySays(await send())).toBe("409 IDEMPOTENCY_KEY_REUSED");
  });
});
