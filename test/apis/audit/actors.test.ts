import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { generate } from "otplib";
import { ACTIONS, type Action } from "../../../src/core/tenancy/audit/audit.ts";
import { insertPasskey } from "../../../src/store/tables/tenancy/console-people.ts";
import { type Recorded, recordedBy } from "../../support/apis/audit.ts";
import { settingsFor } from "../../support/billing/billing.ts";
import { startMailedWorld } from "../../support/billing/mailed.ts";
import { browserAt, OPERATOR, setUpConsole } from "../../support/customers/console.ts";
import { askConsole, operatorSession } from "../../support/customers/console-person.ts";
import { APP_ID } from "../../support/customers/signup.ts";
import { type SocialWorld, startSocialWorld } from "../../support/networks/social.ts";
import { startProcessor } from "../../support/processor/index.ts";
import { type IsolatedRoute, isolatedRoutes, ownAttempts } from "../../support/tenants/isolation.ts";
import { made, tokenIn } from "../../support/tenants/platform.ts";
import { newTenant, type Tenant } from "../../support/tenants/tenant.ts";
import { startWorld, type World } from "../../support/world.ts";

const processor = startProcessor();
let s: SocialWorld;
let w: World;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_META_APP_ID: APP_ID, ...settingsFor(processor) } });
  ({ w } = s);
});
afterAll(() => Promise.all([s.stop(), processor.stop()]));

type Api = IsolatedRoute["api"];
type Ask = (
  api: Api,
  method: string,
  path: string,
  rest: { body?: object; headers?: Record<string, string> },
) => Promise<unknown>;
/** Who asks for everything, and under which name every act must be recorded. */
type Walker = { actor: string; ask: Ask };

/** The routes in an order in which the last ones take away what the others need. */
const ENDINGS = [/\/(logout|disconnect)$/, /^DELETE /, /\/accounts$/, /change-password$/, /\/revoke$/, /delete-user$/];
const rank = (name: string): number => ENDINGS.findIndex((ending) => ending.test(name)) + 1;
const depth = (name: string): number => name.split("/").length;
const routesOf = (api: Api): IsolatedRoute[] =>
  isolatedRoutes(api).toSorted(
    ({ name: a }, { name: b }) => rank(a) - rank(b) || (rank(a) === 0 ? 0 : depth(b) - depth(a)),
  );

/** How many requests fit into the smallest rate window of a walker. */
const PER_WINDOW = 50;

/** What was recorded, and the route that was asked for. */
type Walked = { route: IsolatedRoute; entries: Recorded[] };

/** Asks for everything of these APIs, of the tenant's own things. */
const walk = async (apis: readonly Api[], tenant: Tenant, ask: Ask): Promise<Walked[]> => {
  const walked: Walked[] = [];
  const asked = apis
    .flatMap(routesOf)
    .filter(({ name }) => !OF_STRANGERS.includes(name))
    .flatMap((route) => ownAttempts(route, tenant.ids).map((attempt) => ({ route, ...attempt })));
  for (const [n, { route, params = {}, query, body, headers = {} }] of asked.entries()) {
    const { api, method, path } = route;
    if (n % PER_WINDOW === 0) await w.advance(60_000);
    const named = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? "missing");
    const entries = await recordedBy(w, () =>
      ask(api, method, `${named}${query ? `?${new URLSearchParams(query).toString()}` : ""}`, {
        headers,
        ...(body && method !== "GET" ? { body } : {}),
      }),
    );
    walked.push({ route, entries });
  }
  return walked;
};

const liveKeyOf = async (token: string): Promise<string> => {
  const keys: { id: string; environment: string }[] = made(await w.platform("/v1/api-keys", { token }), 200).data;
  return keys.find(({ environment }) => environment === "live")?.id ?? "";
};

/** TABLE: who walks, through which APIs, and what is done by that at least. */
const WALKERS: Record<
  string,
  { apis: readonly Api[]; acts: readonly Action[]; walker(tenant: Tenant): Promise<Walker> }
> = {
  "a gateway key": {
    apis: ["gateway"],
    acts: [
      "account.change",
      "channel.change-proxy",
      "channel.change-settings",
      "channel.create",
      "channel.delete",
      "channel.disconnect",
      "dead-letters.replay",
      "hours.change",
      "invoice.issue",
      "key.create",
      "key.revoke",
      "llm.change",
      "pairing-link.revoke",
      "webhook.change",
      "webhook.create",
      "webhook.delete",
    ],
    walker: async ({ ids, gatewayKey }) => ({
      actor: `key:${ids.gatewayKeyId}`,
      ask: (api, method, path, rest) => w[api](path, { key: gatewayKey, method, ...rest }),
    }),
  },
  "a platform key": {
    apis: ["platform"],
    acts: [
      "channel.create",
      "channel.delete",
      "channel.disconnect",
      "hours.change",
      "webhook.change",
      "webhook.create",
      "webhook.delete",
    ],
    walker: async ({ key, token }) => ({
      actor: `key:${await liveKeyOf(token)}`,
      ask: (api, method, path, rest) => w[api](path, { key, method, ...rest }),
    }),
  },
  "a user": {
    apis: ["platform"],
    acts: [
      "hours.change",
      "institution.create",
      "key.create",
      "key.revoke",
      "member.withdraw",
      "session.end",
      "webhook.change",
    ],
    walker: async ({ ids, token }) => ({
      actor: `user:${ids.userId}`,
      ask: (api, method, path, rest) => w[api](path, { token, method, ...rest }),
    }),
  },
  "an operator in an account": {
    apis: ["gateway", "platform"],
    acts: ["hours.change", "key.create", "key.revoke", "invoice.issue", "member.withdraw", "webhook.delete"],
    async walker({ ids }) {
      const { cookie, id } = await operatorSession(w);
      return {
        actor: `operator:${id}`,
        ask: (api, method, path, rest) =>
          askConsole(w, `/${api}${path}`, { as: cookie, account: ids.tenantId, method, ...rest }),
      };
    },
  },
};

/** Who is nobody yet: the new user is the actor of what it does. */
const OF_STRANGERS = ["POST /v1/auth/register"];

const noted = (entries: readonly Recorded[]): string[] => entries.map(({ action, actor }) => `${action} by ${actor}`);
const by = (actor: string, ...actions: readonly Action[]): string[] => actions.map((action) => `${action} by ${actor}`);

/** TABLE: the acts that the tests below ask for, besides those of the walks. */
const ASKED = {
  key: ["pairing-link.create", "channel.logout", "account.make-join-code"],
  user: [
    "user.reset-password",
    "session.begin",
    "user.change-password",
    "account.change",
    "member.remove",
    "user.delete",
  ],
  operator: [
    "session.begin",
    "operator.change",
    "totp.start",
    "recovery-codes.create",
    "recovery-codes.create",
    "totp.stop",
    "session.end-others",
    "admin-token.create",
    "operator.change-password",
    "session.end",
  ],
  member: [
    "session.begin",
    "passkey.remove",
    "totp.start",
    "recovery-codes.create",
    "recovery-codes.use",
    "session.begin",
    "user.change",
  ],
  others: [
    "channel.rotate-token",
    "user.verify-email",
    "operator.create",
    "account.create",
    "operator.reset",
    "operator.delete",
  ],
} as const satisfies Record<string, readonly Action[]>;

/** TABLE: what a walk with one tenant's things cannot bring about. The tests of these acts are below, or in ELSEWHERE. */
const NOT_BY_WALKING: readonly string[] = [
  "gateway DELETE /v1/phones/{id}/cloud-api/webhook: webhook.delete",
  "gateway PATCH /v1/phones/{id}: webhook.delete",
  "gateway POST /v1/account/join-codes: account.make-join-code",
  "gateway POST /v1/phones/social/oauth: channel.create",
  "gateway POST /v1/phones/social/oauth: webhook.change",
  "gateway POST /v1/phones/social/oauth: webhook.delete",
  "gateway POST /v1/phones/waba/embedded-signup: channel.create",
  "gateway POST /v1/phones/waba/embedded-signup: webhook.change",
  "gateway POST /v1/phones/waba/embedded-signup: webhook.delete",
  "gateway POST /v1/phones/{id}/cloud-api/webhook/secret: webhook.change",
  "gateway POST /v1/phones/{id}/rotate-token: channel.rotate-token",
  "gateway PUT /v1/phones/{id}/cloud-api/webhook: webhook.change",
  "platform DELETE /v1/institutions/{institutionId}/members/{userId}: member.remove",
  "platform PATCH /v1/institutions/{institutionId}/members/{userId}: member.change-role",
  "platform POST /v1/auth/accept-invitation: member.add",
  "platform POST /v1/auth/change-password: user.change-password",
  "platform POST /v1/auth/delete-user: account.change",
  "platform POST /v1/auth/delete-user: member.remove",
  "platform POST /v1/auth/delete-user: user.delete",
  "platform POST /v1/auth/join: member.add",
  "platform POST /v1/auth/join: session.begin",
  "platform POST /v1/auth/login: recovery-codes.use",
  "platform POST /v1/auth/login: session.begin",
  "platform POST /v1/auth/reset-password: session.begin",
  "platform POST /v1/auth/reset-password: user.reset-password",
  "platform POST /v1/auth/verify-email: user.verify-email",
  "platform POST /v1/institutions/{institutionId}/accounts: account.join",
  "platform POST /v1/institutions/{institutionId}/accounts: institution.add-account",
];

const walks = new Map<string, Promise<{ actor: string; walked: Walked[] }>>();
/** The walk of one walker, which is done once. */
const walkOf = (name: string): Promise<{ actor: string; walked: Walked[] }> => {
  const known = walks.get(name);
  if (known) return known;
  const { apis, walker: walkerOf } = WALKERS[name] as (typeof WALKERS)[string];
  const begun = newTenant(w, name.replaceAll(" ", "-")).then(async (tenant) => {
    const { actor, ask } = await walkerOf(tenant);
    return { actor, walked: await walk(apis, tenant, ask) };
  });
  walks.set(name, begun);
  return begun;
};

/** The acts that the routes of a walk state, or recorded: `POST /v1/api-keys: key.create`. */
const linesOf = (walked: readonly Walked[], actsOf: (walked: Walked) => readonly string[]): string[] =>
  [...new Set(walked.flatMap((one) => actsOf(one).map((act) => `${one.route.api} ${one.route.name}: ${act}`)))].sort();
const statedBy = ({ route: { acts } }: Walked): readonly string[] => (typeof acts === "string" ? [] : acts);
const recordedAt = ({ entries }: Walked): string[] => entries.map(({ action }) => action);

describe("every act is recorded as that of who asked", () => {
  for (const [name, { acts }] of Object.entries(WALKERS)) {
    test(`whatever the route: ${name}`, async () => {
      const { actor, walked } = await walkOf(name);
      const entries = walked.flatMap((one) => one.entries);
      expect(noted(entries).filter((entry) => !entry.endsWith(` by ${actor}`))).toEqual([]);
      expect(entries.filter(({ details }) => details["address"] !== "127.0.0.1")).toEqual([]);
      expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining([...acts]));
    });
  }

  test("a route records the acts that it states, and no other", async () => {
    const walked: Walked[] = [];
    for (const name of Object.keys(WALKERS)) walked.push(...(await walkOf(name)).walked);
    const [stated, recorded] = [linesOf(walked, statedBy), linesOf(walked, recordedAt)];
    expect(recorded.filter((line) => !stated.includes(line))).toEqual([]);
    expect(stated.filter((line) => !recorded.includes(line))).toEqual([...NOT_BY_WALKING].sort());
  });

  test("a key's, on a phone that is paired, and of an account without an institution", async () => {
    const { id: accountId, key } = await w.account();
    const [{ id: keyId }] = (await w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true })).body;
    const phone = made(await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "Shop" } }), 201).id;
    const entries = await recordedBy(w, async () => {
      made(await w.gateway(`/v1/phones/${phone}/pairing-links`, { key, body: {} }), 201);
      made(await w.gateway(`/v1/phones/${phone}/logout`, { key, method: "POST" }), 202);
      made(await w.gateway("/v1/account/join-codes", { key, method: "POST" }), 201);
    });
    expect(noted(entries)).toEqual(by(`key:${keyId}`, ...ASKED.key));
  });

  test("a customer's, who gives an official phone a new token", async () => {
    const { ids, gatewayKey: key } = await newTenant(w, "rotating");
    const { wabaBusinessAccountId } = (await w.gateway(`/v1/phones/${ids.phoneId}`, { key })).body;
    w.graph.addToken({ token: "EAArotated", businessAccountIds: [wabaBusinessAccountId] });
    const entries = await recordedBy(w, async () =>
      made(
        await w.gateway(`/v1/phones/${ids.phoneId}/rotate-token`, { key, body: { accessToken: "EAArotated" } }),
        200,
      ),
    );
    expect(noted(entries)).toEqual(by(`key:${ids.gatewayKeyId}`, "channel.rotate-token"));
  });

  test("a user's, by the links of mails, and who changes the password and leaves", async () => {
    const { email, userId } = await w.institution();
    const { link } = (await w.gateway("/v1/admin/users/reset", { admin: true, body: { email } })).body;
    const entries = await recordedBy(w, async () => {
      const reset = await w.platform("/v1/auth/reset-password", {
        body: { token: tokenIn(link), password: "password-2" },
      });
      const passwords = { currentPassword: "password-2", newPassword: "password-3" };
      const changed = await w.platform("/v1/auth/change-password", { token: reset.body.token, body: passwords });
      const gone = await w.platform("/v1/auth/delete-user", {
        token: changed.body.token,
        body: { password: "password-3" },
      });
      expect([reset.status, changed.status, gone.status]).toEqual([200, 200, 204]);
    });
    expect(noted(entries)).toEqual(by(`user:${userId}`, ...ASKED.user));
  });

  test("a user's, who is mailed a link that verifies the address", async () => {
    const m = await startMailedWorld();
    const { email, userId } = await m.institution();
    await m.settle();
    const entries = await recordedBy(m, async () =>
      made(await m.platform("/v1/auth/verify-email", { body: { token: m.linkTo(email) } }), 204),
    );
    await m.stop();
    expect(noted(entries)).toEqual(by(`user:${userId}`, "user.verify-email"));
  });
});

describe("every act in the console is recorded as that of the person", () => {
  let c: World;
  beforeAll(async () => {
    c = await startWorld({ env: { RECADO_ADMIN_TOKEN: "", RECADO_REGISTRATION: "open" } });
  });
  afterAll(() => c.stop());

  test("from the set-up link to signing out", async () => {
    const own = await startWorld({ env: { RECADO_ADMIN_TOKEN: "" } });
    const started = await recordedBy(own, () => setUpConsole(own));
    const id = started[0]?.target ?? "";
    const olga = `operator:${id}`;
    expect(noted(started)).toEqual([
      ...by("setup-link", "operator.create"),
      ...by(olga, "account.create", "session.begin"),
    ]);
    const browser = browserAt(own);
    const entries = await recordedBy(own, async () => {
      await browser.post("/sign-in", OPERATOR);
      await browser.ask("PATCH", "/profile", { name: "Olga" });
      const { secret } = (await browser.post("/profile/totp")).body;
      const code = await generate({ secret, epoch: Math.floor(own.clock.now() / 1000) });
      const { recoveryCodes } = (await browser.post("/profile/totp/confirm", { code })).body;
      await browser.post("/profile/recovery-codes");
      await browser.ask("DELETE", "/profile/totp");
      await browser.ask("DELETE", "/profile/sessions");
      await browser.post("/gateway/v1/admin/token");
      await browser.post("/profile/password", { password: "another long password" });
      await browser.post("/sign-out");
      expect(recoveryCodes).toHaveLength(10);
    });
    await own.stop();
    expect(noted(entries)).toEqual(by(olga, ...ASKED.operator));
  });

  test("a member's", async () => {
    const { email, userId } = await c.institution();
    const member = browserAt(c);
    const passkey = { id: "an id", person: `user:${userId}` as const, publicKey: "AA", counter: 0, transports: [] };
    const row = { ...passkey, name: "A key", createdAt: c.clock.now(), lastUsedAt: null };
    const entries = await recordedBy(c, async () => {
      await member.post("/sign-in", { email, password: "password-1" });
      await c.app.env.db.write((tx) => insertPasskey(tx, row));
      await member.ask("DELETE", `/profile/passkeys/${encodeURIComponent(row.id)}`);
      const { secret } = (await member.post("/profile/totp")).body;
      const code = await generate({ secret, epoch: Math.floor(c.clock.now() / 1000) });
      const { recoveryCodes } = (await member.post("/profile/totp/confirm", { code })).body;
      const again = browserAt(c);
      await again.post("/sign-in", { email, password: "password-1" });
      await again.post("/sign-in/second", { recovery: recoveryCodes[0] });
      await again.ask("PATCH", "/profile", { name: "Ana" });
    });
    expect(noted(entries)).toEqual(by(`user:${userId}`, ...ASKED.member));
  });

  test("an operator's, by the link that another operator made", async () => {
    const boss = browserAt(c);
    const { cookie, id: bossId } = await operatorSession(c);
    boss.cookies.set("recado", cookie);
    let id = "";
    const entries = await recordedBy(c, async () => {
      const wish = { name: "Otto", email: "otto@example.com" };
      const otto = (await boss.post("/gateway/v1/admin/operators", wish)).body;
      ({ id } = otto);
      const link = otto.link.replace(c.app.publicUrl, c.app.url);
      await fetch(link, { method: "POST", body: new URLSearchParams({ password: "a first password" }) });
      await boss.ask("DELETE", `/gateway/v1/admin/operators/${id}`);
    });
    expect(noted(entries)).toEqual([
      ...by(`operator:${bossId}`, "operator.create"),
      ...by(`operator:${id}`, "operator.reset"),
      ...by(`operator:${bossId}`, "operator.delete"),
    ]);
  });
});

/** TABLE: acts that nothing above asks for, and the test of their actor. Of a passkey's, the compiler's: callers.test.ts. */
const ELSEWHERE: Partial<Record<Action, string>> = {
  "account.join": "test/apis/audit/admin-acts.test.ts",
  "account.make-institution": "test/apis/audit/admin-acts.test.ts",
  "account.reinstate": "test/apis/audit/audit.test.ts",
  "account.suspend": "test/apis/audit/audit.test.ts",
  "alerts.test": "test/apis/audit/admin-acts.test.ts",
  "audit.prune": "test/core/retention.test.ts",
  "backup.create": "test/core/backups.process.test.ts",
  "backup.restore": "test/process/commands/restore.test.ts",
  "channel.move-in": "test/apis/audit/admin-acts.test.ts",
  "channel.move-out": "test/apis/audit/admin-acts.test.ts",
  "clock.advance": "test/apis/audit/admin-acts.test.ts",
  "institution.add-account": "test/apis/joining/joining.test.ts",
  "institution.change-plan": "test/apis/audit/admin-acts.test.ts",
  "invoice.create": "test/apis/audit/admin-acts.test.ts",
  "invoice.mark-paid": "test/apis/audit/admin-acts.test.ts",
  "invoice.void": "test/apis/audit/admin-acts.test.ts",
  "job.run": "test/apis/audit/admin-acts.test.ts",
  "master-key.rotate": "test/process/commands/key-rotation.test.ts",
  "mcp.call": "test/apis/mcp.test.ts",
  "member.add": "test/apis/audit/audit.test.ts",
  "member.change-role": "test/apis/audit/audit.test.ts",
  "member.invite": "test/apis/audit/admin-acts.test.ts",
  "operator.make-link": "test/apis/audit/admin-acts.test.ts",
  "passkey.add": "test/core/callers.test.ts",
  "person.erase": "test/apis/audit/admin-acts.test.ts",
  "person.erased": "test/core/people.test.ts",
  "person.export": "test/apis/audit/admin-acts.test.ts",
  "plan.change": "test/apis/audit/admin-acts.test.ts",
  "plan.create": "test/apis/audit/admin-acts.test.ts",
  "user.create": "test/apis/audit/admin-acts.test.ts",
  "user.make-link": "test/apis/audit/admin-acts.test.ts",
};

test("every act there is was asked for above, or has its test elsewhere", async () => {
  const walked = Object.values(WALKERS).flatMap(({ acts }) => acts);
  const tested: readonly Action[] = [
    ...walked,
    ...Object.values(ASKED).flat(),
    ...(Object.keys(ELSEWHERE) as Action[]),
  ];
  expect(ACTIONS.filter((action) => !tested.includes(action))).toEqual([]);
  for (const [action, path] of Object.entries(ELSEWHERE))
    expect([action, (await Bun.file(resolve(import.meta.dir, "../../..", path)).text()).includes(action)]).toEqual([
      action,
      true,
    ]);
});
