import { describe, expect, test } from "bun:test";
import { customerRow } from "../../../src/core/billing/invoices/customer.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { MOVES } from "../../../src/store/laws/joining.ts";
import { saveBillingCustomer } from "../../../src/store/tables/billing/processor.ts";
import { recordedBy } from "../../support/apis/audit.ts";
import { CPF } from "../../support/billing/billing.ts";
import { invoice } from "../../support/billing/invoicing.ts";
import { ANA } from "../../support/customers/conversations.ts";
import { receivedBy, rowsOf, TO } from "../../support/customers/customer.ts";
import {
  type Company,
  join,
  joinAsAdmin,
  joinByCode,
  joinCodeOf,
  newCompany,
} from "../../support/customers/joining.ts";
import { arrives } from "../../support/customers/media.ts";
import { batchOf, newBatch, passes } from "../../support/tenants/bulk.ts";
import { connectedChannel, customer, gatewayKeyOf, joined, made, webhookAt } from "../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCompany(w));

/** How many rows of a tenant there are, by table: what a refusal must not change. Pictures are drawn in their own time. */
const stored = async (tenantId: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(MOVES).filter((name) => name !== "activity_hours")) {
    const [row] = await rowsOf<{ n: number }>(w, `SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?1`, [tenantId]);
    if (row && row.n > 0) counts[table] = row.n;
  }
  return counts;
};

const both = async ({ account, institution }: Company) => ({
  account: await stored(account.accountId),
  institution: await stored(institution.id),
  tenants: await rowsOf(w, "SELECT * FROM tenants WHERE id IN (?1, ?2) ORDER BY id", [
    account.accountId,
    institution.id,
  ]),
});

const writes = async (from = ANA, to = c.account.phone.phoneNumberId) => {
  await w.graph.inbound.text({ to, from, text: "oi" });
  await w.settle();
};

describe("what an institution has of an account after they are joined", () => {
  test("its phone is a channel of the platform with its id, and sends through both APIs", async () => {
    const { phones } = await join(w, c);
    const { phone, key } = c.account;
    expect(phones).toEqual([{ id: phone.id, label: expect.any(String) }]);
    expect((await w.platform("/v1/channels", { key: c.institution.key })).body.data).toMatchObject([
      { id: phone.id, type: "CHAT_WABA", status: "CONNECTED", phoneNumber: phone.number },
    ]);
    made(
      await w.platform(`/v1/channels/${phone.id}/messages/text`, {
        key: c.institution.key,
        body: { to: TO, text: "a" },
      }),
      202,
    );
    made(await c.account.send(), 202);
    await w.settle();
    expect(
      (await w.gateway("/v1/messages", { key })).body.items.map(({ status }: { status: string }) => status),
    ).toEqual(["SENT", "SENT"]);
    expect((await w.gateway(`/v1/phones/${phone.id}`, { key })).body.accountId).toBe(c.institution.id);
  });

  test("its messages, conversations, contacts and files are there with their ids, and files can be fetched", async () => {
    const messageId = await c.account.sent();
    await writes();
    await arrives(w, c.account, { kind: "document", filename: "a.pdf" });
    await w.settle();
    const before = (await w.gateway("/v1/chats", { key: c.account.key })).body.items;
    const [file] = await rowsOf<{ id: string }>(w, "SELECT id FROM media WHERE channel_id = ?1", [c.account.phone.id]);
    const bytes = async () => {
      const { headers } = await w.gateway(`/v1/media/${file?.id}`, { key: c.account.key });
      return (await fetch(headers.get("location") ?? "")).status;
    };
    const early = (await w.gateway(`/v1/media/${file?.id}`, { key: c.account.key })).headers.get("location") ?? "";
    const moved = await join(w, c);
    expect(moved).toMatchObject({
      contacts: 2,
      conversations: 2,
      messages: 3,
      keys: 1,
      webhooks: 1,
      mergedContacts: 0,
    });
    expect(await stored(c.account.accountId)).toEqual({});
    expect((await w.gateway("/v1/chats", { key: c.account.key })).body.items).toEqual(before);
    expect((await c.account.message(messageId)).messageId).toBe(messageId);
    await w.settle();
    const { data } = (await w.platform("/v1/conversations", { key: c.institution.key })).body;
    expect(data).toHaveLength(2);
    expect((await w.platform(`/v1/contacts?search=${ANA}`, { key: c.institution.key })).body.data).toHaveLength(1);
    expect([await bytes(), (await fetch(early)).status]).toEqual([200, 200]);
  });

  test("every event of both phones reaches the webhooks of both APIs, each in its own words", async () => {
    const own = await connectedChannel(w, c.institution);
    const platformHook = w.receiver();
    const accountHook = w.receiver();
    await webhookAt(w, c.institution.key, platformHook, { events: ["message.received", "message.sent"] });
    made(
      await w.gateway("/v1/webhooks", {
        key: c.account.key,
        body: { label: "All", url: accountHook.url, secret: WEBHOOK_SECRET, allPhones: true },
      }),
      201,
    );
    await join(w, c);
    c.account.hook.arrived.length = 0;
    await writes();
    await writes(ANA, own.phoneNumberId);
    await c.account.sent();
    expect(platformHook.arrived.map(({ body }) => body.type as string).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "message.received",
      "message.received",
      "message.sent",
    ]);
    expect(receivedBy(accountHook, "message:received")).toHaveLength(2);
    expect(receivedBy(c.account.hook, "message:received")).toHaveLength(1);
  });

  test("a batch of the platform and an agent of the gateway work on it", async () => {
    await join(w, c);
    const { phone, key } = c.account;
    made(
      await w.gateway(`/v1/phones/${phone.id}/ai-agent`, {
        key,
        method: "PUT",
        body: { systemPrompt: "Be kind to everybody who writes." },
      }),
      200,
    );
    const batchId = await newBatch(w, { key: c.institution.key, channelId: phone.id });
    await passes(w, 10_000);
    expect((await batchOf(w, c.institution, batchId)).status).toBe("COMPLETED");
  });

  test("a person whom both knew is one contact with the conversations of both, and the opt-out of either", async () => {
    const own = await connectedChannel(w, c.institution);
    await writes(ANA, own.phoneNumberId);
    const [known] = (await w.platform("/v1/contacts", { key: c.institution.key })).body.data;
    made(
      await w.platform(`/v1/contacts/${known.id}`, {
        key: c.institution.key,
        method: "PATCH",
        body: { name: "Ana of the institution", tags: ["vip"] },
      }),
      200,
    );
    await writes();
    const [theirs] = made(await w.gateway("/v1/contacts", { key: c.account.key }), 200).items;
    await w.gateway(`/v1/contacts/${theirs.id}/opt-out`, { key: c.account.key, method: "PUT" });
    expect((await join(w, c)).mergedContacts).toBe(1);
    const { data } = (await w.platform("/v1/contacts", { key: c.institution.key })).body;
    const merged = { id: known.id, name: "Ana of the institution", tags: ["vip"], optedOutBy: "request" };
    expect(data).toMatchObject([merged]);
    const conversations = (await w.platform("/v1/conversations", { key: c.institution.key })).body.data;
    expect(conversations.map(({ contactId }: { contactId: string }) => contactId)).toEqual([known.id, known.id]);
    await writes();
    expect((await w.platform("/v1/conversations", { key: c.institution.key })).body.data).toHaveLength(2);
    expect(
      await rowsOf(w, "SELECT n FROM tenant_counts WHERE tenant_id = ?1 AND collection = 'contacts'", [
        c.institution.id,
      ]),
    ).toEqual([{ n: 1 }]);
  });

  test("the account's own provider of language models, with its key", async () => {
    const settings = { apiKey: "sk-of-the-account-1234", embeddingApiKey: "sk-of-knowledge", defaultModel: "a-model" };
    made(await w.gateway("/v1/account/integrations/llm", { key: c.account.key, method: "PATCH", body: settings }), 200);
    await join(w, c);
    expect((await w.gateway("/v1/account/integrations/llm", { key: c.account.key })).body).toMatchObject({
      configured: true,
      defaultModel: "a-model",
    });
    const [row] = await rowsOf<{ key: string; embedding_key: string }>(
      w,
      "SELECT key, embedding_key FROM llm_settings WHERE tenant_id = ?1",
      [c.institution.id],
    );
    expect(w.app.env.secrets.open(`llm_settings:${c.institution.id}:key`, row?.key ?? "")).toBe(settings.apiKey);
    const ofKnowledge = `llm_settings:${c.institution.id}:embedding_key`;
    expect(w.app.env.secrets.open(ofKnowledge, row?.embedding_key ?? "")).toBe(settings.embeddingApiKey);
  });

  test("who pays for it, with a CPF that can still be read", async () => {
    const { db, secrets } = w.app.env;
    const [from, into] = [c.account.accountId as TenantId, c.institution.id as TenantId];
    const payer = { processorCustomerId: "cus_1", createdAt: 1, updatedAt: 1 };
    const cpfCnpj = secrets.seal(customerRow(from), CPF);
    await db.write((tx) => saveBillingCustomer(tx, { ...payer, tenantId: from, cpfCnpj }));
    await join(w, c);
    const [row, ...others] = await rowsOf<{ tenant_id: string; cpf_cnpj: string }>(
      w,
      "SELECT * FROM billing_customers",
    );
    expect([row?.tenant_id, others]).toEqual([into, []]);
    expect(secrets.open(customerRow(into), row?.cpf_cnpj ?? "")).toBe(CPF);
    expect((await w.gateway("/v1/billing/customer", { key: c.account.key })).status).toBe(200);
  });

  test("scheduled messages, idempotency keys and the plan go along", async () => {
    const { phone, key } = c.account;
    const scheduledAt = new Date(w.clock.now() + DAY_MS).toISOString();
    const payload = { phoneId: phone.id, to: TO, type: "text", content: { text: "later" } };
    const { id } = made(await w.gateway("/v1/messages/scheduled", { key, body: { scheduledAt, payload } }), 201);
    const first = made(await c.account.send({ idempotencyKey: "the-only-one" }), 202);
    await w.settle();
    await join(w, c);
    expect(made(await c.account.send({ idempotencyKey: "the-only-one" }), 200).messageId).toBe(first.messageId);
    await w.advance(DAY_MS + MINUTE_MS);
    expect((await w.gateway(`/v1/messages/scheduled/${id}`, { key })).body.status).toBe("SENT");
  });
});

describe("work that began before", () => {
  test("an event of an account that was joined meanwhile reaches the institution", async () => {
    const { publish } = await import("../../../src/core/events/publish.ts");
    const hook = w.receiver();
    await webhookAt(w, c.institution.key, hook, { events: ["message.sent"] });
    const messageId = await c.account.sent();
    await join(w, c);
    const [channel] = await rowsOf<{ id: string }>(w, "SELECT id FROM channels WHERE id = ?1", [c.account.phone.id]);
    const contact = { canonicalKey: `pn:${TO}`, type: "pn" };
    await w.app.env.db.write((tx) =>
      publish(
        w.app.env,
        tx,
        {
          tenantId: c.account.accountId as never,
          channel: { id: channel?.id as never, kind: null, sharedWebhookId: null },
        },
        {
          type: "message.sent",
          messageId,
          conversationId: null,
          to: contact,
          at: 1,
          said: { type: "text", content: { text: "olá" } },
        } as never,
      ),
    );
    await w.settle();
    expect(hook.arrived).toHaveLength(1);
  });

  test("what a request still wrote for the account is the institution's ten minutes later", async () => {
    await join(w, c);
    await w.app.env.db.write(async (tx) => {
      tx.run("UPDATE messages SET tenant_id = ?1 WHERE tenant_id = ?2", [c.account.accountId, c.institution.id]);
      tx.run(
        "INSERT INTO contacts (id, tenant_id, environment, phone_number, number_key, tags, metadata, created_at, updated_at) VALUES ('late', ?1, 'live', '5511999990077', '551199990077', '[]', '{}', 1, 1)",
        [c.account.accountId],
      );
    });
    await w.advance(11 * MINUTE_MS);
    expect(await stored(c.account.accountId)).toEqual({});
    expect(await rowsOf(w, "SELECT tenant_id AS owner FROM contacts WHERE id = 'late'")).toEqual([
      { owner: c.institution.id },
    ]);
  });
});

describe("what waits", () => {
  test("deliveries that a job still writes, queued messages and their fallbacks go along at once", async () => {
    const { account, institution } = c;
    await account.sent();
    const { db, jobs, clock } = w.app.env;
    const [event] = await rowsOf<{ seq: number }>(w, "SELECT seq FROM events WHERE tenant_id = ?1 LIMIT 1", [
      account.accountId,
    ]);
    await db.write(async (tx) => {
      const reach = {
        tenantId: account.accountId as never,
        environment: "live",
        channel: null,
        exceptId: null,
      } as const;
      jobs.enqueue(
        tx,
        "event.fan-out",
        { ...reach, eventSeq: event?.seq ?? 0, after: "" },
        { runAt: clock.now() + DAY_MS },
      );
      const copied = "id, ?1, channel_id, environment, type, recipient, content, 'QUEUED', send_state, 0, 1";
      tx.run(
        `INSERT INTO messages (id, tenant_id, channel_id, environment, type, recipient, content, status, send_state,
          uncertain_attempts, created_at) SELECT 'waits-' || ${copied} FROM messages WHERE tenant_id = ?1`,
        [account.accountId],
      );
    });
    made(await joinByCode(w, institution, await joinCodeOf(w, c)), 200);
    const owners = (sql: string) => rowsOf<{ owner: string }>(w, sql, [institution.id]);
    expect(
      await rowsOf(
        w,
        "SELECT queue, json_extract(payload, '$.tenantId') AS owner FROM jobs WHERE kind = 'event.fan-out'",
      ),
    ).toEqual([{ queue: `fan-out:${institution.id}`, owner: institution.id }]);
    expect(await owners("SELECT tenant_id AS owner FROM messages WHERE status = 'QUEUED' AND tenant_id = ?1")).toEqual([
      { owner: institution.id },
    ]);
    expect(await rowsOf(w, "SELECT tenant_id AS owner FROM events WHERE seq = ?1", [event?.seq])).toEqual([
      { owner: institution.id },
    ]);
    await w.app.env.db.write(async (tx) => tx.run("DELETE FROM jobs WHERE kind = 'event.fan-out'"));
  });
});

describe("who may join", () => {
  test("a dry run says what would happen, and does nothing", async () => {
    await writes();
    const code = await joinCodeOf(w, c);
    const before = await both(c);
    const tried = made(await joinByCode(w, c.institution, code, "?dryRun=true"), 200);
    expect(tried).toMatchObject({ dryRun: true, accountId: c.account.accountId, contacts: 1, messages: 1 });
    expect(await both(c)).toEqual(before);
    expect(made(await joinByCode(w, c.institution, code), 200)).toMatchObject({ ...tried, dryRun: false });
  });

  test("a code is used once, and opens no second institution", async () => {
    const other = await customer(w);
    const code = await joinCodeOf(w, c);
    made(await joinByCode(w, c.institution, code), 200);
    await w.settle();
    const before = await both(c);
    expect((await joinByCode(w, c.institution, code)).body.code).toBe("LINK_NOT_FOUND");
    expect((await joinByCode(w, other, code)).body.code).toBe("LINK_NOT_FOUND");
    expect((await joinAsAdmin(w, c.account.accountId, other.id)).body.error).toMatchObject({
      code: "JOIN_REFUSED",
      details: { reason: "already-joined" },
    });
    expect(await both(c)).toEqual(before);
    expect(await stored(other.id)).toEqual(await stored(other.id));
  });

  test("an altered code, one of a revoked key, and one after half an hour are refused alike", async () => {
    const code = await joinCodeOf(w, c);
    const [accountId = "", ...rest] = code.split(".");
    const victim = await newCompany(w);
    const before = await both(victim);
    const refusals = [
      await joinByCode(w, c.institution, [victim.account.accountId, ...rest].join(".")),
      await joinByCode(w, c.institution, `${code.slice(0, -1)}${code.endsWith("0") ? "1" : "0"}`),
      await joinByCode(w, c.institution, [accountId, "x", String(Number.MAX_SAFE_INTEGER), ""].join(".")),
      await joinByCode(w, c.institution, "nothing of ours"),
    ];
    await w.advance(31 * MINUTE_MS);
    refusals.push(await joinByCode(w, c.institution, code));
    const again = await joinCodeOf(w, c);
    const [{ id: keyId }] = made(await w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true }), 200);
    made(await w.gateway(`/v1/admin/api-keys/${keyId}/revoke`, { admin: true, method: "POST" }), 200);
    refusals.push(await joinByCode(w, c.institution, again));
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(
      refusals.map(() => [404, "LINK_NOT_FOUND"]),
    );
    expect(await both(victim)).toEqual(before);
  });

  test("a limited key makes no code", async () => {
    const refusals: [object, string][] = [
      [{ scopes: ["keys.write"] }, "FORBIDDEN"],
      [{ readOnly: true }, "KEY_SCOPE_MISSING"],
      [{ expiresAt: new Date(w.clock.now() + 3_600_000).toISOString() }, "FORBIDDEN"],
      [{ allowedAddresses: ["127.0.0.1", "::1"] }, "FORBIDDEN"],
    ];
    for (const [limits, refusal] of refusals) {
      const { key } = made(
        await w.gateway("/v1/api-keys", { key: c.account.key, body: { name: "Limited", ...limits } }),
        201,
      );
      expect((await w.gateway("/v1/account/join-codes", { key, method: "POST" })).body.error.code).toBe(refusal);
    }
  });

  test("only an OWNER of the institution takes an account over, and only for that institution", async () => {
    const guest = await w.institution();
    const code = await joinCodeOf(w, c);
    const before = await both(c);
    for (const role of ["ADMIN", "MEMBER"]) {
      const someone = await w.institution();
      const token = await joined(w, c.institution, someone, role);
      expect((await joinByCode(w, { id: c.institution.id, token }, code)).status).toBe(403);
    }
    expect((await joinByCode(w, { id: c.institution.id, token: guest.token }, code)).status).toBe(404);
    expect(
      (await w.platform(`/v1/institutions/${c.institution.id}/accounts`, { key: c.institution.key, body: { code } }))
        .status,
    ).toBe(403);
    expect(await both(c)).toEqual(before);
  });

  test("the audit log has it for the account and for the institution", async () => {
    const code = await joinCodeOf(w, c);
    const acts = await recordedBy(w, () => joinByCode(w, c.institution, code));
    expect(acts.map(({ action, tenantId, actor }) => [action, tenantId, actor])).toEqual([
      ["account.join", c.account.accountId, `user:${c.institution.userId}`],
      ["institution.add-account", c.institution.id, `user:${c.institution.userId}`],
    ]);
  });
});

describe("what is refused, and changes nothing", () => {
  const refusedAs = async (reason: string) => {
    const before = await both(c);
    const { status, body } = await joinAsAdmin(w, c.account.accountId, c.institution.id);
    expect([status, body.error.code, body.error.details.reason]).toEqual([409, "JOIN_REFUSED", reason]);
    expect(await both(c)).toEqual(before);
  };

  test("an unpaid invoice of the account", async () => {
    await invoice(w, c.account.accountId, { totalCents: 100, dueDate: "2030-01-01" });
    await refusedAs("unpaid");
  });

  test("two billing plans; with one, the institution has it afterwards", async () => {
    for (const code of ["join_a", "join_b"])
      await w.gateway("/v1/admin/plans", { admin: true, body: { code, kind: "flat", monthlyFeeCents: 100 } });
    const plan = (id: string, planCode: string) =>
      w.gateway(`/v1/admin/accounts/${id}`, { admin: true, method: "PATCH", body: { planCode } });
    made(await plan(c.account.accountId, "join_a"), 200);
    made(await plan(c.institution.id, "join_b"), 200);
    await refusedAs("two-plans");
    made(await plan(c.institution.id, "free_tier"), 200);
    await join(w, c);
    expect((await w.gateway(`/v1/admin/accounts/${c.institution.id}`, { admin: true })).body.planCode).toBe("join_a");
  });

  test("an account that is switched off, and an institution as the account", async () => {
    const off = (id: string, status: string) =>
      w.gateway(`/v1/admin/accounts/${id}`, { admin: true, method: "PATCH", body: { status } });
    made(await off(c.account.accountId, "INACTIVE"), 200);
    await refusedAs("account-inactive");
    made(await off(c.account.accountId, "ACTIVE"), 200);
    made(await off(c.institution.id, "INACTIVE"), 200);
    await refusedAs("institution-inactive");
    made(await off(c.institution.id, "ACTIVE"), 200);
    const second = await customer(w);
    expect((await joinAsAdmin(w, second.id, c.institution.id)).body.error.details.reason).toBe("institution");
    expect((await joinAsAdmin(w, c.account.accountId, (await w.account()).id)).status).toBe(404);
  });

  test("more phones than the institution's plan allows", async () => {
    const small = await customer(w, "FREE");
    await w.wabaPhone(c.account.key);
    const before = await stored(c.account.accountId);
    const { status, body } = await joinAsAdmin(w, c.account.accountId, small.id);
    expect([status, body.error.code]).toEqual([403, "PLAN_LIMIT_EXCEEDED"]);
    expect([await stored(c.account.accountId), await stored(small.id)]).toEqual([before, await stored(small.id)]);
    made(
      await w.gateway(`/v1/admin/institutions/${small.id}`, {
        admin: true,
        method: "PATCH",
        body: { plan: "STARTER" },
      }),
      200,
    );
    made(await joinAsAdmin(w, c.account.accountId, small.id), 200);
  });

  test("what is left of a joined account: a record that nothing changes", async () => {
    await join(w, c);
    const { accountId } = c.account;
    const record = (await w.gateway(`/v1/admin/accounts/${accountId}`, { admin: true })).body;
    expect(record).toMatchObject({ status: "JOINED", joinedInto: c.institution.id });
    const acts = [
      await w.gateway(`/v1/admin/accounts/${accountId}`, { admin: true, method: "PATCH", body: { status: "ACTIVE" } }),
      await w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true, body: { name: "x" } }),
      await w.gateway(`/v1/admin/accounts/${accountId}/institution`, {
        admin: true,
        body: { plan: "FREE", ownerEmail: "a@example.com" },
      }),
    ];
    expect(acts.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await w.gateway(`/v1/admin/accounts/${accountId}`, { admin: true })).body).toEqual(record);
  });
});

describe("a side of the platform for an account", () => {
  const open = (id: string, plan = "STARTER") =>
    w.gateway(`/v1/admin/accounts/${id}/institution`, {
      admin: true,
      body: { plan, ownerEmail: `owner.${id}@example.com` },
    });

  test("the account becomes an institution with its phones and contacts, and the owner is invited", async () => {
    await writes();
    const { link, institutionId } = made(await open(c.account.accountId), 201);
    expect(institutionId).toBe(c.account.accountId);
    await w.settle();
    const token = /token=([\w-]+)/.exec(link)?.[1];
    const owner = made(
      await w.platform("/v1/auth/join", { body: { token, name: "Owner", password: "a-long-password" } }),
      201,
    );
    const channels = (await w.platform("/v1/channels", { token: owner.token })).body.data;
    expect(channels.map(({ id }: { id: string }) => id)).toEqual([c.account.phone.id]);
    expect((await w.platform(`/v1/contacts?search=${ANA}`, { token: owner.token })).body.data).toHaveLength(1);
    const key = await w.platformKey(owner.token);
    const hook = w.receiver();
    await webhookAt(w, key, hook);
    await c.account.sent();
    expect(hook.arrived).toHaveLength(1);
    expect((await open(c.account.accountId)).body.error.details.reason).toBe("institution");
  });

  test("a plan for fewer channels than it has is refused", async () => {
    await w.wabaPhone(c.account.key);
    expect((await open(c.account.accountId, "FREE")).body.error.code).toBe("PLAN_LIMIT_EXCEEDED");
    expect(
      (await w.gateway(`/v1/admin/accounts/${c.account.accountId}/use`, { admin: true })).body.institutionPlan,
    ).toBeNull();
  });
});

describe("keys of the gateway for an institution", () => {
  const path = () => `/v1/institutions/${c.institution.id}/gateway-keys`;

  test("an owner makes, lists and revokes them; the key opens the gateway", async () => {
    const { token } = c.institution;
    const { id, key } = made(await w.platform(path(), { token, body: { name: "For the gateway" } }), 201);
    const channel = await connectedChannel(w, c.institution);
    expect((await w.gateway("/v1/phones", { key })).body.map((one: { id: string }) => one.id)).toEqual([channel.id]);
    expect((await w.platform(path(), { token })).body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await w.platform(`${path()}/${id}`, { token, method: "DELETE" })).status).toBe(204);
    expect((await w.gateway("/v1/phones", { key })).status).toBe(401);
    expect((await w.platform(path(), { token })).body.data).toEqual([]);
  });

  test("a member, a platform key, and an owner of another institution may not", async () => {
    const other = await customer(w);
    const member = await joined(w, c.institution, await w.institution(), "MEMBER");
    const theirs = await gatewayKeyOf(w, other);
    const [{ id }] = made(await w.gateway(`/v1/admin/accounts/${other.id}/api-keys`, { admin: true }), 200);
    const tried = [
      await w.platform(path(), { token: member, body: { name: "x" } }),
      await w.platform(path(), { key: c.institution.key, body: { name: "x" } }),
      await w.platform(path(), { token: other.token, body: { name: "x" } }),
      await w.platform(`${path()}/${id}`, { token: c.institution.token, method: "DELETE" }),
    ];
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
    expect((await w.gateway("/v1/phones", { key: theirs })).status).toBe(200);
    expect((await w.platform(path(), { token: c.institution.token })).body.data).toEqual([]);
  });
});
