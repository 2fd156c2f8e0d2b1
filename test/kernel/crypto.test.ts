import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/clock.ts";
import {
  directKeyOf,
  hashPassword,
  hmacSha256,
  isPassword,
  isSameSecret,
  RETIRED_TTL_MS,
  sealerId,
  secretsOf,
  sha256,
  type TokenClaims,
  tokensOf,
  wrapping,
} from "../../src/kernel/crypto.ts";
import { systemRandom } from "../../src/kernel/random.ts";

const random = systemRandom();
const masterKey = random.bytes(32);
const secrets = secretsOf(masterKey, random);
const ROW = "channels:c1:access_token";

describe("digests", () => {
  test("are those of the standard", () => {
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    // RFC 4231, test case 2
    expect(hmacSha256("Jefe", "what do ya want for nothing?", "hex")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect(hmacSha256(Uint8Array.of(1), Uint8Array.of(2), "base64")).toBe(
      createHmac("sha256", Uint8Array.of(1)).update(Uint8Array.of(2)).digest("base64"),
    );
  });

  test("isSameSecret is true only for equal texts, of any lengths", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isSameSecret(a, b) === (a === b) && isSameSecret(a, a)));
  });
});

describe("sealed text", () => {
  test("opens in its row, whatever it says, and never shows what it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (plain) =>
        expect(secrets.open(ROW, secrets.seal(ROW, plain))).toBe(plain),
      ),
    );
    expect(secrets.seal(ROW, "canary")).not.toContain("canary");
  });

  test("does not open in another row", () => {
    const sealed = secrets.seal(ROW, "secret");
    expect(() => secrets.open("channels:c2:access_token", sealed)).toThrow();
    expect(() => secrets.open("", sealed)).toThrow();
  });

  test("does not open under another master key, and says which key it was sealed under", () => {
    const sealed = secrets.seal(ROW, "secret");
    expect(() => secretsOf(random.bytes(32), random).open(ROW, sealed)).toThrow(/sealed under key [0-9a-f]{8}/);
  });

  test("opens after a restart with the same master key", () => {
    expect(secretsOf(masterKey, systemRandom()).open(ROW, secrets.seal(ROW, "secret"))).toBe("secret");
  });

  test("does not open once any one letter of it was changed, dropped or added", () => {
    const letter = fc.constantFrom(..."ABCxyz019-_=.+/ ".split(""));
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        fc.nat(),
        letter,
        fc.constantFrom("change", "drop", "add"),
        (plain, at, other, how) => {
          const sealed = secrets.seal(ROW, plain);
          const index = at % sealed.length;
          const altered =
            sealed.slice(0, index) + (how === "drop" ? "" : other) + sealed.slice(how === "add" ? index : index + 1);
          fc.pre(altered !== sealed);
          expect(() => secrets.open(ROW, altered)).toThrow();
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("does not open once any one bit of nonce, text or tag was flipped", () => {
    const [version, keyId, nonce = "", body = ""] = secrets.seal(ROW, "a secret").split(".");
    const flipped = (part: string, bit: number) => {
      const bytes = Buffer.from(part, "base64url");
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return bytes.toString("base64url");
    };
    for (let bit = 0; bit < 12 * 8; bit++)
      expect(() => secrets.open(ROW, [version, keyId, flipped(nonce, bit), body].join("."))).toThrow();
    for (let bit = 0; bit < (8 + 16) * 8; bit++)
      expect(() => secrets.open(ROW, [version, keyId, nonce, flipped(body, bit)].join("."))).toThrow();
  });

  test("does not open with a shortened tag", () => {
    const [version, keyId, nonce, body = ""] = secrets.seal(ROW, "").split(".");
    for (let length = 0; length < 16; length++) {
      const short = Buffer.from(body, "base64url").subarray(0, length).toString("base64url");
      expect(() => secrets.open(ROW, [version, keyId, nonce, short].join("."))).toThrow();
    }
  });

  test.each(["", "plain", "1..", "....", "2.aaaaaaaa.bbbb.cccc"])("%p does not open", (text) => {
    expect(() => secrets.open(ROW, text)).toThrow();
  });

  test("is another text each time it is sealed", () => {
    expect(new Set(Array.from({ length: 100 }, () => secrets.seal(ROW, "secret"))).size).toBe(100);
  });
});

test("derived keys are repeatable, of 32 bytes, and differ by purpose and by master key", () => {
  expect(secrets.derive("media-links")).toEqual(secretsOf(masterKey, random).derive("media-links"));
  expect(secrets.derive("media-links").length).toBe(32);
  expect(secrets.derive("media-links")).not.toEqual(secrets.derive("user-tokens"));
  expect(secrets.derive("media-links")).not.toEqual(secretsOf(random.bytes(32), random).derive("media-links"));
});

describe("passwords", () => {
  test("verify against their own hash alone, which does not contain them", async () => {
    const stored = await hashPassword("correct horse");
    expect(stored).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(stored).not.toContain("correct horse");
    expect(await isPassword(stored, "correct horse")).toBe(true);
    expect(await isPassword(stored, "correct horsf")).toBe(false);
    expect(await isPassword(stored, "")).toBe(false);
    for (const password of ["", "correct horse"]) expect(await isPassword(undefined, password)).toBe(false);
  });

  test("the same password has another hash each time", async () => {
    expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
  });
});

describe("keys that lie wrapped", () => {
  const old = random.bytes(32);
  const { wrap } = wrapping(masterKey, random);
  const dataKey = random.bytes(32);
  const rows = [
    wrap(dataKey, { purpose: "data", id: sealerId(dataKey), retiredAt: null }),
    wrap(directKeyOf(old), { purpose: "data", id: sealerId(directKeyOf(old)), retiredAt: 1 }),
    wrap(secretsOf(old, random).derive("user-tokens"), {
      purpose: "user-tokens",
      id: secretsOf(old, random).keyId,
      retiredAt: 1000,
    }),
  ];
  const opened = secretsOf(masterKey, random, rows);

  test("new texts are sealed under the data key; those of the master key itself, and of an earlier one, open too", () => {
    const sealed = opened.seal(ROW, "secret");
    expect([sealed.split(".")[1], opened.dataKeyId, opened.keyId]).toEqual([
      sealerId(dataKey),
      sealerId(dataKey),
      secrets.keyId,
    ]);
    for (const text of [sealed, secrets.seal(ROW, "secret"), secretsOf(old, random).seal(ROW, "secret")])
      expect(opened.open(ROW, text)).toBe("secret");
    expect(() => secrets.open(ROW, sealed)).toThrow(/sealed under key [0-9a-f]{8}/);
  });

  test("open under the master key that wrapped them alone", () => {
    const sealed = opened.seal(ROW, "secret");
    expect(() => secretsOf(old, random, rows).open(ROW, sealed)).toThrow();
    expect(() => secretsOf(old, random, rows).seal(ROW, "secret")).toThrow();
  });

  test("P-074 a token of the master key of before is taken for seven days after the rotation, and only under its own kid", async () => {
    const clock = manualClock(2000);
    const tokens = tokensOf(opened, clock);
    const claims: TokenClaims = { kind: "pending", userId: "u", email: "a@example.com", sessionId: "s" };
    const before = await tokensOf(secretsOf(old, random), clock).sign(claims, 30 * 24 * 3600);
    const kidOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as { kid: string }).kid;
    expect([kidOf(before), kidOf(await tokens.sign(claims, 60))]).toEqual([secretsOf(old, random).keyId, opened.keyId]);
    expect(await tokens.verify(before)).toEqual(claims);
    clock.advance(RETIRED_TTL_MS - 1001);
    expect(await tokens.verify(before)).toEqual(claims);
    clock.advance(1);
    expect(await tokens.verify(before)).toBeUndefined();
    expect(opened.signingKeys("file-links", 0).map(({ kid }) => kid)).toEqual([opened.keyId]);
  });
});

describe("user tokens", () => {
  const clock = manualClock();
  const tokens = tokensOf(secrets, clock);
  const key = secrets.derive("user-tokens");
  const pending: TokenClaims = { kind: "pending", userId: "u", email: "a@example.com", sessionId: "s" };
  const complete: TokenClaims = {
    kind: "complete",
    userId: "u",
    email: "a@example.com",
    institutionId: "i",
    sessionId: "s",
  };

  const partsOf = (token: string): Record<string, unknown>[] =>
    token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>);
  const tokenOf = (header: object, payload: object, signature = "") =>
    `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.${signature}`;
  /** A token that anyone with the key could have made. */
  const signed = (header: object, payload: object) => {
    const text = tokenOf(header, payload).slice(0, -1);
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  };

  test("P-052 P-068 P-070 are JWTs whose payload carries userId, email, iat and exp in seconds", async () => {
    const at = Math.floor(clock.now() / 1000);
    for (const claims of [pending, complete]) {
      const [header, payload] = partsOf(await tokens.sign(claims, 3600));
      expect(header).toMatchObject({ alg: "HS256" });
      expect(payload).toMatchObject({ userId: "u", email: "a@example.com", iat: at, exp: at + 3600 });
    }
  });

  test("P-069 P-072 institutionId is in the complete token alone, and no kind ever passes for the other", async () => {
    expect(await tokens.verify(await tokens.sign(pending, 60))).toEqual(pending);
    expect(await tokens.verify(await tokens.sign(complete, 60))).toEqual(complete);
    expect(partsOf(await tokens.sign(pending, 60))[1]).not.toHaveProperty("institutionId");
  });

  test("P-069 P-072 a pending token that names an institution stays pending, a complete one without is none", async () => {
    const base = { iss: "recado", jti: "s", userId: "u", email: "a@example.com", iat: 1, exp: clock.now() };
    expect(await tokens.verify(signed({ alg: "HS256" }, { ...base, aud: "pending", institutionId: "i" }))).toEqual(
      pending,
    );
    expect(await tokens.verify(signed({ alg: "HS256" }, { ...base, aud: "complete", institutionId: "i" }))).toEqual(
      complete,
    );
    expect(await tokens.verify(signed({ alg: "HS256" }, { ...base, aud: "complete" }))).toBeUndefined();
    expect(
      await tokens.verify(signed({ alg: "HS256" }, { ...base, aud: ["pending", "complete"], institutionId: "i" })),
    ).toBeUndefined();
    expect(
      await tokens.verify(signed({ alg: "HS256" }, { ...base, aud: "other", institutionId: "i" })),
    ).toBeUndefined();
    expect(await tokens.verify(signed({ alg: "HS256" }, { ...base, iss: "other", aud: "pending" }))).toBeUndefined();
  });

  test("P-074 expire by the clock, to the second", async () => {
    const moving = manualClock();
    const own = tokensOf(secrets, moving);
    const token = await own.sign(complete, HOUR_MS / 1000);
    moving.advance(HOUR_MS - 1000);
    expect(await own.verify(token)).toEqual(complete);
    moving.advance(1000);
    expect(await own.verify(token)).toBeUndefined();
    moving.advance(DAY_MS);
    expect(await own.verify(token)).toBeUndefined();
  });

  test("P-074 an unsigned token and one of another algorithm are refused", async () => {
    const payload = partsOf(await tokens.sign(complete, 60))[1] ?? {};
    const signature = createHmac("sha256", key).update("x").digest("base64url");
    for (const alg of ["none", "None", "NONE", "", "HS512", "RS256"]) {
      expect(await tokens.verify(tokenOf({ alg }, payload))).toBeUndefined();
      expect(await tokens.verify(tokenOf({ alg }, payload, signature))).toBeUndefined();
      expect(await tokens.verify(signed({ alg }, payload))).toBeUndefined();
    }
    expect(await tokens.verify(signed({ alg: "HS256" }, payload))).toEqual(complete);
  });

  test("P-074 a token of another key is refused, and so is one with any part altered", async () => {
    const token = await tokens.sign(complete, 60);
    expect(await tokensOf(secretsOf(random.bytes(32), random), clock).verify(token)).toBeUndefined();
    const payload = partsOf(token)[1] ?? {};
    const [header, , signature] = token.split(".");
    const forged = Buffer.from(JSON.stringify({ ...payload, userId: "other" })).toString("base64url");
    expect(await tokens.verify(`${header}.${forged}.${signature}`)).toBeUndefined();
    for (const text of ["", "a.b.c", `${token}x`, token.slice(0, -3), token.toUpperCase()])
      expect(await tokens.verify(text)).toBeUndefined();
  });
});
