import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auditLogOf, recordedBy } from "../../support/apis/audit.ts";
import { type BilledWorld, CPF, newPayer, startBilledWorld } from "../../support/billing/billing.ts";
import { joined } from "../../support/tenants/platform.ts";
import { ADMIN_TOKEN, type Answer, WEBHOOK_SECRET } from "../../support/world.ts";

let w: BilledWorld;
beforeAll(async () => {
  w = await startBilledWorld({ RECADO_ALERT_URL: "http://127.0.0.1:1/" }); // nobody answers there
});
afterAll(() => w.stop());

const admin = (path: string, body?: object, method = "POST"): Promise<Answer> =>
  w.gateway(`/v1/admin${path}`, { admin: true, method, ...(body ? { body } : {}) });
/** The one entry that an act leaves. */
const only = async (act: () => Promise<unknown>) => {
  const entries = await recordedBy(w, act);
  expect(entries.map(({ action }) => action)).toHaveLength(1);
  return entries[0];
};

describe("an act of the administrator", () => {
  test("that is refused is recorded nowhere", async () => {
    const { id } = await w.account();
    const refused = [
      () => admin("/accounts", { name: "" }),
      () => admin("/accounts", { name: "x", planCode: "no-such-plan" }),
      () => admin("/accounts/00000000-0000-4000-8000-000000000000", { name: "x" }, "PATCH"),
      () => admin(`/accounts/${id}`, { planCode: "no-such-plan" }, "PATCH"),
      () => admin("/plans", { code: "free_tier", kind: "flat" }),
      () => admin("/plans/none", { perMessageCents: 1 }, "PATCH"),
      () => admin("/jobs/none/run"),
      () => admin("/invoices/none/void"),
      () => w.gateway("/v1/admin/accounts", { body: { name: "x" }, headers: { "x-admin-token": `${ADMIN_TOKEN}x` } }),
    ];
    for (const act of refused)
      expect(await recordedBy(w, async () => expect((await act()).status).toBeGreaterThanOrEqual(400))).toEqual([]);
  });

  test("that changes nothing is recorded once: a key is revoked once", async () => {
    const { id } = await w.account();
    const [key] = (await w.gateway(`/v1/admin/accounts/${id}/api-keys`, { admin: true })).body;
    expect(
      await recordedBy(
        w,
        async () => void (await Promise.all([1, 2, 3].map(() => admin(`/api-keys/${key.id}/revoke`)))),
      ),
    ).toMatchObject([{ action: "key.revoke", target: key.id }]);
  });

  test("through a proxy of this machine is recorded with the client's address", async () => {
    const entry = await only(() =>
      w.gateway("/v1/admin/token", { admin: true, method: "POST", headers: { "x-forwarded-for": "203.0.113.9" } }),
    );
    expect(entry?.details).toEqual({ address: "203.0.113.9" });
  });

  test("with the token of this machine's commands is theirs", async () => {
    const entry = await only(() =>
      w.gateway("/v1/admin/accounts", { body: { name: "x" }, headers: { "x-admin-token": w.app.env.localToken } }),
    );
    expect(entry).toMatchObject({ actor: "local", action: "account.create" });
  });
});

describe("an act of an account or an institution", () => {
  test("through the gateway is its key's: phones, webhooks and the provider of language models", async () => {
    const { id: tenantId, key } = await w.account();
    const [{ id: keyId }] = (await w.gateway(`/v1/admin/accounts/${tenantId}/api-keys`, { admin: true })).body;
    const call = (path: string, method: string, body?: object) =>
      w.gateway(path, { key, method, ...(body ? { body } : {}) });
    const entries = await recordedBy(w, async () => {
      const { id } = (await call("/v1/phones", "POST", { type: "SESSION", label: "Shop" })).body;
      await call(`/v1/phones/${id}`, "PATCH", {
        webhook: { url: "https://example.com/secret-path", secret: WEBHOOK_SECRET },
      });
      await call(`/v1/phones/${id}/logout`, "POST");
      const shared = (
        await call("/v1/webhooks", "POST", { label: "Shared", url: "https://example.com/x", secret: WEBHOOK_SECRET })
      ).body;
      await call(`/v1/webhooks/${shared.id}`, "PATCH", { secret: `${WEBHOOK_SECRET} anew` });
      await call(`/v1/webhooks/${shared.id}`, "DELETE");
      await call("/v1/account/integrations/llm", "PATCH", { apiKey: "sk-very-secret-key" });
      await call(`/v1/phones/${id}`, "DELETE");
    });
    const acts = [
      "channel.create",
      "webhook.change",
      "channel.logout",
      "webhook.create",
      "webhook.change",
      "webhook.delete",
      "llm.change",
      "channel.delete",
    ];
    expect(entries.map(({ action }) => action)).toEqual(acts);
    expect(
      entries.filter(
        (entry) =>
          entry.actor !== `key:${keyId}` || entry.tenantId !== tenantId || entry.details["address"] !== "127.0.0.1",
      ),
    ).toEqual([]);
    expect(entries.filter(({ action }) => action === "webhook.change").map(({ details }) => details["fields"])).toEqual(
      [["url", "secret", "events"], ["secret"]],
    );
  });

  test("through the platform is its user's or its key's: registration, members, keys, channels and webhooks", async () => {
    const guest = await w.institution();
    const entries = await recordedBy(w, async () => {
      const { id, token, userId } = await w.institution();
      const ofGuest = await joined(w, { id, token }, guest, "VIEWER");
      await w.platform(`/v1/institutions/${id}/members/${guest.userId}`, {
        token,
        method: "PATCH",
        body: { role: "ADMIN" },
      });
      const { invitationId } = (
        await w.platform(`/v1/institutions/${id}/members`, { token: ofGuest, body: { email: "nobody@example.com" } })
      ).body;
      await w.platform(`/v1/institutions/${id}/invitations/${invitationId}`, { token, method: "DELETE" });
      await w.platform(`/v1/institutions/${id}/members/${guest.userId}`, { token, method: "DELETE" });
      const key = await w.platformKey(token);
      const channel = (await w.platform("/v1/channels", { key, body: { name: "Shop", type: "CHAT_SESSION" } })).body;
      await w.platform(`/v1/channels/${channel.id}`, { key, method: "DELETE" });
      const [{ id: keyId }] = (await w.platform("/v1/api-keys", { token })).body.data;
      await w.platform(`/v1/api-keys/${keyId}`, { token, method: "DELETE" });
      expect({ userId, keyId }).toMatchObject({ userId: expect.any(String) });
    });
    const members = [
      "member.invite",
      "member.add",
      "member.change-role",
      "member.invite",
      "member.withdraw",
      "member.remove",
    ];
    const acts = [
      "institution.create",
      "session.begin",
      "institution.change-plan",
      ...members,
      "key.create",
      "channel.create",
      "channel.delete",
      "key.revoke",
    ];
    expect(entries.map(({ action, actor }) => `${action} ${actor.split(":")[0]}`)).toEqual(
      acts.map(
        (action) => `${action} ${action.startsWith("channel") ? "key" : action.endsWith("plan") ? "local" : "user"}`,
      ),
    );
    const inInstitution = entries.filter(({ action }) => action !== "session.begin");
    expect(new Set(inInstitution.map(({ tenantId }) => tenantId)).size).toBe(1);
  });

  test("that is another tenant's is recorded nowhere", async () => {
    const [mine, theirs] = [await w.account(), await w.account()];
    const { id } = (await w.gateway("/v1/phones", { key: theirs.key, body: { type: "SESSION", label: "Theirs" } }))
      .body;
    expect(await recordedBy(w, () => w.gateway(`/v1/phones/${id}`, { key: mine.key, method: "DELETE" }))).toEqual([]);
  });
});

test("a suspension and its end are recorded, by the server itself and by who has noted the payment", async () => {
  const payer = await newPayer(w);
  const id = await payer.owes(5000, "2026-01-01");
  const entries = await recordedBy(w, async () => {
    await admin("/jobs/dunning/run");
    await w.settle();
    await admin(`/invoices/${id}/mark-paid`);
  });
  const mine = entries
    .filter(({ tenantId }) => tenantId === payer.accountId)
    .map(({ actor, action }) => `${actor} ${action}`);
  expect(mine.filter((act) => !act.includes("invoice.issue"))).toEqual([
    "system account.suspend",
    "admin account.reinstate",
    "admin invoice.mark-paid",
  ]);
});

test("a change of the payer is recorded by the names of what was given, without the taxpayer's number", async () => {
  const { id, key } = await w.account();
  const entries = await recordedBy(w, () =>
    w.gateway("/v1/billing/customer", { key, body: { cpfCnpj: CPF, name: "Ana Souza" } }),
  );
  expect(entries).toMatchObject([
    { action: "account.change", target: id, tenantId: id, details: { payer: ["cpfCnpj", "name"] } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${CPF}|Ana`));
});

test("no entry has a secret", async () => {
  const { key } = await w.account();
  const { token } = await w.institution();
  const platformKey = await w.platformKey(token);
  const adminToken = (await admin("/token")).body.token;
  await w.wabaPhone(key, { webhook: { url: "https://example.com/hook-with-a-token", secret: WEBHOOK_SECRET } });
  const entries = JSON.stringify(await auditLogOf(w));
  for (const secret of [
    key,
    platformKey,
    adminToken,
    ADMIN_TOKEN,
    WEBHOOK_SECRET,
    token,
    "hook-with-a-token",
    "EAAtoken",
    "sk-very-secret",
    "@example.com",
  ])
    expect([secret, entries.includes(secret)]).toEqual([secret, false]);
});
