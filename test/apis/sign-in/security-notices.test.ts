import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generate } from "otplib";
import { HOUR_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { LANGUAGES } from "../../../src/kernel/texts/languages.ts";
import { putConsolePerson } from "../../../src/store/tables/tenancy/console-people.ts";
import { type MailedWorld, startMailedWorld } from "../../support/billing/mailed.ts";
import { browserAt, type ConsoleBrowser } from "../../support/customers/console.ts";
import { made } from "../../support/tenants/platform.ts";
import { startWorld } from "../../support/world.ts";

let m: MailedWorld;
beforeAll(async () => {
  m = await startMailedWorld({ RECADO_REGISTRATION: "open", RECADO_ADDRESS_RATE: "10000" });
});
afterAll(() => m.stop());

const SUBJECTS = {
  device: "Recado: New sign-in",
  password: "Recado: Your password was changed",
  email: "Recado: Your e-mail was changed",
  second: "Recado: Your second step was changed",
};
/** The mail that verifies the address counts in the same hour. */
const VERIFICATION = 1;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** The subjects of the mails that somebody was sent while `act` ran. */
const mailedBy = async (email: string, act: () => Promise<unknown>): Promise<string[]> => {
  await m.settle();
  const before = m.mailsTo(email).length;
  await act();
  await m.settle();
  return m
    .mailsTo(email)
    .slice(before)
    .map(({ subject }) => subject);
};

type From = { from?: string; agent?: string };
const login = (email: string, { from = "127.0.0.1", agent = "curl/8" }: From = {}, password = "password-1") =>
  m.platform("/v1/auth/login", {
    body: { email, password },
    headers: { "x-forwarded-for": from, "user-agent": agent },
  });
const consoleOf = async (email: string): Promise<ConsoleBrowser> => {
  const browser = browserAt(m);
  expect((await browser.post("/sign-in", { email, password: "password-1" })).status).toBe(200);
  return browser;
};

describe("a sign-in is notified by mail", () => {
  test("when its address or its program is new, in the API and in the console, and only then", async () => {
    const { email } = await m.verified();
    const at = (from: From) => mailedBy(email, async () => made(await login(email, from), 200));
    await at({});
    expect(await at({})).toEqual([]);
    expect(await at({ from: "203.0.113.5" })).toEqual([SUBJECTS.device]);
    expect(await at({ from: "203.0.113.5" })).toEqual([]);
    expect(await at({ from: "203.0.113.5", agent: FIREFOX })).toEqual([SUBJECTS.device]);
    const mail = m.mailsTo(email).at(-1)?.text ?? "";
    expect(mail).toContain("From: 203.0.113.5");
    expect(mail).toContain("With: Firefox, Linux");
    const browser = browserAt(m, { from: "203.0.113.77" });
    const signIn = () => browser.ask("POST", "/sign-in", { email, password: "password-1" }, { "user-agent": FIREFOX });
    expect(await mailedBy(email, signIn)).toEqual([SUBJECTS.device]);
    expect(await mailedBy(email, signIn)).toEqual([]);
    expect(await at({ from: "203.0.113.77" })).toEqual([]);
  });

  test("never when it is refused, and with no words of the client", async () => {
    const { email } = await m.verified();
    const agent = "Your account is blocked, go to http://evil.example";
    expect(await mailedBy(email, () => login(email, { from: "203.0.113.9" }, "wrong password"))).toEqual([]);
    expect(await mailedBy(email, () => login(email, { from: "203.0.113.9", agent }))).toEqual([SUBJECTS.device]);
    expect(m.mailsTo(email).at(-1)?.text).not.toContain("evil");
  });

  test("at most three times an hour to a mailbox that was not verified", async () => {
    const { email } = await m.institution();
    const many = async () => {
      for (let n = 0; n < 5; n++) made(await login(email, { agent: `program ${n} at ${m.clock.now()}` }), 200);
    };
    expect(await mailedBy(email, many)).toHaveLength(3 - VERIFICATION);
    m.clock.advance(HOUR_MS + MINUTE_MS);
    expect(await mailedBy(email, many)).toHaveLength(3);
  });
});

describe("a change of how a person signs in is notified by mail", () => {
  test("a password: by the API, by a mailed link and in the console", async () => {
    const { email, token } = await m.verified();
    const changed = async () =>
      made(
        await m.platform("/v1/auth/change-password", {
          token,
          body: { currentPassword: "password-1", newPassword: "password-2" },
        }),
        200,
      );
    expect(await mailedBy(email, changed)).toEqual([SUBJECTS.password]);
    made(await m.platform("/v1/auth/forgot-password", { body: { email } }), 202);
    await m.settle();
    const link = m.linkTo(email);
    const reset = async () =>
      made(await m.platform("/v1/auth/reset-password", { body: { token: link, password: "password-1" } }), 200);
    expect(await mailedBy(email, reset)).toEqual([SUBJECTS.password]);
    const browser = await consoleOf(email);
    expect(await mailedBy(email, () => browser.post("/profile/password", { password: "password-3" }))).toEqual([
      SUBJECTS.password,
    ]);
  });

  test("an e-mail: to the mailbox that was theirs before", async () => {
    const { email } = await m.verified();
    const browser = await consoleOf(email);
    const other = `new-${email}`;
    expect(await mailedBy(email, () => browser.ask("PATCH", "/profile", { email: other }))).toEqual([SUBJECTS.email]);
    expect(m.mailsTo(other).map(({ subject }) => subject)).toEqual(["Recado: Verify your e-mail address"]);
    expect(await mailedBy(other, () => browser.ask("PATCH", "/profile", { name: "Another" }))).toEqual([]);
  });

  test("a second step: when it begins, when its codes are renewed, and when it ends", async () => {
    const { email } = await m.verified();
    const browser = await consoleOf(email);
    const begin = async () => {
      const { secret } = (await browser.post("/profile/totp")).body;
      const code = await generate({ secret, epoch: Math.floor(m.clock.now() / 1000) });
      expect((await browser.post("/profile/totp/confirm", { code })).status).toBe(200);
    };
    expect(await mailedBy(email, begin)).toEqual([SUBJECTS.second]);
    expect(await mailedBy(email, () => browser.post("/profile/recovery-codes"))).toEqual([SUBJECTS.second]);
    expect(await mailedBy(email, () => browser.ask("DELETE", "/profile/totp"))).toEqual([SUBJECTS.second]);
    m.clock.advance(10 * MINUTE_MS);
    expect(await mailedBy(email, () => browser.ask("DELETE", "/profile/totp"))).toEqual([]); // refused
  });

  test("an operator's password, by the link that was handed over and in the console", async () => {
    const operator = { name: "Otto", email: "otto@example.com" };
    const { link } = made(await m.gateway("/v1/admin/operators", { admin: true, body: operator }), 201);
    const choose = () =>
      fetch(link.replace(m.app.publicUrl, m.app.url), {
        method: "POST",
        body: new URLSearchParams({ password: "a long password" }),
      });
    expect(await mailedBy(operator.email, choose)).toEqual([SUBJECTS.password]);
    const browser = browserAt(m);
    expect((await browser.post("/sign-in", { email: operator.email, password: "a long password" })).status).toBe(200);
    const change = () => browser.post("/profile/password", { password: "another long password" });
    expect(await mailedBy(operator.email, change)).toEqual([SUBJECTS.password]);
  });

  test("in the language of the person", async () => {
    const subjects: (string | undefined)[] = [];
    for (const language of LANGUAGES) {
      const { email, userId } = await m.verified();
      await m.app.env.db.write((tx) => putConsolePerson(tx, `user:${userId}`, { language }));
      made(await login(email, { from: "203.0.113.5" }), 200);
      await m.settle();
      subjects.push(m.mailsTo(email).at(-1)?.subject);
    }
    expect(subjects).toEqual(["Recado: Nova entrada", SUBJECTS.device, "Recado: Nuevo inicio de sesión"]);
  });
});

test("without a mail server nothing is queued", async () => {
  const w = await startWorld({});
  try {
    const { email } = await w.institution();
    const from = { "x-forwarded-for": "203.0.113.5" };
    made(await w.platform("/v1/auth/login", { body: { email, password: "password-1" }, headers: from }), 200);
    expect(await w.app.env.db.read((reader) => reader.rows("SELECT id FROM mails"))).toEqual([]);
  } finally {
    await w.stop();
  }
});
