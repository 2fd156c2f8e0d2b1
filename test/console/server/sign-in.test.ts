import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { browserAt, OPERATOR, setUpConsole } from "../../support/customers/console.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_ADMIN_TOKEN: "", RECADO_REGISTRATION: "open" }, logLevel: "debug" });
});
afterEach(() => w.stop());

const rows = <Row>(sql: string) => w.app.env.db.read((reader) => reader.rows<Row>(sql));
const acts = async () =>
  (await rows<{ actor: string; action: string }>("SELECT actor, action FROM audit_entries ORDER BY id")).map(
    ({ actor, action }) => `${actor.split(":", 1)[0]} ${action}`,
  );
const sessionsOpen = async () =>
  (await rows<{ n: number }>("SELECT count(*) AS n FROM console_sessions WHERE ended_at IS NULL"))[0]?.n;

describe("the set-up", () => {
  test("makes the operator and the first account, signs in, and is spent", async () => {
    const browser = await setUpConsole(w);
    const { status, body } = await browser.get("/session");
    expect(status).toBe(200);
    expect(body.person).toMatchObject({ kind: "operator", name: OPERATOR.name, email: OPERATOR.email, language: null });
    expect(body.accounts).toMatchObject([{ name: "ACME", role: "OWNER", scopes: null }]);
    expect(await acts()).toEqual(["setup-link operator.create", "operator account.create", "operator session.begin"]);
    const again = browserAt(w);
    const token = new URL(w.app.setupUrl ?? "").searchParams.get("token");
    expect(await again.post("/setup", { token, ...OPERATOR, email: "thief@example.com" })).toMatchObject({
      status: 410,
      body: { error: { code: "SETUP_LINK_SPENT" } },
    });
    expect(await rows("SELECT email FROM operators")).toEqual([{ email: OPERATOR.email }]);
    await w.restart();
    expect(w.app.setupUrl).toBeUndefined();
    expect((await browser.get("/session")).status).toBe(200);
  });

  test.each([
    [{ email: "nobody" }, "email"],
    [{ name: "" }, "name"],
    [{ password: "short" }, "password"],
    [{ account: "x".repeat(121) }, "account"],
  ])("refuses %j, and the link stays good", async (change, field) => {
    const browser = browserAt(w);
    const token = new URL(w.app.setupUrl ?? "").searchParams.get("token");
    const refused = await browser.post("/setup", { token, ...OPERATOR, ...change });
    expect([refused.status, Object.keys(refused.body.error.details.fieldErrors)]).toEqual([400, [field]]);
    expect(await rows("SELECT 1 FROM operators")).toEqual([]);
    expect(await rows("SELECT 1 FROM tenants")).toEqual([]);
    expect((await setUpConsole(w)).cookies.has("recado")).toBe(true);
  });

  test("who is not signed in learns that there is nobody yet, and no more once there is", async () => {
    expect((await browserAt(w).get("/session")).body.missing).toBe("setup");
    await setUpConsole(w);
    expect(await browserAt(w).get("/session")).toMatchObject({ status: 401, body: { missing: null } });
  });
});

describe("a sign-in", () => {
  test("opens a session under a new cookie each time; a cookie that was there before opens nothing", async () => {
    await setUpConsole(w);
    const browser = browserAt(w);
    browser.cookies.set("recado", "a-value-of-an-attacker");
    const answer = await browser.post("/sign-in", OPERATOR);
    expect(answer.status).toBe(200);
    const cookie = answer.headers.getSetCookie()[0] ?? "";
    expect(cookie).toMatch(/^recado=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    const first = browser.cookies.get("recado");
    await browser.post("/sign-in", OPERATOR);
    expect(browser.cookies.get("recado")).not.toBe(first);
    browser.cookies.set("recado", "a-value-of-an-attacker");
    expect((await browser.get("/session")).status).toBe(401);
  });

  test("says the same of an unknown e-mail, a wrong password and a user without one", async () => {
    await setUpConsole(w);
    const { email } = await w.institution();
    const before = await sessionsOpen();
    const answers = [];
    for (const credentials of [
      { email: OPERATOR.email, password: "wrong password" },
      { email, password: "wrong password" },
      { email: "nobody@example.com", password: "wrong password" },
    ]) {
      const { status, body } = await browserAt(w).post("/sign-in", credentials);
      answers.push({ status, body });
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, body: { error: { code: "LOGIN_REFUSED" } } });
    expect(await sessionsOpen()).toBe(before);
  });

  test("of a member gives their institutions with the rights of their roles", async () => {
    const { email, id, userId } = await w.institution();
    const browser = browserAt(w);
    const { status, body } = await browser.post("/sign-in", {
      email: ` ${email.toUpperCase()} `,
      password: "password-1",
    });
    expect(status).toBe(200);
    expect(body.person).toMatchObject({ kind: "member", id: userId });
    expect(body.accounts).toMatchObject([{ id, role: "OWNER", scopes: null }]);
    expect(body.accounts[0].powers).toContain("members.write");
  });

  test("of somebody who is an operator and a user too takes whose password it is", async () => {
    await setUpConsole(w);
    const made = await w.platform("/v1/auth/register", {
      body: { name: "Olga", email: OPERATOR.email, password: "password-1", institutionName: "Her Own" },
    });
    expect(made.status).toBe(201);
    expect((await browserAt(w).post("/sign-in", OPERATOR)).body.person.kind).toBe("operator");
    const asUser = await browserAt(w).post("/sign-in", { email: OPERATOR.email, password: "password-1" });
    expect([asUser.body.person.kind, asUser.body.accounts.length]).toEqual(["member", 1]);
  });

  test("lets nobody guess on by signing in between as a user with the operator's e-mail", async () => {
    await setUpConsole(w);
    const password = "the thief's own password";
    const user = { name: "Thief", email: OPERATOR.email, password, institutionName: "Of the thief" };
    expect((await w.platform("/v1/auth/register", { body: user })).status).toBe(201);
    const thief = browserAt(w, { from: "203.0.113.7" });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      if (n % 4 === 0) await thief.post("/sign-in", { email: OPERATOR.email, password });
      statuses.push((await thief.post("/sign-in", { email: OPERATOR.email, password: `wrong password ${n}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
    expect((await browserAt(w).post("/sign-in", OPERATOR)).body.person.kind).toBe("operator");
    w.clock.advance(HOUR_MS);
    expect((await thief.post("/sign-in", { email: OPERATOR.email, password })).body.person.kind).toBe("member");
  });

  test("is slowed down by wrong guesses of strangers, and never for the owner's own address", async () => {
    await setUpConsole(w);
    const owner = browserAt(w, { from: "198.51.100.7" });
    expect((await owner.post("/sign-in", OPERATOR)).status).toBe(200);
    const wrong = { email: OPERATOR.email, password: "wrong password" };
    const statuses = [];
    for (let n = 0; n < 70; n++)
      statuses.push((await browserAt(w, { from: `203.0.113.${n}` }).post("/sign-in", wrong)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    expect((await owner.post("/sign-in", OPERATOR)).status).toBe(200);
  });

  test("counts every address of an IPv6 network as one", async () => {
    await w.stop();
    w = await startWorld({ env: { RECADO_ADDRESS_RATE: "3", RECADO_ADMIN_TOKEN: "" } });
    const statuses = [];
    for (let n = 1; n <= 5; n++) {
      const { status } = await browserAt(w, { from: `2001:db8:0:1::${n}` }).post("/sign-in", {
        email: `a${n}@example.com`,
        password: "wrong password",
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await browserAt(w, { from: "2001:db8:0:2::1" }).post("/sign-in", OPERATOR)).status).toBe(401);
  });

  test.each([
    ["another origin", { origin: "http://localhost:1" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another port of the host", { "sec-fetch-site": "same-site" }],
    ["no header of the program", { "x-recado-console": "" }],
  ])("from %s is refused, also with the right password", async (_, headers) => {
    const browser = await setUpConsole(w);
    const before = await sessionsOpen();
    const refused = await browser.ask("POST", "/sign-in", OPERATOR, headers);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "ORIGIN_REFUSED" } } });
    expect((await browser.ask("POST", "/sign-out", {}, headers as Record<string, string>)).status).toBe(403);
    expect((await browser.ask("GET", "/session", undefined, headers as Record<string, string>)).status).toBe(403);
    expect(await sessionsOpen()).toBe(before);
  });
});

describe("a session", () => {
  test("ends with the sign-out, at once and alone", async () => {
    const browser = await setUpConsole(w);
    const other = browserAt(w);
    await other.post("/sign-in", OPERATOR);
    const cookie = browser.cookies.get("recado") ?? "";
    expect((await browser.post("/sign-out")).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    browser.cookies.set("recado", cookie);
    expect((await browser.get("/session")).status).toBe(401);
    expect((await other.get("/session")).status).toBe(200);
  });

  test("ends after 12 hours without use, and after 30 days of use", async () => {
    const idle = await setUpConsole(w);
    const used = browserAt(w);
    await used.post("/sign-in", OPERATOR);
    for (let day = 0; day < 30; day++)
      for (let n = 0; n < 3; n++) {
        w.clock.advance(DAY_MS / 3);
        expect((await used.get("/session")).status).toBe(day === 29 && n === 2 ? 401 : 200);
        if (day === 0 && n === 0) expect((await idle.get("/session")).status).toBe(200);
      }
    const second = browserAt(w);
    await second.post("/sign-in", OPERATOR);
    w.clock.advance(12 * HOUR_MS);
    expect((await second.get("/session")).status).toBe(401);
    expect((await idle.get("/session")).status).toBe(401);
  });

  test("survives a restart with the time of its last use", async () => {
    const browser = await setUpConsole(w);
    w.clock.advance(11 * HOUR_MS);
    expect((await browser.get("/session")).status).toBe(200);
    await w.restart();
    w.clock.advance(11 * HOUR_MS);
    expect((await browser.get("/session")).status).toBe(200);
  });

  test("of a user ends with a change of their password, by whichever way", async () => {
    const { email, token } = await w.institution();
    const browser = browserAt(w);
    await browser.post("/sign-in", { email, password: "password-1" });
    expect((await browser.get("/session")).status).toBe(200);
    const changed = await w.platform("/v1/auth/change-password", {
      token,
      body: { currentPassword: "password-1", newPassword: "password-2" },
    });
    expect(changed.status).toBe(200);
    expect((await browser.get("/session")).status).toBe(401);
  });

  test("of a member ends with their last institution; a changed role counts at once", async () => {
    const { id } = await w.institution();
    const guest = await w.institution();
    const browser = browserAt(w);
    await browser.post("/sign-in", { email: guest.email, password: "password-1" });
    const { db } = w.app.env;
    await db.write(async (tx) => tx.run("UPDATE members SET role = 'VIEWER' WHERE user_id = ?1", [guest.userId]));
    const { body } = await browser.get("/session");
    expect(body.accounts).toMatchObject([{ role: "VIEWER" }]);
    expect(body.accounts[0].powers).not.toContain("members.write");
    expect(body.accounts.map((one: { id: string }) => one.id)).not.toContain(id);
    await db.write(async (tx) => tx.run("DELETE FROM members WHERE user_id = ?1", [guest.userId]));
    expect((await browser.get("/session")).status).toBe(401);
    expect(await browserAt(w).post("/sign-in", { email: guest.email, password: "password-1" })).toMatchObject({
      status: 403,
      body: { error: { code: "NO_INSTITUTION" } },
    });
  });

  test("is stored by its hash alone, and nothing secret is logged", async () => {
    const browser = await setUpConsole(w);
    await browser.get("/session");
    const kept = JSON.stringify(await rows("SELECT * FROM console_sessions")) + w.logs.join("");
    for (const secret of [browser.cookies.get("recado") ?? "", OPERATOR.password]) expect(kept).not.toContain(secret);
    w.clock.advance(MINUTE_MS);
  });
});
