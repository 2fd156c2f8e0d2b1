import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { packEntries } from "../../../src/core/channels/moving/move-archive.ts";
import { moveIn } from "../../../src/core/channels/moving/move-in.ts";
import { LOCAL } from "../../../src/core/tenancy/audit/audit.ts";
import { auditLogOf, recordedBy } from "../../support/apis/audit.ts";
import { documentedRoutes, nameOf } from "../../support/apis/open-api.ts";
import { type BilledWorld, IN_TEN_DAYS, newPayer, startBilledWorld } from "../../support/billing/billing.ts";
import { acceptedIdentity, baileysFiles } from "../../support/session/moved.ts";
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

type AdminCase = {
  act(): Promise<{ answer: Answer; target?: string | undefined; tenantId?: string | undefined }>;
  action: string;
  details?: object;
};
const invoiced = async () => {
  const payer = await newPayer(w);
  return { payer, id: await payer.owes(5000, IN_TEN_DAYS) };
};
const ofInvoice = (verb: string) => async () => {
  const { payer, id } = await invoiced();
  return { answer: await admin(`/invoices/${id}/${verb}`), target: id, tenantId: payer.accountId };
};

const identityFor = (accountId: string) =>
  baileysFiles(acceptedIdentity(`55119${accountId.replaceAll(/\D/g, "").slice(-8)}`));
const importedInto = async (accountId: string): Promise<Answer> => {
  const session = await packEntries(identityFor(accountId));
  return admin("/imports", { accountId, format: "baileys", session, oldServerStopped: true });
};

/** Routes with a body that only look, and one whose world makes backups: test/apis/gateway/admin/admin-machine.process.test.ts. */
const LOOKS = ["POST /v1/admin/imports/inspect", "POST /v1/admin/backups"];

/** TABLE: what each route of the administrator that changes something leaves in the audit log. */
const ADMIN_CASES: Record<string, AdminCase> = {
  "POST /v1/admin/accounts": {
    action: "account.create",
    details: { planCode: "free_tier" },
    async act() {
      const answer = await admin("/accounts", { name: "An account" });
      return { answer, target: answer.body.id, tenantId: answer.body.id };
    },
  },
  "PATCH /v1/admin/accounts/{id}": {
    action: "account.change",
    details: { status: "INACTIVE", fields: ["name", "billingEmail"] },
    async act() {
      const { id } = await w.account();
      return {
        answer: await admin(
          `/accounts/${id}`,
          { name: "Another", status: "INACTIVE", billingEmail: "ana@example.com" },
          "PATCH",
        ),
        target: id,
        tenantId: id,
      };
    },
  },
  "POST /v1/admin/accounts/{id}/institution": {
    action: "account.make-institution",
    details: { plan: "STARTER" },
    async act() {
      const { id } = await w.account();
      const wish = { plan: "STARTER", ownerEmail: "owner-of-an-account@example.com" };
      return { answer: await admin(`/accounts/${id}/institution`, wish), target: id, tenantId: id };
    },
  },
  "POST /v1/admin/accounts/{id}/join": {
    action: "account.join",
    details: { rows: 1 },
    async act() {
      const [{ id }, institution] = [await w.account(), await w.institution()];
      const answer = await admin(`/accounts/${id}/join`, { institutionId: institution.id });
      return { answer, target: institution.id, tenantId: id };
    },
  },
  "PATCH /v1/admin/institutions/{id}": {
    action: "institution.change-plan",
    details: { from: "FREE", to: "STARTER" },
    async act() {
      const { id } = await w.institution("FREE");
      return { answer: await admin(`/institutions/${id}`, { plan: "STARTER" }, "PATCH"), target: id, tenantId: id };
    },
  },
  "POST /v1/admin/operators": {
    action: "operator.create",
    async act() {
      const answer = await admin("/operators", { name: "An Operator", email: "operator@example.com" });
      return { answer, target: answer.body.id };
    },
  },
  "POST /v1/admin/operators/reset": {
    action: "operator.make-link",
    async act() {
      const email = "reset@example.com";
      const { id } = (await admin("/operators", { name: "An Operator", email })).body;
      return { answer: await admin("/operators/reset", { email }), target: id };
    },
  },
  "DELETE /v1/admin/operators/{id}": {
    action: "operator.delete",
    async act() {
      await admin("/operators", { name: "One who stays", email: "stays@example.com" });
      const { id } = (await admin("/operators", { name: "One who goes", email: "goes@example.com" })).body;
      return { answer: await admin(`/operators/${id}`, undefined, "DELETE"), target: id };
    },
  },
  "POST /v1/admin/users": {
    action: "user.create",
    async act() {
      const answer = await admin("/users", { name: "A User", email: "made@example.com", institutionName: "A Company" });
      return { answer, target: answer.body.userId };
    },
  },
  "POST /v1/admin/users/reset": {
    action: "user.make-link",
    async act() {
      const { email, userId } = await w.institution();
      return { answer: await admin("/users/reset", { email }), target: userId };
    },
  },
  "POST /v1/admin/institutions/{id}/members": {
    action: "member.invite",
    details: { role: "ADMIN" },
    async act() {
      const { id, token } = await w.institution();
      const answer = await admin(`/institutions/${id}/members`, { email: "somebody@example.com", role: "ADMIN" });
      const { data } = (await w.platform(`/v1/institutions/${id}/members`, { token })).body;
      return { answer, target: data[1].invitationId, tenantId: id };
    },
  },
  "POST /v1/admin/accounts/{id}/api-keys": {
    action: "key.create",
    details: { api: "gateway", name: "A key", environment: "live", permissions: ["anything"] },
    async act() {
      const { id } = await w.account();
      const answer = await admin(`/accounts/${id}/api-keys`, { name: "A key", scopes: ["anything"] });
      return { answer, target: answer.body.id, tenantId: id };
    },
  },
  "POST /v1/admin/api-keys/{id}/revoke": {
    action: "key.revoke",
    details: { api: "gateway" },
    async act() {
      const { id } = await w.account();
      const [key] = (await w.gateway(`/v1/admin/accounts/${id}/api-keys`, { admin: true })).body;
      return { answer: await admin(`/api-keys/${key.id}/revoke`), target: key.id, tenantId: id };
    },
  },
  "POST /v1/admin/dead-letters/replay": {
    action: "dead-letters.replay",
    details: { count: 0 },
    act: async () => ({ answer: await admin("/dead-letters/replay") }),
  },
  "POST /v1/admin/plans": {
    action: "plan.create",
    details: { kind: "flat" },
    act: async () => ({ answer: await admin("/plans", { code: "a_new_plan", kind: "flat" }), target: "a_new_plan" }),
  },
  "PATCH /v1/admin/plans/{code}": {
    action: "plan.change",
    details: { fields: ["perMessageCents"] },
    act: async () => ({
      answer: await admin("/plans/free_tier", { perMessageCents: 0 }, "PATCH"),
      target: "free_tier",
    }),
  },
  "POST /v1/admin/accounts/{id}/invoices": {
    action: "invoice.create",
    details: { totalCents: 900, dueDate: IN_TEN_DAYS },
    async act() {
      const { id } = await w.account();
      const answer = await admin(`/accounts/${id}/invoices`, { totalCents: 900, dueDate: IN_TEN_DAYS });
      return { answer, target: answer.body.id, tenantId: id };
    },
  },
  "POST /v1/admin/invoices/{id}/void": { action: "invoice.void", act: ofInvoice("void") },
  "POST /v1/admin/invoices/{id}/issue": { action: "invoice.issue", act: ofInvoice("issue") },
  "POST /v1/admin/invoices/{id}/mark-paid": { action: "invoice.mark-paid", act: ofInvoice("mark-paid") },
  "POST /v1/admin/people/export": {
    action: "person.export",
    async act() {
      const { id } = await w.account();
      return { answer: await admin("/people/export", { person: "5511999990009", accountId: id }), tenantId: id };
    },
  },
  "POST /v1/admin/people/erase": {
    action: "person.erase",
    async act() {
      const answer = await admin("/people/erase", { person: "5511999990009" });
      await w.settle(); // its end is recorded too
      return { answer, target: answer.body.id };
    },
  },
  "POST /v1/admin/imports": {
    action: "channel.move-in",
    details: { kind: "SESSION", format: "baileys" },
    async act() {
      const { id } = await w.account();
      const answer = await importedInto(id);
      return { answer, target: answer.body.id, tenantId: id };
    },
  },
  "POST /v1/admin/exports": {
    action: "channel.move-out",
    details: { kind: "SESSION" },
    async act() {
      const { id } = await w.account();
      const asked = { stored: { format: "baileys", entries: identityFor(id) }, isLastState: true };
      const target = (await moveIn(w.app.env, LOCAL, { accountId: id }, asked)).channel.id; // which does not connect it
      return { answer: await admin("/exports", { phone: target, stop: true }), target, tenantId: id };
    },
  },
  "POST /v1/admin/jobs/{name}/run": {
    action: "job.run",
    act: async () => ({ answer: await admin("/jobs/scheduler/run"), target: "scheduler" }),
  },
  "POST /v1/admin/token": { action: "admin-token.create", act: async () => ({ answer: await admin("/token") }) },
  "POST /v1/admin/alerts/test": {
    action: "alerts.test",
    details: { sent: 0, failed: 1 },
    act: async () => ({ answer: await admin("/alerts/test") }),
  },
  "POST /v1/admin/clock": {
    action: "clock.advance",
    details: { byMs: 5 },
    act: async () => ({ answer: await admin("/clock", { advanceMs: 5 }) }),
  },
};

describe("an act of the administrator", () => {
  test("has a case here, whatever it is", async () => {
    const changing = (await documentedRoutes(w, "gateway"))
      .filter(({ path, method }) => path.startsWith("/v1/admin/") && method !== "GET")
      .map(nameOf);
    expect(changing.toSorted()).toEqual([...Object.keys(ADMIN_CASES), ...LOOKS].toSorted());
  });

  for (const [name, { act, action, details = {} }] of Object.entries(ADMIN_CASES)) {
    test(`${name} is recorded once, as ${action}`, async () => {
      const before = (await auditLogOf(w)).length;
      const { answer, target = null, tenantId = null } = await act();
      expect(answer.status).toBeLessThan(300);
      const entries = (await auditLogOf(w)).slice(before).filter((entry) => entry.action === action);
      expect(entries.at(-1)).toMatchObject({
        at: w.clock.now() - (action === "clock.advance" ? 5 : 0),
        actor: "admin",
        action,
        target,
        tenantId,
        details: { address: "127.0.0.1", ...details },
      });
    });
  }

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
