import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { generate } from "otplib";
import { HOUR_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { type MailedWorld, startMailedWorld } from "../../support/billing/mailed.ts";
import { browserAt } from "../../support/customers/console.ts";
import { made } from "../../support/tenants/platform.ts";

let m: MailedWorld;
beforeAll(async () => {
  m = await startMailedWorld({ RECADO_REGISTRATION: "open", RECADO_ADDRESS_RATE: "10000" });
});
afterAll(() => m.stop());

const rows = <Row>(sql: string, values: string[] = []) => m.app.env.db.read((reader) => reader.rows<Row>(sql, values));
const post = (path: string, body: object) => m.platform(`/v1/auth/${path}`, { body });

type Person = {
  email: string;
  userId: string;
  recovery: string[];
  /** A code that was not used before. */
  code(): Promise<string>;
};

/** A user with an authenticator app and recovery codes. */
const withApp = async (): Promise<Person> => {
  const { email, userId } = await m.verified();
  const browser = browserAt(m);
  await browser.post("/sign-in", { email, password: "password-1" });
  const { secret } = (await browser.post("/profile/totp")).body;
  const code = async () => {
    m.clock.advance(MINUTE_MS); // a code is good once
    return generate({ secret, epoch: Math.floor(m.clock.now() / 1000) });
  };
  const { recoveryCodes } = (await browser.post("/profile/totp/confirm", { code: await code() })).body;
  await browser.post("/sign-out");
  return { email, userId, recovery: recoveryCodes, code };
};

const page = async (name: string, token: string, fields: Record<string, string>) => {
  const answer = await fetch(`${m.app.url}/console/${name}?token=${token}`, {
    method: "POST",
    body: JSON.stringify(fields),
    headers: { "content-type": "application/json", accept: "application/json" },
  });
  return { status: answer.status, body: (await answer.json()) as any };
};

const resetLink = async (email: string) => {
  m.clock.advance(HOUR_MS);
  made(await post("forgot-password", { email }), 202);
  await m.settle();
  return m.linkTo(email);
};

type Codes = { totp?: string; recovery?: string };
type Go = (codes: Codes) => Promise<{ status: number; body: any }>;

/** TABLE: every door that takes a password, a reset or an invitation of a user who is there. */
const DOORS: Record<string, (person: Person) => Promise<Go>> = {
  "the platform's login":
    async ({ email }) =>
    (codes) =>
      post("login", { email, password: "password-1", ...codes }),
  "a reset of the password": async ({ email }) => {
    const token = await resetLink(email);
    return (codes) => post("reset-password", { token, password: "password-1", ...codes });
  },
  "the page of a reset": async ({ email }) => {
    const token = await resetLink(email);
    return (codes) => page("reset-password", token, { password: "password-1", ...codes });
  },
  "the page of an invitation": async ({ email }) => {
    const owner = await m.verified();
    made(await m.platform(`/v1/institutions/${owner.id}/members`, { token: owner.token, body: { email } }), 201);
    await m.settle();
    const token = m.linkTo(email);
    return (codes) => page("invitation", token, { password: "password-1", ...codes });
  },
};

/** What a door changes when it lets somebody in. */
const stateOf = (userId: string) =>
  Promise.all([
    rows("SELECT password_hash, verified_at FROM users WHERE id = ?1", [userId]),
    rows("SELECT id, ended_at FROM user_sessions WHERE user_id = ?1", [userId]),
    rows("SELECT id, ended_at FROM console_sessions WHERE person = ?1", [`user:${userId}`]),
    rows("SELECT hash FROM user_links WHERE user_id = ?1", [userId]),
    rows("SELECT tenant_id FROM members WHERE user_id = ?1", [userId]),
    rows("SELECT totp_step, recovery_codes FROM console_people WHERE person = ?1", [`user:${userId}`]),
    rows("SELECT id FROM audit_entries WHERE actor = ?1", [`user:${userId}`]),
  ]);

const REQUIRED = { code: "SECOND_STEP_REQUIRED" };

describe.each(Object.entries(DOORS))("P login: %s", (_, door) => {
  test("asks who has a second step for it; without a right code nothing happens", async () => {
    const person = await withApp();
    const go = await door(person);
    const before = await stateOf(person.userId);
    for (const codes of [{}, { totp: "" }, { totp: "000000" }, { recovery: "AAAA-BBBB-CCCC-DDDD" }])
      expect(await go(codes)).toMatchObject({ status: 403, body: REQUIRED });
    expect(await stateOf(person.userId)).toEqual(before);
    expect((await go({ totp: await person.code() })).status).toBe(200);
  });

  test("takes a recovery code, once", async () => {
    const person = await withApp();
    const recovery = person.recovery[0] ?? "";
    expect((await (await door(person))({ recovery })).status).toBe(200);
    const again = await door(person);
    const before = await stateOf(person.userId);
    expect(await again({ recovery })).toMatchObject({ status: 403, body: REQUIRED });
    expect(await stateOf(person.userId)).toEqual(before);
    const name = `user:${person.userId}`;
    expect(
      await rows(
        `SELECT actor, details ->> 'left' AS "left" FROM audit_entries
          WHERE action = 'recovery-codes.use' AND target = ?1`,
        [name],
      ),
    ).toEqual([{ actor: name, left: person.recovery.length - 1 }]);
  });

  test("takes a code once, and lets nobody guess", async () => {
    const person = await withApp();
    const first = await person.code();
    expect((await DOORS["the platform's login"]?.(person).then((go) => go({ totp: first })))?.status).toBe(200);
    const go = await door(person);
    expect((await go({ totp: first })).status).toBe(403);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await go({ totp: `00000${n}` })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 429, 429]);
    const before = await stateOf(person.userId);
    expect((await go({ recovery: person.recovery[0] ?? "" })).status).toBe(429);
    expect(await stateOf(person.userId)).toEqual(before);
  });

  test("asks nobody else, whatever they send", async () => {
    const { email, userId } = await m.verified();
    const go = await door({ email, userId, recovery: [], code: async () => "" });
    expect((await go({ totp: "000000", recovery: "none" })).status).toBe(200);
  });
});

test("P login: the bodies of the refusals are those that were decided", async () => {
  const person = await withApp();
  const message = expect.any(String);
  const login = await post("login", { email: person.email, password: "password-1" });
  expect(login.body).toEqual({ error: message, ...REQUIRED });
  const token = await resetLink(person.email);
  expect((await post("reset-password", { token, password: "password-2" })).body).toEqual({ message, ...REQUIRED });
  expect((await page("reset-password", token, { password: "password-2" })).body).toMatchObject({
    message,
    ...REQUIRED,
  });
});

test("a wrong password says the same of a user with a second step as of anybody", async () => {
  const person = await withApp();
  const [known, unknown] = await Promise.all(
    [person.email, "nobody@example.com"].map((email) => post("login", { email, password: "wrong password" })),
  );
  expect([known?.status, known?.body]).toEqual([401, unknown?.body]);
});

test("an invitation that cannot be accepted spends no code", async () => {
  const person = await withApp();
  const owner = await m.verified();
  made(
    await m.platform(`/v1/institutions/${owner.id}/members`, { token: owner.token, body: { email: person.email } }),
    201,
  );
  await m.settle();
  const token = m.linkTo(person.email);
  await m.app.env.db.write(async (tx) =>
    tx.run("UPDATE invitations SET is_mailed = 0 WHERE email_key = ?1", [person.email]),
  );
  await m.app.env.db.write(async (tx) => tx.run("UPDATE users SET verified_at = NULL WHERE id = ?1", [person.userId]));
  const [recovery = ""] = person.recovery;
  const before = await stateOf(person.userId);
  expect((await page("invitation", token, { password: "password-1", recovery })).status).toBe(403);
  expect(await stateOf(person.userId)).toEqual(before);
});

test("a link that the operator hands over ends the second step, as before", async () => {
  const person = await withApp();
  const { link } = made(await m.gateway("/v1/admin/users/reset", { admin: true, body: { email: person.email } }), 201);
  const token = new URL(link).searchParams.get("token");
  expect((await post("reset-password", { token, password: "password-2" })).status).toBe(200);
  expect((await post("login", { email: person.email, password: "password-2" })).status).toBe(200);
});

test("the page of a link shows the fields of the second step to who needs them", async () => {
  const person = await withApp();
  const token = await resetLink(person.email);
  const shown = await fetch(`${m.app.url}/console/reset-password?token=${token}`, {
    method: "POST",
    body: new URLSearchParams({ password: "password-2" }),
    headers: { accept: "text/html" },
  });
  expect([shown.status, await shown.text()]).toEqual([403, expect.stringContaining('name="totp"')]);
  const first = await fetch(`${m.app.url}/console/reset-password?token=${token}`, { headers: { accept: "text/html" } });
  expect(await first.text()).not.toContain("totp");
});

test("sign-ins of the platform are in the audit log, with their address", async () => {
  const person = await withApp();
  const entries = () =>
    rows<{ actor: string; address: string }>(
      "SELECT actor, details ->> 'address' AS address FROM audit_entries WHERE action = 'session.begin' AND target = ?1 ORDER BY id",
      [`user:${person.userId}`],
    );
  const before = await entries();
  const from = { "x-forwarded-for": "203.0.113.9" };
  made(
    await m.platform("/v1/auth/login", {
      body: { email: person.email, password: "password-1", totp: await person.code() },
      headers: from,
    }),
    200,
  );
  expect((await entries()).slice(before.length)).toEqual([{ actor: `user:${person.userId}`, address: "203.0.113.9" }]);
});

test("a session's row is made in one file alone, so a new door cannot go round the second step", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const makers = files.filter((name) =>
    /insertUserSession|insertConsoleSession|into (?:user|console)_sessions/i.test(readFileSync(`src/${name}`, "utf8")),
  );
  expect(makers.toSorted()).toEqual([
    "core/tenancy/sign-in/session-start.ts",
    "store/tables/tenancy/console-sessions.ts",
    "store/tables/tenancy/user-sessions.ts",
  ]);
});
