import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { browserAt } from "../../support/customers/console.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld({
    env: { RECADO_CLOUD_URL: "on", RECADO_EVOLUTION_URL: "on", RECADO_REGISTRATION: "open" },
    logLevel: "debug",
  });
});
afterAll(() => w.stop());
beforeEach(() => w.advance(MINUTE_MS));

const ADDRESS = "203.0.113.9";
const SECRET = "a-secret-of-the-guess";
type Line = { level: string; door: string; address: string; account?: string; msg: string };

/** The lines about refused sign-ins that `act` wrote. */
const linesOf = async (act: () => Promise<unknown>): Promise<Line[]> => {
  const before = w.logs.length;
  await act();
  const lines = w.logs.slice(before);
  expect(lines.join("")).not.toContain(SECRET);
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "a sign-in was refused");
};

const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
  fetch(w.app.url + path, {
    method,
    headers: {
      "x-forwarded-for": ADDRESS,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const ACCOUNT = { email: "somebody@example.com", password: SECRET };

/** TABLE: what is refused at each door, and the door's name. */
const DOORS: [door: string, hasAccount: boolean, act: () => Promise<{ status: number }>][] = [
  ["/platform/v1/auth/login", true, () => ask("POST", "/platform/v1/auth/login", {}, ACCOUNT)],
  ["/console/sign-in", true, () => browserAt(w, { from: ADDRESS }).post("/sign-in", ACCOUNT)],
  ["admin", false, () => ask("GET", "/gateway/v1/admin/accounts", { "x-admin-token": SECRET })],
  ["gateway", false, () => ask("GET", "/gateway/v1/phones", { "x-api-key": SECRET })],
  ["platform", false, () => ask("GET", "/platform/v1/channels", { authorization: `Bearer oapi_sk_live_${SECRET}` })],
  ["platform", false, () => ask("GET", "/platform/v1/channels", { authorization: `Bearer ${SECRET}` })],
  ["cloud", false, () => ask("GET", "/graph/v26.0/1", { authorization: `Bearer ${SECRET}` })],
  ["evolution", false, () => ask("GET", "/evolution/instance/fetchInstances", { apikey: SECRET })],
  [
    "/platform/v1/auth/reset-password",
    false,
    () => ask("POST", "/platform/v1/auth/reset-password", {}, { token: SECRET, password: "password-2" }),
  ],
  ["/platform/v1/auth/verify-email", false, () => ask("POST", "/platform/v1/auth/verify-email", {}, { token: SECRET })],
  [
    "/platform/v1/auth/join",
    false,
    () => ask("POST", "/platform/v1/auth/join", {}, { token: SECRET, name: "A", password: "password-2" }),
  ],
  ...["verify-email", "reset-password", "operator", "invitation"].map(
    (page): [string, boolean, () => Promise<{ status: number }>] => [
      `/console/${page}`,
      false,
      () => ask("POST", `/console/${page}?token=${SECRET}`, {}, { password: "a long password" }),
    ],
  ),
  ["/console/setup", false, () => ask("GET", `/console/setup?token=${SECRET}`, { accept: "application/json" })],
  [
    "/console/setup",
    false,
    () => {
      const operator = { name: "A", email: "a@example.com", password: "a long password", token: SECRET };
      return browserAt(w, { from: ADDRESS }).post("/setup", operator);
    },
  ],
];

test.each(DOORS)("a refusal at %s is logged once, with the address", async (door, hasAccount, act) => {
  let status = 0;
  const lines = await linesOf(async () => {
    ({ status } = await act());
  });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(lines.map(({ account, ...line }) => [line.level, line.door, line.address, account !== undefined])).toEqual([
    ["warn", door, ADDRESS, hasAccount],
  ]);
});

test("what is right, and a request without credentials, is not", async () => {
  const { email, token } = await w.institution();
  const { key } = await w.account();
  const lines = await linesOf(async () => {
    expect((await ask("POST", "/platform/v1/auth/login", {}, { email, password: "password-1" })).status).toBe(200);
    expect((await ask("GET", "/gateway/v1/phones", { "x-api-key": key })).status).toBe(200);
    await ask("GET", "/platform/v1/channels", { authorization: `Bearer ${token}` });
    for (const path of ["/gateway/v1/phones", "/platform/v1/channels", "/gateway/v1/admin/accounts"])
      expect((await ask("GET", path)).status).toBeGreaterThanOrEqual(401);
  });
  expect(lines).toEqual([]);
});

test("an account has the same name at every door, which is not its e-mail", async () => {
  const lines = await linesOf(async () => {
    await ask("POST", "/platform/v1/auth/login", {}, ACCOUNT);
    await browserAt(w, { from: ADDRESS }).post("/sign-in", { ...ACCOUNT, email: ` ${ACCOUNT.email.toUpperCase()}` });
    await ask("POST", "/platform/v1/auth/login", {}, { ...ACCOUNT, email: "another@example.com" });
  });
  const [first, second, other] = lines.map(({ account }) => account);
  expect([first === second, first === other, JSON.stringify(lines).includes("example.com")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("guesses that are refused unread are logged too; a source writes ten lines a minute at most", async () => {
  const guess = (from: string) =>
    ask("POST", "/platform/v1/auth/login", { "x-forwarded-for": from }, { ...ACCOUNT, email: "guessed@example.com" });
  const lines = await linesOf(async () => {
    for (let n = 0; n < 15; n++) await guess("203.0.113.20");
    await guess("203.0.113.21");
  });
  expect(lines.filter(({ address }) => address === "203.0.113.20")).toHaveLength(10);
  expect(lines.filter(({ address }) => address === "203.0.113.21")).toHaveLength(1);
});
