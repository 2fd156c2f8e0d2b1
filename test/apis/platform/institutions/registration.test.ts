import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { claimsOf, made } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

let counter = 0;
const person = (fields: object = {}) => ({
  name: "Ana Prado",
  email: `ana${++counter}@example.com`,
  password: "password-1",
  institutionName: "Padaria Aurora",
  ...fields,
});
const register = (fields: object = {}) => w.platform("/v1/auth/register", { body: person(fields) });
const users = () =>
  w.app.env.db.read(
    async (reader) =>
      (await reader.rows<{ n: number }>("SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM tenants) AS n"))[0]
        ?.n,
  );

describe("POST /v1/auth/register", () => {
  test("P-009 P-040 P-046 P-047 makes a user and an institution with the names sent; answers with both and a token", async () => {
    const sent = person();
    const { status, body } = await w.platform("/v1/auth/register", { body: sent });
    expect(status).toBe(201);
    expect(body).toEqual({
      token: expect.any(String),
      user: { id: expect.any(String), name: sent.name, email: sent.email },
      institution: { id: expect.any(String), name: sent.institutionName },
    });
  });

  test("P-048 the user logs in afterwards, for the institution that was made", async () => {
    const sent = person();
    const made1 = made(await w.platform("/v1/auth/register", { body: sent }), 201);
    const login = made(
      await w.platform("/v1/auth/login", { body: { email: sent.email, password: sent.password } }),
      200,
    );
    expect(claimsOf(login.token)).toMatchObject({ userId: made1.user.id, institutionId: made1.institution.id });
  });

  test("P-052 P-053 P-068 P-069 P-070 the token is a JWT of the user and the institution, for seven days", async () => {
    const { token, user, institution } = made(await register(), 201);
    expect(token.split(".")).toHaveLength(3);
    const { userId, email, institutionId, iat, exp } = claimsOf(token);
    expect({ userId, email, institutionId, iat, exp }).toEqual({
      userId: user.id,
      email: user.email,
      institutionId: institution.id,
      iat: Math.floor(w.clock.now() / 1000),
      exp: Math.floor(w.clock.now() / 1000) + 604_800,
    });
  });

  test("P-054 P-073 the token creates the first API key, and opens everything else as well", async () => {
    const { token } = made(await register(), 201);
    expect(
      (await w.platform("/v1/api-keys", { token, body: { name: "First", permissions: ["channels.read"] } })).status,
    ).toBe(201);
    expect((await w.platform("/v1/channels", { token })).status).toBe(200);
  });

  test.each(["name", "email", "password", "institutionName"])(
    "P-020 P-041 P-042 P-043 P-044 P-050 %s is required and a string: a 400 that says so, and nothing is made",
    async (field) => {
      const before = await users();
      for (const value of [undefined, null, 7, "", {}, ["x"]]) {
        const { status, body } = await register({ [field]: value });
        expect([value, status]).toEqual([value, 400]);
        expect(body).toEqual({ error: expect.stringContaining(field) });
      }
      expect(await users()).toBe(before);
    },
  );

  test("P-045 a password has at least eight characters", async () => {
    const before = await users();
    for (const password of ["1234567", "😀😀😀😀😀😀😀"]) expect((await register({ password })).status).toBe(400);
    expect(await users()).toBe(before);
    for (const password of ["12345678", "😀😀😀😀😀😀😀😀", "x".repeat(1024)]) {
      const sent = person({ password });
      expect((await w.platform("/v1/auth/register", { body: sent })).status).toBe(201);
      expect((await w.platform("/v1/auth/login", { body: { email: sent.email, password } })).status).toBe(200);
    }
    expect((await register({ password: "x".repeat(1025) })).status).toBe(400);
  });

  test.each(["plain", "@example.com", "ana@", "a@b@c", "ana prado@example.com", " @ ", "@"])(
    "P-042 an e-mail has one @ with text on both sides: %p is none",
    async (email) => {
      const before = await users();
      expect(await register({ email })).toMatchObject({ status: 400, body: { error: expect.any(String) } });
      expect(await users()).toBe(before);
    },
  );

  test.each(["name", "institutionName"])("P-041 P-044 %s is not blank", async (field) => {
    const before = await users();
    expect((await register({ [field]: "  \t" })).status).toBe(400);
    expect(await users()).toBe(before);
  });

  test("P-049 an e-mail in use, in any case and with any password, is a 400 without a code", async () => {
    const sent = person({ email: `Ana.Prado${++counter}@Example.com` });
    expect(made(await w.platform("/v1/auth/register", { body: sent }), 201).user.email).toBe(sent.email);
    const before = await users();
    for (const email of [sent.email, sent.email.toLowerCase(), sent.email.toUpperCase(), `  ${sent.email} `]) {
      for (const password of [sent.password, "another-password"]) {
        const { status, body } = await register({ email, password });
        expect([status, body]).toEqual([400, { error: expect.any(String) }]);
      }
    }
    expect(await users()).toBe(before);
  });

  test("P-049 of two registrations of one e-mail at the same moment one succeeds", async () => {
    const sent = person();
    const statuses = (await Promise.all([1, 2, 3].map(() => w.platform("/v1/auth/register", { body: sent })))).map(
      ({ status }) => status,
    );
    expect(statuses.sort((a, b) => a - b)).toEqual([201, 400, 400]);
    expect(
      (await w.platform("/v1/auth/login", { body: { email: sent.email, password: sent.password } })).body
        .requiresInstitutionSelection,
    ).toBeUndefined();
  });

  test("P-051 the password is in no answer", async () => {
    const password = "canary-of-a-password";
    const sent = person({ password });
    const answers = [
      await w.platform("/v1/auth/register", { body: sent }),
      await w.platform("/v1/auth/register", { body: sent }),
      await register({ password, email: "none" }),
    ];
    const { token } = answers[0]?.body ?? {};
    answers.push(
      await w.platform("/v1/auth/login", { body: { email: sent.email, password } }),
      await w.platform("/v1/auth/institutions", { token }),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 400, 200, 200]);
    for (const { text } of answers) expect(text).not.toContain(password);
  });
});

test("the operator may close registration: 403, and nothing is made", async () => {
  const closed = await startWorld({ env: { RECADO_REGISTRATION: "closed" } });
  try {
    const { status, body } = await closed.platform("/v1/auth/register", { body: person() });
    expect([status, body]).toEqual([403, { error: expect.any(String) }]);
    expect(await closed.app.env.db.read(async (reader) => reader.rows("SELECT id FROM users"))).toEqual([]);
  } finally {
    await closed.stop();
  }
});
