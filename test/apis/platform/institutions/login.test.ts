import { describe, expect, test } from "bun:test";
import { claimsOf, joined, made, rowsOf } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const PASSWORD = "password-1";
const login = (email: unknown, password: unknown = PASSWORD) =>
  w.platform("/v1/auth/login", { body: { email, password } });

/** A user of two institutions, with a pending token of now. */
const inTwo = async () => {
  const first = await w.institution();
  w.clock.advance(1); // lists are in the order of joining
  const second = made(await w.platform("/v1/institutions", { token: first.token, body: { name: "Second" } }), 201);
  const { token: pending } = made(await login(first.email), 200);
  return { ...first, second: second.id as string, pending: pending as string };
};
const select = (token: string | undefined, body: object) =>
  w.platform("/v1/auth/select-institution", { ...(token ? { token } : {}), body });

describe("POST /v1/auth/login", () => {
  test("P-060 P-063 P-068 P-069 a user of one institution gets a complete token of it", async () => {
    const { id, userId, email } = await w.institution();
    const { status, body } = await login(email);
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), user: { id: userId, name: "A User", email } });
    const claims = claimsOf(body.token);
    expect(claims).toMatchObject({ userId, email, institutionId: id });
    expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(7 * 24 * 3600);
  });

  test("P-064 P-065 P-069 P-070 P-075 a user of several gets a pending token for ten minutes and their list", async () => {
    const { id, second, userId, email } = await inTwo();
    const { status, body } = await login(email);
    expect(status).toBe(200);
    expect(body).toEqual({
      requiresInstitutionSelection: true,
      token: expect.any(String),
      institutions: [
        { id, name: "A Company" },
        { id: second, name: "Second" },
      ],
    });
    const claims = claimsOf(body.token);
    expect(claims).toMatchObject({ userId, email });
    expect(claims).not.toHaveProperty("institutionId");
    expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(600);
  });

  test("P-061 the e-mail's letter case and the blanks around it do not matter", async () => {
    const { email } = await w.institution();
    for (const one of [email.toUpperCase(), ` ${email}\t`]) expect((await login(one)).status).toBe(200);
  });

  test("P-066 P-067 a wrong password and an unknown e-mail are refused in the same words", async () => {
    const { email } = await w.institution();
    const wrong = await login(email, "password-2");
    const unknown = await login("nobody@example.com");
    expect([wrong.status, wrong.body]).toEqual([401, { error: expect.any(String) }]);
    expect([unknown.status, unknown.text]).toEqual([401, wrong.text]);
    for (const password of [`${PASSWORD} `, PASSWORD.toUpperCase(), "", PASSWORD.slice(0, -1)])
      expect((await login(email, password)).status).toBe(401);
  });

  test.each(["email", "password"])("P-020 P-061 P-062 %s is required and a string: 400", async (field) => {
    const { email } = await w.institution();
    for (const value of [undefined, null, 7, {}, [email]]) {
      const { status, body } = await w.platform("/v1/auth/login", {
        body: { email, password: PASSWORD, [field]: value },
      });
      expect([value, status, body]).toEqual([value, 400, { error: expect.stringContaining(field) }]);
    }
  });

  test("P-064 a user who was left without an institution gets a pending token and an empty list", async () => {
    const [owner, leaver] = [await w.institution(), await w.institution()];
    await joined(w, leaver, owner, "OWNER");
    made(
      await w.platform(`/v1/institutions/${leaver.id}/members/${leaver.userId}`, {
        token: leaver.token,
        method: "DELETE",
      }),
      204,
    );
    const { body } = await login(leaver.email);
    expect(body).toEqual({ requiresInstitutionSelection: true, token: expect.any(String), institutions: [] });
    expect((await w.platform("/v1/auth/institutions", { token: body.token })).body).toEqual({ institutions: [] });
    expect((await select(body.token, { institutionId: leaver.id })).status).toBe(404);
  });
});

describe("POST /v1/auth/select-institution", () => {
  test("P-078 P-079 gives a complete token of the one chosen, with the user and the institution", async () => {
    const { id, second, userId, email, pending } = await inTwo();
    for (const [institutionId, name] of [
      [id, "A Company"],
      [second, "Second"],
    ]) {
      const { status, body } = await select(pending, { institutionId });
      expect([status, body]).toEqual([
        200,
        {
          token: expect.any(String),
          user: { id: userId, name: "A User", email },
          institution: { id: institutionId, name },
        },
      ]);
      expect(claimsOf(body.token)).toMatchObject({ userId, email, institutionId });
    }
  });

  test("P-080 P-112 the token then acts for that institution alone", async () => {
    const { id, second, pending, token } = await inTwo();
    made(
      await w.platform("/v1/api-keys", { token, body: { name: "Of the first", permissions: ["channels.read"] } }),
      201,
    );
    const ofSecond = made(await select(pending, { institutionId: second }), 200).token;
    expect((await w.platform("/v1/api-keys", { token: ofSecond })).body).toEqual({ data: [] });
    expect((await w.platform("/v1/api-keys", { token })).body.data).toHaveLength(1);
    expect((await w.platform(`/v1/institutions/${id}/members`, { token: ofSecond })).status).toBe(404);
  });

  test("P-079 a complete token switches to another institution", async () => {
    const { second, token } = await inTwo();
    expect(claimsOf(made(await select(token, { institutionId: second }), 200).token)["institutionId"]).toBe(second);
  });

  test("P-076 P-082 without a token both routes of the choice are a 401", async () => {
    for (const answer of [await select(undefined, { institutionId: "x" }), await w.platform("/v1/auth/institutions")]) {
      expect([answer.status, answer.body.code]).toEqual([401, "AUTHENTICATION_REQUIRED"]);
    }
  });

  test("P-077 institutionId is required and a string: 400", async () => {
    const { pending } = await inTwo();
    for (const body of [{}, { institutionId: null }, { institutionId: 7 }, { institutionId: ["x"] }]) {
      expect(await select(pending, body)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", errors: [{ path: "institutionId" }] },
      });
    }
  });

  test("P-078 an unknown institution, and one of others, are a 404 alike", async () => {
    const { pending } = await inTwo();
    const stranger = await w.institution();
    const before = await rowsOf(w, stranger.id);
    const unknown = await select(pending, { institutionId: "00000000-0000-4000-8000-000000000000" });
    const foreign = await select(pending, { institutionId: stranger.id });
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { message: expect.any(String), code: "INSTITUTION_NOT_FOUND" },
    ]);
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect(await rowsOf(w, stranger.id)).toEqual(before);
  });
});

test("P-081 GET /v1/auth/institutions lists the same with a pending and with a complete token", async () => {
  const { id, second, pending, token } = await inTwo();
  const institutions = [
    { id, name: "A Company" },
    { id: second, name: "Second" },
  ];
  for (const one of [pending, token])
    expect(await w.platform("/v1/auth/institutions", { token: one })).toMatchObject({
      status: 200,
      body: { institutions },
    });
});
