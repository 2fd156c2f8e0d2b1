import { describe, expect, test } from "bun:test";
import { SignJWT } from "jose";
import { claimsOf, joined, made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Refused as a token, on a route of each kind. */
const expectInvalid = async (token: string) => {
  for (const path of ["/v1/channels", "/v1/api-keys", "/v1/auth/institutions"]) {
    const { status, body } = await w.platform(path, { token });
    expect([path, status, body.code]).toEqual([path, 401, "INVALID_TOKEN"]);
  }
};

describe("user tokens", () => {
  test("P-074 a token whose signature, claims or header was altered is refused", async () => {
    const { token, id } = await w.institution();
    const other = await w.institution();
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = claimsOf(token);
    expect((await w.platform("/v1/channels", { token })).status).toBe(200);
    const altered = [
      `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      `${header}.${encoded({ ...claims, institutionId: other.id })}.${signature}`,
      `${header}.${encoded({ ...claims, exp: Number(claims["exp"]) + 1 })}.${signature}`,
      `${header}.${other.token.split(".")[1]}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${payload}.${header}.${signature}`,
      `${token}.${signature}`,
    ];
    for (const one of altered) await expectInvalid(one);
    expect(claims["institutionId"]).toBe(id);
  });

  test("P-074 a token that names no algorithm, or another one, is refused", async () => {
    const { token } = await w.institution();
    const [, payload = "", signature = ""] = token.split(".");
    for (const alg of ["none", "None", "NONE", "HS384", "RS256"]) {
      for (const last of ["", signature]) await expectInvalid(`${encoded({ alg, typ: "JWT" })}.${payload}.${last}`);
    }
  });

  test("P-074 a token that somebody else signed is refused, whatever it says", async () => {
    const { token } = await w.institution();
    for (const secret of ["", "secret", "recado", w.app.env.localToken]) {
      const forged = new SignJWT(claimsOf(token)).setProtectedHeader({ alg: "HS256", typ: "JWT" });
      await expectInvalid(await forged.sign(new TextEncoder().encode(secret.padEnd(32, "0"))));
    }
  });

  test("P-072 a pending token never passes for a complete one by naming an institution", async () => {
    const first = await w.institution();
    made(await w.platform("/v1/institutions", { token: first.token, body: { name: "Second" } }), 201);
    const { token: pending } = made(
      await w.platform("/v1/auth/login", { body: { email: first.email, password: "password-1" } }),
      200,
    );
    const [header = "", , signature = ""] = pending.split(".");
    await expectInvalid(
      `${header}.${encoded({ ...claimsOf(pending), aud: "complete", institutionId: first.id })}.${signature}`,
    );
    expect((await w.platform("/v1/channels", { token: pending })).status).toBe(403);
  });

  test("P-053 P-074 a complete token works to the last second of its seven days, and is refused after it", async () => {
    const { token } = await w.institution();
    await w.advance(7 * DAY - 1000);
    expect((await w.platform("/v1/channels", { token })).status).toBe(200);
    await w.advance(1000);
    await expectInvalid(token);
  });

  test("P-074 P-072 a pending token works for ten minutes", async () => {
    const first = await w.institution();
    made(await w.platform("/v1/institutions", { token: first.token, body: { name: "Second" } }), 201);
    const { token } = made(
      await w.platform("/v1/auth/login", { body: { email: first.email, password: "password-1" } }),
      200,
    );
    await w.advance(10 * MINUTE - 1000);
    expect((await w.platform("/v1/auth/institutions", { token })).status).toBe(200);
    await w.advance(1000);
    await expectInvalid(token);
  });

  test("P-073 a token survives a restart of the server", async () => {
    const { token } = await w.institution();
    await w.restart();
    expect((await w.platform("/v1/channels", { token })).status).toBe(200);
  });

  test("P-080 a user removed from an institution loses it at once and keeps the others; its keys stay", async () => {
    const [owner, guest] = [await w.institution(), await w.institution()];
    const token = await joined(w, owner, guest, "ADMIN");
    const key = await w.platformKey(token);
    expect((await w.platform("/v1/channels", { token })).status).toBe(200);
    made(
      await w.platform(`/v1/institutions/${owner.id}/members/${guest.userId}`, {
        token: owner.token,
        method: "DELETE",
      }),
      204,
    );
    await expectInvalid(token);
    expect((await w.platform("/v1/channels", { token: guest.token })).status).toBe(200);
    expect(
      (await w.platform("/v1/auth/select-institution", { token: guest.token, body: { institutionId: owner.id } }))
        .status,
    ).toBe(404);
    expect((await w.platform("/v1/channels", { key })).status).toBe(200);
  });
});
