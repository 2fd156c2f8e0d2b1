import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { isCommonPassword } from "../../../src/core/tenancy/sign-in/new-passwords.ts";
import { type MailedWorld, startMailedWorld } from "../../support/billing/mailed.ts";
import { browserAt, OPERATOR, setUpConsole } from "../../support/customers/console.ts";
import { made } from "../../support/tenants/platform.ts";
import { startWorld, type World } from "../../support/world.ts";

const COMMON = ["password", "12345678", "aaaaaaaa", "PASSWORD1", "hgfedcba", "senha123", "Recado2026!"];
const GOOD = ["a long password", "password-1", "correct horse battery", "não é uma senha"];

test("P-045 the commonest passwords are known, in any case, and so are runs and names", async () => {
  const judged = (all: readonly string[]) => Promise.all(all.map((one) => isCommonPassword(one)));
  expect(await judged(COMMON)).toEqual(COMMON.map(() => true));
  expect(await judged(GOOD)).toEqual(GOOD.map(() => false));
  expect(await isCommonPassword("PadariaEstrela_24", ["Padaria Estrela"])).toBe(true);
  expect(await isCommonPassword("PadariaEstrela_24", ["Another"])).toBe(false);
  expect(await isCommonPassword("87654-321", ["AB"])).toBe(false);
});

const register = (w: World, password: string, n: string) =>
  w.platform("/v1/auth/register", {
    body: { name: "A User", email: `${n}@example.com`, password, institutionName: "Padaria Estrela" },
  });

describe("P-045 with the documented rule", () => {
  let m: MailedWorld;
  beforeAll(async () => {
    m = await startMailedWorld({ RECADO_REGISTRATION: "open" });
  });
  afterAll(() => m.stop());

  test("registration, login and a change by the API take any eight characters", async () => {
    const { token } = made(await register(m, "password", "plain"), 201);
    made(
      await m.platform("/v1/auth/change-password", {
        token,
        body: { currentPassword: "password", newPassword: "12345678" },
      }),
      200,
    );
    made(await m.platform("/v1/auth/login", { body: { email: "plain@example.com", password: "12345678" } }), 200);
  });

  test("what is chosen in the console is held to the list: a reset, an invitation, the own password", async () => {
    const { email, id, token } = await m.verified();
    const hash = async () =>
      m.app.env.db.read((reader) =>
        reader.rows("SELECT email, password_hash FROM users WHERE email_key IN (?1, 'fresh@example.com')", [email]),
      );
    const before = await hash();
    const page = (name: string, link: string, fields: Record<string, string>) =>
      fetch(`${m.app.url}/console/${name}?token=${link}`, { method: "POST", body: new URLSearchParams(fields) });
    made(await m.platform("/v1/auth/forgot-password", { body: { email } }), 202);
    await m.settle();
    const reset = m.linkTo(email);
    expect((await page("reset-password", reset, { password: "12345678" })).status).toBe(400);
    expect((await page("reset-password", reset, { password: "ACompany2026" })).status).toBe(400); // the institution's
    const body = { email: "fresh@example.com" };
    made(await m.platform(`/v1/institutions/${id}/members`, { token, body }), 201);
    await m.settle();
    const invitation = m.linkTo("fresh@example.com");
    expect((await page("invitation", invitation, { name: "Fresh", password: "password" })).status).toBe(400);
    const browser = browserAt(m);
    await browser.post("/sign-in", { email, password: "password-1" });
    const refused = await browser.post("/profile/password", { password: "password" });
    expect([refused.status, Object.keys(refused.body.error.details.fieldErrors)]).toEqual([400, ["password"]]);
    expect(await hash()).toEqual(before);
    expect((await page("invitation", invitation, { name: "Fresh", password: "a long password" })).status).toBe(200);
    expect((await page("reset-password", reset, { password: "password-2" })).status).toBe(200);
  });

  test("so is the password of an operator, by the link that was handed over", async () => {
    const operator = { name: "Otto", email: "otto@example.com" };
    const { link } = made(await m.gateway("/v1/admin/operators", { admin: true, body: operator }), 201);
    const choose = (password: string) =>
      fetch(link.replace(m.app.publicUrl, m.app.url), { method: "POST", body: new URLSearchParams({ password }) });
    expect((await choose("password")).status).toBe(400);
    expect((await choose("a long password")).status).toBe(200);
  });
});

describe("P-045 with RECADO_PASSWORDS=strong", () => {
  test("the API refuses them too, and nobody is made", async () => {
    const w = await startWorld({ env: { RECADO_PASSWORDS: "strong", RECADO_REGISTRATION: "open" } });
    try {
      for (const password of [...COMMON, "padariaestrela1"])
        expect((await register(w, password, "strong")).status).toBe(400);
      expect(await w.app.env.db.read((reader) => reader.rows("SELECT id FROM users"))).toEqual([]);
      const { token } = made(await register(w, "password-1", "strong"), 201);
      const change = (newPassword: string) =>
        w.platform("/v1/auth/change-password", { token, body: { currentPassword: "password-1", newPassword } });
      const refused = await change("password");
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, "newPassword"]);
      made(await change("password-2"), 200);
    } finally {
      await w.stop();
    }
  });
});

describe("the set-up", () => {
  let w: World;
  beforeEach(async () => {
    w = await startWorld({ env: { RECADO_ADMIN_TOKEN: "" } });
  });
  afterEach(() => w.stop());

  test.each([
    [{ password: "password" }, "password"],
    [{ password: "12345678" }, "password"],
    [{ password: "Padaria1", account: "Padaria" }, "password"],
    [{ account: "   " }, "account"],
    [{ name: "  " }, "name"],
    [{ email: "joao@x" }, "email"],
    [{ email: "joao@x." }, "email"],
    [{ email: "joao@.x" }, "email"],
  ])("refuses %j, makes nothing, and its link stays good", async (change, field) => {
    const token = new URL(w.app.setupUrl ?? "").searchParams.get("token");
    const refused = await browserAt(w).post("/setup", { token, ...OPERATOR, ...change });
    expect([refused.status, Object.keys(refused.body.error.details.fieldErrors)]).toEqual([400, [field]]);
    const rows = (sql: string) => w.app.env.db.read((reader) => reader.rows(sql));
    expect([await rows("SELECT id FROM operators"), await rows("SELECT id FROM tenants")]).toEqual([[], []]);
    await setUpConsole(w);
  });

  test("a program that sets the server up gives no blank name either", async () => {
    const url = (w.app.setupUrl ?? "").replace(w.app.publicUrl, w.app.url);
    const post = (name: string) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ name }),
      });
    expect((await post("   ")).status).toBe(400);
    expect((await post("ACME")).status).toBe(201);
  });
});
