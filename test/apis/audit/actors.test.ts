import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { generate } from "otplib";
import { ACTIONS, type Action } from "../../../src/core/tenancy/audit/audit.ts";
import { insertPasskey } from "../../../src/store/tables/tenancy/console-people.ts";
import { type Recorded, recordedBy } from "../../support/apis/audit.ts";
import { startProgram } from "../../support/apis/cloud-program.ts";
import { preparedAttempts } from "../../support/apis/prepared-attempts.ts";
import { settingsFor } from "../../support/billing/billing.ts";
import { startMailedWorld } from "../../support/billing/mailed.ts";
import { browserAt, OPERATOR, setUpConsole } from "../../support/customers/console.ts";
import { askConsole, operatorSession } from "../../support/customers/console-person.ts";
import { APP_ID } from "../../support/customers/signup.ts";
import { type SocialWorld, startSocialWorld } from "../../support/networks/social.ts";
import { startProcessor } from "../../support/processor/index.ts";
import { type IsolatedRoute, isolatedRoutes, ownAttempts } from "../../support/tenants/isolation.ts";
import { made, tokenIn } from "../../support/tenants/platform.ts";
import { everyRow, newTenant, type Tenant } from "../../support/tenants/tenant.ts";
import { startWorld, type World } from "../../support/world.ts";

const processor = startProcessor();
const program = startProgram();
let s: SocialWorld;
let w: World;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_META_APP_ID: APP_ID, ...settingsFor(processor) } });
  ({ w } = s);
});
afterAll(() => Promise.all([s.stop(), processor.stop(), program.stop()]));

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

/** The route that was asked for, what was recorded, and the rows of a route that says that it changes none. */
type Walked = { route: IsolatedRoute; entries: Recorded[]; changed: string[] };

/** The rows that a request leaves, and were not there before. */
const changedBy = async (request: () => Promise<unknown>): Promise<string[]> => {
  const before = new Set(await everyRow(w));
  await request();
  return (await everyRow(w)).filter((row) => !before.has(row));
};

/** Asks for everything of these APIs, of the tenant's own things, and with what was made for the walk. */
const walk = async (apis: readonly Api[], tenant: Tenant, ask: Ask): Promise<Walked[]> => {
  const walked: Walked[] = [];
  const prepared = await preparedAttempts(s, program, tenant);
  const asked = apis
    .flatMap(routesOf)
    .filter(({ name }) => !OF_STRANGERS.includes(name))
    .flatMap((route) => [
      ...ownAttempts(route, tenant.ids).map((attempt) => ({ route, attempt: () => attempt })),
      ...(prepared[`${route.api} ${route.name}`] ?? []).map((attempt) => ({ route, attempt })),
    ]);
  for (const [n, { route, attempt }] of asked.entries()) {
    const { api, method, path } = route;
    const { params = {}, query, body, headers = {} } = attempt();
    if (n % PER_WINDOW === 0) await w.advance(60_000);
    const named = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? "missing");
    const request = () =>
      ask(api, method, `${named}${query ? `?${new URLSearchParams(query).toString()}` : ""}`, {
        headers,
        ...(body && method !== "GET" ? { body } : {}),
      });
    let changed: string[] = [];
    const entries = await recordedBy(w, async () => {
      if (route.acts === "none: no change") changed = await changedBy(request);
      else await request();
    });
    walked.push({ route, entries, changed });
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
      "channel.rotate-token",
      "contact.opt-in",
      "contact.opt-out",
      "dead-letters.replay",
      "flow-key.create",
      "hours.change",
      "invoice.issue",
      "key.create",
      "key.revoke",
      "llm.change",
      "pairing-link.revoke",
      "tool.change",
      "tool.create",
      "tool.delete",
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
      "contact.opt-in",
      "contact.opt-out",
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
      "account.join",
      "institution.add-account",
      "institution.create",
      "key.create",
      "key.revoke",
      "member.add",
      "member.change-role",
      "member.remove",
      "member.withdraw",
      "session.end",
      "user.change-password",
      "user.delete",
      "webhook.change",
    ],
    async walker({ ids }) {
      // the walk ends the session that the tenant's things name
      const own = { email: ids.email, password: "password-1" };
      let { token }: { token: string } = made(await w.platform("/v1/auth/login", { body: own }), 200);
      return {
        actor: `user:${ids.userId}`,
        async ask(api, method, path, rest) {
          const { status, body } = await w[api](path, { token, method, ...rest });
          if (status === 200 && path.endsWith("/change-password")) ({ token } = body); // it ends the others
        },
      };
    },
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
  others: ["user.verify-email", "operator.create", "account.create", "operator.reset", "operator.delete"],
} as const satisfies Record<string, readonly Action[]>;

/** TABLE: what a walk cannot bring about, and why. */
const NOT_BY_WALKING: Readonly<Record<string, string>> = {
  "gateway DELETE /v1/phones/{id}/chatwoot: webhook.delete":
    "a Chatwoot first: test/apis/gateway/chatwoot/chatwoot.test.ts",
  "gateway POST /v1/account/join-codes: account.make-join-code":
    "an institution joins no other: a key's, of an account without one",
  "gateway PUT /v1/phones/{id}/chatwoot: webhook.change":
    "a Chatwoot that answers: test/apis/gateway/chatwoot/chatwoot.test.ts",
  "platform POST /v1/auth/join: member.add": "nobody yet: a stranger's",
  "platform POST /v1/auth/join: session.begin": "nobody yet: a stranger's",
  "platform POST /v1/auth/login: recovery-codes.use": "a second step first: test/apis/sign-in/second-step.test.ts",
  "platform POST /v1/auth/login: session.begin": "nobody yet: a stranger's",
  "platform POST /v1/auth/reset-password: session.begin": "by the link of a mail: a user's",
  "platform POST /v1/auth/reset-password: user.reset-password": "by the link of a mail: a user's",
  "platform POST /v1/auth/verify-email: user.verify-email": "by the link of a mail: a user's, who is mailed one",
};

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
    expect(stated.filter((line) => !recorded.includes(line))).toEqual(Object.keys(NOT_BY_WALKING).sort());
  });

  test("a route that says that it changes nothing leaves every row as it was", async () => {
    for (const name of Object.keys(WALKERS)) {
      const { walked } = await walkOf(name);
      const unchanging = walked.filter(({ route }) => route.acts === "none: no change");
      expect(unchanging.filter(({ changed }) => changed.length > 0)).toEqual([]);
    }
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

  test("a stranger's, who is a user from that request on", async () => {
    const m = await startMailedWorld();
    const { id, token, email } = await m.institution();
    await m.settle();
    made(await m.platform("/v1/auth/verify-email", { body: { token: m.linkTo(email) } }), 204);
    const invite = { email: "joins@example.com" };
    made(await m.platform(`/v1/institutions/${id}/members`, { token, body: invite }), 201);
    await m.settle();
    const person = { name: "Ana", password: "password-1" };
    const users: string[] = [];
    const as = async (path: string, body: object, status: number) =>
      users.push(made(await m.platform(`/v1/auth/${path}`, { body }), status).user.id);
    const entries = await recordedBy(m, async () => {
      await as("join", { ...person, token: m.linkTo(invite.email) }, 201);
      await as("register", { ...person, email: "registers@example.com", institutionName: "A Company" }, 201);
      await as("login", { email: "registers@example.com", password: "password-1" }, 200);
    });
    await m.stop();
    const [joining, registering, loggingIn] = users.map((user) => `user:${user}`) as [string, string, string];
    expect(registering).toBe(loggingIn);
    expect(noted(entries)).toEqual([
      ...by(joining, "member.add", "session.begin"),
      ...by(registering, "institution.create", "session.begin"),
      ...by(loggingIn, "session.begin"),
    ]);
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
  "channel.change-credentials": "test/apis/gateway/phones/credentials.test.ts",
  "channel.import-history": "test/apis/audit/admin-acts.test.ts",
  "channel.move-in": "test/apis/audit/admin-acts.test.ts",
  "channel.move-out": "test/apis/audit/admin-acts.test.ts",
  "channel.undo-import": "test/apis/audit/admin-acts.test.ts",
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
