import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { resumeSends } from "../../../../src/core/channels/links/channel-queues.ts";
import { applyReport } from "../../../../src/core/channels/links/report.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { ChannelId } from "../../../../src/kernel/ids.ts";
import {
  accountStatus,
  type DunningWorld,
  daysAgo,
  dun,
  markPaid,
  newDebtor,
  startDunningWorld,
} from "../../../support/billing/dunning.ts";
import { change } from "../../../support/billing/invoicing.ts";
import {
  type Customer,
  customerOf,
  holdBack,
  release,
  rowsOf,
  sendsOf,
  TO,
} from "../../../support/customers/customer.ts";
import { operate } from "../../../support/customers/operations.ts";
import { scheduled, scheduledOf } from "../../../support/customers/scheduled.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { untilConnected, WEBHOOK_SECRET } from "../../../support/world.ts";

let w: DunningWorld;
let c: Customer & Pick<Awaited<ReturnType<typeof newDebtor>>, "owes" | "invoice">;
beforeAll(async () => {
  w = await startDunningWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  const debtor = await newDebtor(w);
  const hook = w.receiver();
  const phone = await w.wabaPhone(debtor.key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
  hook.arrived.length = 0;
  c = {
    ...debtor,
    ...customerOf(w, { accountId: debtor.accountId, key: debtor.key, phone, hook }),
    invoice: debtor.invoice,
    owes: debtor.owes,
  };
});

/** Has the account be suspended for an invoice; its id. */
const suspended = async (): Promise<string> => {
  const id = await c.owes(12_990, daysAgo(w, 14));
  await dun(w);
  expect(await accountStatus(w, c.accountId)).toBe("SUSPENDED SUSPENDED");
  return id;
};

const receive = async (text: string) => {
  await w.graph.inbound.batch([{ kind: "text", to: c.phone.phoneNumberId, from: TO, text }]);
  await w.settle();
};

test("X-154 X-158 GAP-X01 every call is refused, and the refusal says what is to be paid and where", async () => {
  const id = await suspended();
  const { status, body } = await w.gateway("/v1/billing/invoices", { key: c.key });
  const [row] = await rowsOf<Record<string, string>>(
    w,
    "SELECT gateway_invoice_url AS url, pix_copy_paste AS pix FROM invoices WHERE id = ?1",
    [id],
  );
  expect([status, body.error.code]).toEqual([402, "ACCOUNT_SUSPENDED"]);
  expect(body.error.details).toEqual({
    invoices: [
      { id, totalCents: 12_990, dueDate: daysAgo(w, 14), gatewayInvoiceUrl: row?.["url"], pixCopyPaste: row?.["pix"] },
    ],
  });
  expect([row?.["url"], row?.["pix"]]).toEqual([
    expect.stringContaining("http"),
    expect.stringContaining("br.gov.bcb.pix"),
  ]);
});

test("GAP-X01 of many unpaid invoices the refusal names ten, the longest due first, and none of another account", async () => {
  const other = await newDebtor(w);
  await other.owes(1, daysAgo(w, 90));
  for (let n = 0; n < 12; n++) await c.owes(100, daysAgo(w, 10 + n));
  await dun(w);
  const { invoices } = (await w.gateway("/v1/phones", { key: c.key })).body.error.details;
  expect(invoices.map(({ dueDate }: { dueDate: string }) => dueDate)).toEqual(
    Array.from({ length: 10 }, (_, n) => daysAgo(w, 21 - n)),
  );
});

describe("the worker", () => {
  const queue = () => `channel:${c.phone.id}`;
  const texts = () => sendsOf(w, c).map((body) => body.reaction?.emoji ?? body.text?.body);
  const away = () =>
    w.app.env.db.write((tx) => applyReport(w.app.env, tx, c.phone.id as ChannelId, { state: "TOKEN_EXPIRED" }));
  const claims = () => rowsOf(w, "SELECT claims FROM jobs WHERE queue = ?1 ORDER BY id", [queue()]);

  test("X-156 what is queued waits for days and through a restart, untouched, and goes out once and in order when the account has paid", async () => {
    const first = await c.sent({ content: { text: "before" } });
    await holdBack(w, queue());
    const { messageId } = (await c.send({ content: { text: "queued" } })).body;
    expect((await operate(w, c, ["react", first], { emoji: "👍" })).status).toBe(202);
    const id = await suspended();
    await release(w, queue());
    const before = await claims();
    expect(before).toHaveLength(2);
    await w.advance(3 * DAY_MS);
    await w.restart();
    await w.advance(HOUR_MS);
    expect([texts(), await claims()]).toEqual([["before"], before]);
    await untilConnected(w, c.phone.id);
    await markPaid(w, id);
    expect(texts()).toEqual(["before", "queued", "👍"]);
    expect((await c.message(messageId)).status).toBe("SENT");
    await w.advance(HOUR_MS);
    expect(texts()).toHaveLength(3);
  });

  test("X-156 a phone that connects again meanwhile sends nothing either", async () => {
    await c.sent({ content: { text: "before" } });
    await holdBack(w, queue());
    await c.send({ content: { text: "queued" } });
    await suspended();
    await release(w, queue());
    await w.app.env.db.write(async (tx) => resumeSends(w.app.env, tx, c.phone.id as ChannelId));
    await w.settle();
    expect(texts()).toEqual(["before"]);
  });

  test("X-156 what waits for its phone, too, has all of its 24 hours when the account has paid, and no more", async () => {
    await c.sent({ content: { text: "before" } });
    await holdBack(w, queue());
    const { messageId } = (await c.send()).body;
    await away();
    await release(w, queue());
    const id = await suspended();
    await w.advance(3 * DAY_MS);
    await markPaid(w, id);
    await w.advance(23 * HOUR_MS);
    expect((await c.message(messageId)).status).toBe("QUEUED");
    await w.advance(HOUR_MS);
    expect(await c.message(messageId)).toMatchObject({ status: "FAILED" });
    expect(texts()).toEqual(["before"]);
  });

  test("X-156 what is scheduled for a time of the suspension is sent when it ends, once", async () => {
    const due = await scheduled(w, c, HOUR_MS);
    const id = await suspended();
    await w.advance(2 * DAY_MS);
    expect([texts(), await rowsOf(w, "SELECT status FROM scheduled WHERE id = ?1", [due])]).toEqual([
      [],
      [{ status: "PENDING" }],
    ]);
    await markPaid(w, id);
    expect([texts(), (await scheduledOf(w, c, due)).status]).toEqual([["até logo"], "SENT"]);
  });

  test("X-156 with a phone that is away when the suspension ends, what was scheduled waits its five minutes from then", async () => {
    const due = await scheduled(w, c, HOUR_MS);
    await away();
    const id = await suspended();
    await w.advance(2 * DAY_MS);
    await markPaid(w, id);
    await w.advance(4 * MINUTE_MS);
    expect((await scheduledOf(w, c, due)).status).toBe("PROCESSING");
    await w.advance(MINUTE_MS);
    expect((await scheduledOf(w, c, due)).status).toBe("FAILED");
  });
});

test("X-155 GAP-X08 what comes in is taken in, its events are dead letters, and nothing is posted", async () => {
  const id = await suspended();
  const posted = c.hook.arrived.length;
  await receive("while suspended");
  expect(c.hook.arrived.length).toBe(posted);
  await markPaid(w, id);
  expect((await c.events()).filter(({ type }: { type: string }) => type === "message:received")).toHaveLength(1);
  await receive("after");
  expect(c.hook.arrived.slice(posted).map(({ body }) => body.type)).toEqual([
    "billing:invoice.paid",
    "message:received",
  ]);
});

test("X-155 an account that is cancelled while it owes is no longer suspended: its events go out like any cancelled account's, and it is not counted as suspended", async () => {
  const counted = async () => (await w.gateway("/v1/admin/stats", { admin: true })).body.accounts.suspended;
  const before = await counted();
  await suspended();
  expect(await counted()).toBe(before + 1);
  await change(w, c.accountId, { status: "CANCELLED" });
  expect([await accountStatus(w, c.accountId), await counted()]).toEqual(["CANCELLED SUSPENDED", before]);
  const posted = c.hook.arrived.length;
  await receive("while cancelled");
  expect(c.hook.arrived.slice(posted).map(({ body }) => body.type)).toEqual(["message:received"]);
});

test("X-157 the phone stays connected", async () => {
  const id = await suspended();
  await w.restart();
  await untilConnected(w, c.phone.id);
  await markPaid(w, id);
  expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.status).toBe("CONNECTED");
});

test("GAP-X08 an open stream ends with the suspension, at once", async () => {
  const opened = await fetch(`${w.app.url}/gateway/v1/events/stream`, { headers: { "x-api-key": c.key } });
  expect(opened.status).toBe(200);
  const rest = opened.text();
  await suspended();
  expect(await rest).toMatch(/^: connected\nid: \S+\n\n$/);
  expect(gatewaySays(await w.gateway("/v1/events/stream", { key: c.key }))).toBe("402 ACCOUNT_SUSPENDED");
});

describe("an administrator who sets the status ACTIVE", () => {
  const reprieve = () => change(w, c.accountId, { status: "ACTIVE" });
  const acts = () =>
    rowsOf<{ action: string; actor: string }>(
      w,
      "SELECT action, actor FROM audit_entries WHERE tenant_id = ?1 ORDER BY id DESC LIMIT 2",
      [c.accountId],
    );

  test("ends a suspension at once although something is overdue: what waited goes out, and the audit log says who did it", async () => {
    await c.sent({ content: { text: "before" } });
    await holdBack(w, `channel:${c.phone.id}`);
    await c.send({ content: { text: "queued" } });
    const id = await suspended();
    await release(w, `channel:${c.phone.id}`);
    await reprieve();
    await w.settle();
    expect([await accountStatus(w, c.accountId), (await c.invoice(id)).status]).toEqual(["ACTIVE CRITICAL", "OVERDUE"]);
    expect(sendsOf(w, c).map((body) => body.text?.body)).toEqual(["before", "queued"]);
    expect(await acts()).toEqual([
      { action: "account.reinstate", actor: "admin" },
      { action: "account.change", actor: "admin" },
    ]);
  });

  test("is not undone by the next dunning for the same invoice; another invoice suspends in its own time", async () => {
    await suspended();
    await reprieve();
    await w.advance(30 * DAY_MS);
    await dun(w);
    expect(await accountStatus(w, c.accountId)).toBe("ACTIVE CRITICAL");
    await c.owes(500, daysAgo(w, 13));
    await dun(w);
    expect(await accountStatus(w, c.accountId)).toBe("ACTIVE CRITICAL");
    await w.advance(DAY_MS);
    await dun(w);
    expect(await accountStatus(w, c.accountId)).toBe("SUSPENDED SUSPENDED");
  });

  test("says nothing of a payment that is taken back after everything was paid: its invoice suspends", async () => {
    const id = await suspended();
    await reprieve();
    await markPaid(w, id);
    expect(await accountStatus(w, c.accountId)).toBe("ACTIVE NONE");
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE invoices SET status = 'OVERDUE', paid_at = NULL WHERE id = ?1", [id]),
    );
    await dun(w);
    expect(await accountStatus(w, c.accountId)).toBe("SUSPENDED SUSPENDED");
  });

  test("changes no stage of an account that is not suspended", async () => {
    await c.owes(500, daysAgo(w, 8));
    await dun(w);
    await reprieve();
    expect(await accountStatus(w, c.accountId)).toBe("ACTIVE CRITICAL");
    await w.advance(6 * DAY_MS);
    await dun(w);
    expect(await accountStatus(w, c.accountId)).toBe("SUSPENDED SUSPENDED");
  });
});
