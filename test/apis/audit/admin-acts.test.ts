import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { packEntries } from "../../../src/core/channels/moving/move-archive.ts";
import { moveIn } from "../../../src/core/channels/moving/move-in.ts";
import { beginHistory, takeHistory } from "../../../src/core/messaging/importing/history.ts";
import { LOCAL } from "../../../src/core/tenancy/audit/audit.ts";
import { type Recorded, recordedBy } from "../../support/apis/audit.ts";
import { type BilledWorld, IN_TEN_DAYS, newPayer, startBilledWorld } from "../../support/billing/billing.ts";
import { askConsole, operatorSession } from "../../support/customers/console-person.ts";
import { acceptedIdentity, baileysFiles } from "../../support/session/moved.ts";
import { ISOLATED } from "../../support/tenants/isolation.ts";
import type { Answer } from "../../support/world.ts";

// The administrator's routes, walked by who holds the admin token and by an operator in the console: what each leaves in
// the audit log, against what it states.

let w: BilledWorld;
let olga: { id: string; cookie: string };
beforeAll(async () => {
  w = await startBilledWorld({ RECADO_ALERT_URL: "http://127.0.0.1:1/" }); // nobody answers there
  olga = await operatorSession(w);
});
afterAll(() => w.stop());

type Ask = (path: string, rest: { method: string; body?: object }) => Promise<Pick<Answer, "status" | "body">>;
/** TABLE: who walks, and the name under which every act must be recorded. */
const WALKERS: Record<string, { actor(): string; ask: Ask }> = {
  "the admin token": { actor: () => "admin", ask: (path, rest) => w.gateway(path, { admin: true, ...rest }) },
  "an operator in the console": {
    actor: () => `operator:${olga.id}`,
    ask: (path, rest) => askConsole(w, `/gateway${path}`, { as: olga.cookie, ...rest }),
  },
};

/** A request that was made, and what it left in the audit log. */
type Asked = { method: string; path: string; entries: Recorded[] };
let asking: Ask;
let asked: Asked[] = [];
const admin = async (path: string, body?: object, method = "POST"): Promise<Answer> => {
  const full = `/v1/admin${path}`;
  let answer: unknown;
  const entries = await recordedBy(w, async () => {
    answer = await asking(full, { method, ...(body ? { body } : {}) });
  });
  asked.push({ method, path: full, entries });
  return answer as Answer;
};

let made = 0;
const unique = (name: string): string => `${name}-${++made}@example.com`;

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

/** A phone that nothing connects, and the source of a history for it. */
const readyForHistory = async () => {
  const { id: accountId } = await w.account();
  const asked = { stored: { format: "baileys", entries: identityFor(accountId) }, isLastState: true };
  const target = (await moveIn(w.app.env, LOCAL, { accountId }, asked)).channel.id;
  return { accountId, target, source: { accountId, phone: target, format: "evolution", source: "a-hash", run: "1" } };
};
const historyOf = (row: object) => ({
  format: "evolution",
  rows: [{ kind: "person" as const, text: JSON.stringify(row) }],
});

/** Routes with a body that only look, and one whose world makes backups: test/apis/gateway/admin/admin-machine.process.test.ts. */
const LOOKS = [
  "POST /v1/admin/imports/inspect",
  "POST /v1/admin/imports/history/inspect",
  "POST /v1/admin/imports/history/rows", // the import was recorded when it began
  "POST /v1/admin/imports/history/files", // likewise
  "POST /v1/admin/backups",
];

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
      const wish = { plan: "STARTER", ownerEmail: unique("owner-of-an-account") };
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
      const answer = await admin("/operators", { name: "An Operator", email: unique("operator") });
      return { answer, target: answer.body.id };
    },
  },
  "POST /v1/admin/operators/reset": {
    action: "operator.make-link",
    async act() {
      const email = unique("reset");
      const { id } = (await admin("/operators", { name: "An Operator", email })).body;
      return { answer: await admin("/operators/reset", { email }), target: id };
    },
  },
  "DELETE /v1/admin/operators/{id}": {
    action: "operator.delete",
    async act() {
      await admin("/operators", { name: "One who stays", email: unique("stays") });
      const { id } = (await admin("/operators", { name: "One who goes", email: unique("goes") })).body;
      return { answer: await admin(`/operators/${id}`, undefined, "DELETE"), target: id };
    },
  },
  "POST /v1/admin/users": {
    action: "user.create",
    async act() {
      const answer = await admin("/users", { name: "A User", email: unique("made"), institutionName: "A Company" });
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
    async act() {
      const code = `a_new_plan_${++made}`;
      return { answer: await admin("/plans", { code, kind: "flat" }), target: code };
    },
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
  "POST /v1/admin/imports/history": {
    action: "channel.import-history",
    details: { kind: "SESSION", format: "evolution" },
    async act() {
      const { accountId, target, source } = await readyForHistory();
      return { answer: await admin("/imports/history", source), target, tenantId: accountId };
    },
  },
  "POST /v1/admin/imports/history/undo": {
    action: "channel.undo-import",
    details: { kind: "SESSION" },
    async act() {
      const { accountId, target, source } = await readyForHistory();
      const row = { remoteJid: "5511922220001@s.whatsapp.net", pushName: "Ana" };
      await beginHistory(w.app.env, LOCAL, source, source);
      const part = { stored: historyOf(row), from: "", to: "end", isLast: true };
      await takeHistory(w.app.env, source, source, part);
      return { answer: await admin("/imports/history/undo", { accountId }), target, tenantId: accountId };
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

const ROUTES = ISOLATED.filter(
  ({ api, path, method }) => api === "gateway" && path.startsWith("/v1/admin/") && method !== "GET",
);
const statedAt = (name: string): readonly string[] => {
  const acts = ROUTES.find((route) => route.name === name)?.acts ?? [];
  return typeof acts === "string" ? [] : acts;
};

/** What the request for a route recorded. The requests before it prepare what it needs. */
const entriesAt = (name: string): Recorded[] => {
  const [method, path = ""] = name.split(" ");
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return asked.findLast((one) => one.method === method && pattern.test(one.path))?.entries ?? [];
};

/** What other tests have left to do is not what the requests of this test record. */
const begin = async ({ ask }: { ask: Ask }): Promise<void> => {
  await w.settle();
  asking = ask;
  asked = [];
};

const actionsAt = (name: string): string[] => entriesAt(name).map(({ action }) => action);

/** Acts that only accounts with overdue invoices bring about: those cases are below the others. */
const OF_DEBTORS: readonly string[] = ["account.reinstate", "account.suspend"];

test("every route of the administrator that changes something has a case here", () => {
  expect(ROUTES.map(({ name }) => name).toSorted()).toEqual([...Object.keys(ADMIN_CASES), ...LOOKS].toSorted());
});

for (const [who, walker] of Object.entries(WALKERS))
  describe(`an act of the administrator, by ${who}`, () => {
    for (const [name, { act, action, details = {} }] of Object.entries(ADMIN_CASES))
      test(`${name} is recorded once, as ${action}, and with the acts that the route states`, async () => {
        await begin(walker);
        const { answer, target = null, tenantId = null } = await act();
        expect(answer.status).toBeLessThan(300);
        const entries = entriesAt(name);
        expect(entries.filter((entry) => entry.action === action)).toMatchObject([
          {
            at: w.clock.now() - (action === "clock.advance" ? 5 : 0),
            actor: walker.actor(),
            target,
            tenantId,
            details: { address: "127.0.0.1", ...details },
          },
        ]);
        expect(entries.filter(({ actor }) => actor !== walker.actor())).toEqual([]);
        const recorded = [...new Set(entries.map((entry) => entry.action))];
        const stated = statedAt(name);
        expect(recorded.filter((one) => !stated.includes(one))).toEqual([]);
        expect(stated.filter((one) => !OF_DEBTORS.includes(one) && !recorded.some((other) => other === one))).toEqual(
          [],
        );
      });

    test("that ends or begins the suspension of an account records that too, as that of who asked", async () => {
      await begin(walker);
      const [WHOLE, VOID, PAID] = [
        "PATCH /v1/admin/accounts/{id}",
        "POST /v1/admin/invoices/{id}/void",
        "POST /v1/admin/invoices/{id}/mark-paid",
      ] as const;
      const seen: string[] = [];
      const see = (name: string) => seen.push(...actionsAt(name).map((action) => `${name}: ${action}`));
      const debtor = async (invoices: number, isSuspended: boolean) => {
        const payer = await newPayer(w);
        const ids: string[] = [];
        for (let n = 0; n < invoices; n++) ids.push(await payer.owes(5000, "2026-01-01"));
        if (isSuspended) await admin("/jobs/dunning/run");
        await w.settle();
        return { accountId: payer.accountId, ids };
      };
      await admin(`/accounts/${(await debtor(1, true)).accountId}`, { status: "ACTIVE" }, "PATCH");
      see(WHOLE);
      for (const [name, verb] of [
        [VOID, "void"],
        [PAID, "mark-paid"],
      ] as const) {
        for (const [invoices, isSuspended] of [
          [1, true],
          [2, false],
        ] as const) {
          const { ids } = await debtor(invoices, isSuspended);
          await admin(`/invoices/${ids[0]}/${verb}`);
          see(name);
        }
      }
      const stated = [WHOLE, VOID, PAID].flatMap((name) => statedAt(name).map((action) => `${name}: ${action}`));
      expect([...new Set(seen)].toSorted()).toEqual(stated.toSorted());
      expect(asked.flatMap(({ entries }) => entries).filter(({ actor }) => actor !== walker.actor())).toEqual([]);
    });
  });
