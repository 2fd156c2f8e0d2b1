import { afterAll, beforeAll, expect, test } from "bun:test";
import { type MailedWorld, startMailedWorld } from "../support/billing/mailed.ts";
import { made } from "../support/tenants/platform.ts";

let m: MailedWorld;
beforeAll(async () => {
  m = await startMailedWorld();
});
afterAll(() => m.stop());

const page = (name: string, token: string, fields?: Record<string, string>) =>
  fetch(
    `${m.app.url}/console/${name}?token=${token}`,
    fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) },
  );
const login = async (email: string, password: string) =>
  (await m.platform("/v1/auth/login", { body: { email, password } })).status;

test("the link that verifies an e-mail shows a form, which is what spends it", async () => {
  const { email, id, token } = await m.institution();
  await m.settle();
  const link = m.linkTo(email);
  const mailed = m.mailsTo(email).at(-1)?.text;
  expect(mailed).toContain(`/console/verify-email?token=${link}`);
  const invite = async () =>
    (await m.platform(`/v1/institutions/${id}/members`, { token, body: { email: "somebody@example.com" } })).status;
  for (let n = 0; n < 2; n++) {
    const shown = await page("verify-email", link);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("<form")]);
  }
  expect(await invite()).toBe(403);
  expect((await page("verify-email", link, {})).status).toBe(200);
  expect(await invite()).toBe(201);
  expect((await page("verify-email", link, {})).status).toBe(404);
});

test("the link of a forgotten password asks for a new one, and says what is wrong with it", async () => {
  const { email } = await m.institution();
  made(await m.platform("/v1/auth/forgot-password", { body: { email } }), 202);
  await m.settle();
  const link = m.linkTo(email);
  const refused = await page("reset-password", link, { password: "short" });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("password must have at least 8 characters"),
  ]);
  expect((await page("reset-password", link, { password: "password-2" })).status).toBe(200);
  expect([await login(email, "password-1"), await login(email, "password-2")]).toEqual([401, 200]);
});

test("the link of an invitation takes who has a user with its password, and who is new with a name", async () => {
  const [owner, guest] = [await m.verified(), await m.institution()];
  const invited = [guest.email, "fresh@example.com"];
  for (const email of invited)
    made(await m.platform(`/v1/institutions/${owner.id}/members`, { token: owner.token, body: { email } }), 201);
  await m.settle();
  const [ofGuest = "", ofFresh = ""] = invited.map((email) => m.linkTo(email));
  expect((await page("invitation", ofGuest, { password: "guess-1234" })).status).toBe(401);
  expect((await page("invitation", ofGuest, { name: "A thief", password: "password-2" })).status).toBe(400);
  expect((await page("invitation", ofGuest, { password: "password-1" })).status).toBe(200);
  const joined = await page("invitation", ofFresh, { name: "<b>Fresh</b>", password: "password-3" });
  expect([joined.status, await joined.text()]).toEqual([200, expect.stringContaining("You are a member of A Company")]);
  expect(await login("fresh@example.com", "password-3")).toBe(200);
  const { data } = made(await m.platform(`/v1/institutions/${owner.id}/members`, { token: owner.token }), 200);
  expect(data.map(({ state }: { state: string }) => state)).toEqual(["active", "active", "active"]);
});

test("a token that nobody was given, another method, and too many forms from one address are refused", async () => {
  const strict = await startMailedWorld({ RECADO_ADDRESS_RATE: "5" });
  try {
    const post = (headers: Record<string, string> = {}) =>
      fetch(`${strict.app.url}/console/reset-password?token=guess`, {
        method: "POST",
        body: "password=password-1",
        headers,
      });
    for (let n = 0; n < 5; n++) expect((await post()).status).toBe(404);
    const refused = await post();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await post({ "x-forwarded-for": "203.0.113.9" })).status).toBe(404);
    expect((await fetch(`${strict.app.url}/console/invitation`, { method: "DELETE" })).status).toBe(405);
  } finally {
    await strict.stop();
  }
});
