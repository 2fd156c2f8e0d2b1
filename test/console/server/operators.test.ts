import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { generate } from "otplib";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { browserAt, type ConsoleBrowser, OPERATOR, setUpConsole } from "../../support/customers/console.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_ADMIN_TOKEN: "", RECADO_REGISTRATION: "open" }, logLevel: "debug" });
});
afterEach(() => w.stop());

const rows = <Row>(sql: string) => w.app.env.db.read((reader) => reader.rows<Row>(sql));
const admin = (browser: ConsoleBrowser, method: string, path: string, body?: object) =>
  browser.ask(method, `/gateway/v1/admin${path}`, body);
const STALE = { status: 403, body: { error: { code: "REAUTHENTICATION_NEEDED" } } };
/** The browser after the proof of its sign-in has become too old. */
const stale = async (): Promise<ConsoleBrowser> => {
  const browser = await setUpConsole(w);
  w.clock.advance(10 * MINUTE_MS);
  return browser;
};

describe("dangerous acts of a person", () => {
  test("need a proof of the last ten minutes; the password gives it, a wrong one does not", async () => {
    const browser = await stale();
    const account = (await browser.get("/session")).body.accounts[0].id;
    const acts = [
      () => admin(browser, "POST", "/token"),
      () => admin(browser, "PATCH", `/accounts/${account}`, { status: "CANCELLED" }),
      () => admin(browser, "POST", "/operators", { name: "A Thief", email: "thief@example.com" }),
      () => admin(browser, "POST", "/operators/reset", { email: OPERATOR.email }),
      () => admin(browser, "POST", "/users/reset", { email: OPERATOR.email }),
      () => admin(browser, "POST", "/exports", { phone: "5511999990001" }),
      () => admin(browser, "POST", "/people/erase", { person: "5511999990001" }),
      () => browser.ask("PATCH", "/profile", { email: "thief@example.com" }),
      () => browser.post("/profile/password", { password: "a new password" }),
      () => browser.post("/profile/totp"),
      () => browser.post("/profile/passkeys/options"),
      () => browser.post("/profile/passkeys", { name: "A thief's", passkey: {} }),
    ];
    // the challenge of a proof is there, and opens none of them
    expect((await browser.post("/profile/proof/options")).status).toBe(200);
    for (const act of acts) expect(await act()).toMatchObject(STALE);
    expect(await rows("SELECT email FROM operators")).toEqual([{ email: OPERATOR.email }]);
    expect(await rows("SELECT status FROM tenants")).toEqual([{ status: "ACTIVE" }]);
    expect(await rows("SELECT 1 FROM meta WHERE name = 'admin-token'")).toEqual([]);
    expect((await browser.post("/profile/proof", { password: "a wrong one" })).status).toBe(401);
    expect(await admin(browser, "POST", "/token")).toMatchObject(STALE);
    expect((await browser.post("/profile/proof", { password: OPERATOR.password })).status).toBe(200);
    expect((await admin(browser, "POST", "/token")).status).toBe(201);
    w.clock.advance(10 * MINUTE_MS);
    expect(await admin(browser, "POST", "/token")).toMatchObject(STALE);
  });

  test("what does no harm needs none, and neither does a token", async () => {
    const browser = await setUpConsole(w);
    const { token } = (await admin(browser, "POST", "/token")).body;
    w.clock.advance(10 * MINUTE_MS);
    expect((await browser.ask("PATCH", "/profile", { name: "Olga", language: "pt" })).body.person).toMatchObject({
      name: "Olga",
      language: "pt",
    });
    expect((await admin(browser, "GET", "/operators")).status).toBe(200);
    const made = await w.gateway("/v1/admin/operators", {
      body: { name: "Otto", email: "otto@example.com" },
      headers: { "x-admin-token": token },
    });
    expect(made.status).toBe(201);
  });
});

describe("an operator", () => {
  test("signs in by the link alone, once; a reset ends sessions and second steps, and the old link", async () => {
    const olga = await setUpConsole(w);
    const made = (await admin(olga, "POST", "/operators", { name: "Otto", email: "otto@example.com" })).body;
    const choose = (link: string, password: string) =>
      fetch(link.replace(w.app.publicUrl, w.app.url), { method: "POST", body: new URLSearchParams({ password }) });
    expect((await choose(made.link, "short")).status).toBe(400);
    expect((await choose(made.link, "first password")).status).toBe(200);
    expect((await choose(made.link, "again a password")).status).toBe(404);
    const otto = browserAt(w);
    await otto.post("/sign-in", { email: "otto@example.com", password: "first password" });
    const { secret } = (await otto.post("/profile/totp")).body;
    const code = await generate({ secret, epoch: Math.floor(w.clock.now() / 1000) });
    expect((await otto.post("/profile/totp/confirm", { code })).body.recoveryCodes).toHaveLength(10);
    const reset = (await admin(olga, "POST", "/operators/reset", { email: "OTTO@example.com" })).body;
    expect((await otto.get("/session")).status).toBe(200); // until the link is used
    expect((await choose(reset.link, "second password")).status).toBe(200);
    expect((await otto.get("/session")).status).toBe(401);
    const again = await otto.post("/sign-in", { email: "otto@example.com", password: "second password" });
    expect(again.body.person).toMatchObject({ kind: "operator", name: "Otto" });
  });

  test("is deleted with their sessions; the last one stays, and a member deletes nobody", async () => {
    const olga = await setUpConsole(w);
    const { id } = (await olga.get("/session")).body.person;
    expect(await admin(olga, "DELETE", `/operators/${id}`)).toMatchObject({
      status: 409,
      body: { error: { code: "LAST_OPERATOR" } },
    });
    await admin(olga, "POST", "/operators", { name: "Otto", email: "otto@example.com" });
    const { email } = await w.institution();
    const member = browserAt(w);
    await member.post("/sign-in", { email, password: "password-1" });
    expect((await admin(member, "DELETE", `/operators/${id}`)).status).toBe(403);
    expect((await admin(member, "GET", "/operators")).status).toBe(403);
    expect((await admin(olga, "DELETE", `/operators/${id}`)).status).toBe(204);
    expect((await olga.get("/session")).status).toBe(401);
    expect(await rows("SELECT name FROM operators")).toEqual([{ name: "Otto" }]);
    expect(await rows("SELECT 1 FROM console_sessions WHERE person LIKE 'operator:%'")).toEqual([]);
  });
});

describe("a second step", () => {
  const withApp = async () => {
    const browser = await setUpConsole(w);
    const { secret } = (await browser.post("/profile/totp")).body;
    const codeNow = () => generate({ secret, epoch: Math.floor(w.clock.now() / 1000) });
    const { recoveryCodes } = (await browser.post("/profile/totp/confirm", { code: await codeNow() })).body;
    w.clock.advance(MINUTE_MS);
    return { secret: secret as string, codeNow, recoveryCodes: recoveryCodes as string[] };
  };

  test("is asked for after the password; a code works once, at once or again by another browser", async () => {
    const { codeNow } = await withApp();
    const [first, second] = [browserAt(w), browserAt(w)];
    for (const browser of [first, second]) {
      const answer = await browser.post("/sign-in", OPERATOR);
      expect(answer.body).toEqual({ second: ["totp", "recovery"], passkey: null });
      expect((await browser.get("/session")).status).toBe(401);
    }
    const totp = await codeNow();
    const both = await Promise.all([first, second].map((one) => one.post("/sign-in/second", { totp })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  test("is over after five wrong answers, after ten minutes, and without its cookie", async () => {
    const { codeNow, recoveryCodes } = await withApp();
    const browser = browserAt(w);
    await browser.post("/sign-in", OPERATOR);
    for (let n = 0; n < 5; n++) expect((await browser.post("/sign-in/second", { totp: "000000" })).status).toBe(401);
    w.clock.advance(MINUTE_MS);
    expect((await browser.post("/sign-in/second", { totp: await codeNow() })).status).toBe(401);
    await browser.post("/sign-in", OPERATOR);
    w.clock.advance(10 * MINUTE_MS);
    expect((await browser.post("/sign-in/second", { totp: await codeNow() })).status).toBe(401);
    await browser.post("/sign-in", OPERATOR);
    const other = browserAt(w);
    expect((await other.post("/sign-in/second", { recovery: recoveryCodes[0] })).status).toBe(401);
    expect((await browser.post("/sign-in/second", { recovery: recoveryCodes[0] })).status).toBe(200);
    await other.post("/sign-in", OPERATOR);
    expect((await other.post("/sign-in/second", { recovery: recoveryCodes[0] })).status).toBe(401);
  });

  test("is stored sealed or hashed, and never logged", async () => {
    const { secret, recoveryCodes } = await withApp();
    const kept = JSON.stringify(await rows("SELECT * FROM console_people")) + w.logs.join("");
    for (const one of [secret, ...recoveryCodes]) expect(kept).not.toContain(one);
  });
});
