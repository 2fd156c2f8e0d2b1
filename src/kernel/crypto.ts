import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type Clock, DAY_MS } from "./clock.ts";
import type { Random } from "./random.ts";

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

export const hmacSha256 = (
  secret: string | Uint8Array,
  data: string | Uint8Array,
  encoding: "hex" | "base64",
): string => createHmac("sha256", secret).update(data).digest(encoding);

/** Compares two texts in a time that tells nothing of where they differ. */
export const isSameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());

/** What one hash takes: `memoryCost` in KiB, `timeCost` in passes over it, `parallelism` in threads. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/**
 * argon2id with 19 MiB, two passes, one thread:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of no known password: what is compared where there is no user costs as much as where there is one. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$r7m3uKTGD/G4/0+4Z4sDMA$dsHjUzZ0cwu3nQaDBp9ITzaKkYv7nnfbRFXAZ9qWP8g";

/** What happens off the loop, on a thread that brings our writes to the disk too: to be done a few at a time. */
export const hashPassword = (password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> =>
  hash(password, cost);
/** Whether the hash is that of the password. Of undefined it never is, at the same cost. */
export const isPassword = async (stored: string | undefined, password: string): Promise<boolean> =>
  (await verify(stored ?? NOBODYS_HASH, password)) && stored !== undefined;

/** What is signed with keys that the master key gives, and stays valid for a while when that is another. */
export type SigningPurpose = "user-tokens" | "file-links";

/**
 * A key as it lies in the database: sealed under the master key. `retiredAt`: when another took its place; null for the
 * one in use.
 */
export type WrappedKey = { purpose: "data" | SigningPurpose; id: string; wrapped: string; retiredAt: number | null };

/** `kid` names the master key that gave it. */
export type SigningKey = { kid: string; key: Uint8Array };

/**
 * Seals secrets for rest and opens them again: AES-256-GCM, the key named by an id, the text bound to the row it lies
 * in.
 */
export type Secrets = {
  /** Names the master key and tells nothing of it. */
  readonly keyId: string;
  /** Names the key that seals; every sealed text says it after its first dot. */
  readonly dataKeyId: string;
  /** `row` names where the text is kept (`table:id:column`); it opens there and nowhere else. */
  seal(row: string, plain: string): string;
  /** Throws when the text was sealed elsewhere, under another key, or was altered. */
  open(row: string, sealed: string): string;
  /** A key for one other purpose, derived from the master key. */
  derive(purpose: string): Uint8Array;
  /** The key that signs, and after it those of earlier master keys that still count at this time. */
  signingKeys(purpose: SigningPurpose, nowMs: number): SigningKey[];
};

export const MASTER_KEY_BYTES = 32;
/** What was signed under an earlier master key counts for so long, which is longer than anything signed is valid. */
export const RETIRED_TTL_MS = 7 * DAY_MS;

const sealedText = (keyId: string, nonce: Uint8Array, body: Uint8Array): string =>
  ["1", keyId, ...[nonce, body].map((part) => Buffer.from(part).toString("base64url"))].join(".");

type Sealer = Pick<Secrets, "keyId" | "seal" | "open">;

/** Names a key that seals. */
export const sealerId = (key: Uint8Array): string => sha256(key).slice(0, 8);

const sealerOf = (key: Uint8Array, random: Random): Sealer => {
  const keyId = sealerId(key);
  return {
    keyId,
    seal(row, plain) {
      const nonce = random.bytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(row));
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return sealedText(keyId, nonce, sealed);
    },
    open(row, sealed) {
      const [version, id, nonce, body] = sealed.split(".");
      if (version !== "1" || id !== keyId || !nonce || !body)
        throw new Error(`sealed under key ${id ?? "?"}, which is not the master key's`);
      const nonceBytes = Buffer.from(nonce, "base64url");
      const bytes = Buffer.from(body, "base64url");
      // decoding skips what it cannot read: only the text that sealing wrote is taken
      if (sealedText(keyId, nonceBytes, bytes) !== sealed) throw new Error("sealed text was altered");
      const decipher = createDecipheriv("aes-256-gcm", key, nonceBytes).setAAD(Buffer.from(row));
      decipher.setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16)).toString("utf8") + decipher.final("utf8");
    },
  };
};

const deriveFrom = (masterKey: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", masterKey, "", `recado:${purpose}`, 32));

/**
 * The key that a master key gives for sealing: it wraps other keys, and sealed everything before there were data keys.
 */
export const directKeyOf = (masterKey: Uint8Array): Uint8Array => deriveFrom(masterKey, "secrets-at-rest");

const wrapRow = ({ purpose, id }: Pick<WrappedKey, "purpose" | "id">): string => `wrapped_keys:${purpose}:${id}`;

/** Wraps keys under a master key, and opens those that it has wrapped. */
export const wrapping = (masterKey: Uint8Array, random: Random) => {
  const sealer = sealerOf(directKeyOf(masterKey), random);
  return {
    wrap: (key: Uint8Array, facts: Omit<WrappedKey, "wrapped">): WrappedKey => ({
      ...facts,
      wrapped: sealer.seal(wrapRow(facts), Buffer.from(key).toString("base64")),
    }),
    /** Throws for a key that another master key has wrapped. */
    unwrap: (row: WrappedKey): Uint8Array => Buffer.from(sealer.open(wrapRow(row), row.wrapped), "base64"),
  };
};

/**
 * What a master key opens. `wrapped`: the keys of the database. New texts are sealed under its data key; those that an
 * earlier data key or the master key itself has sealed open too. A key is unwrapped when it is first needed, and throws
 * then where another master key has wrapped it.
 */
export const secretsOf = (masterKey: Uint8Array, random: Random, wrapped: readonly WrappedKey[] = []): Secrets => {
  const derive = (purpose: string) => deriveFrom(masterKey, purpose);
  const { unwrap } = wrapping(masterKey, random);
  const direct = sealerOf(directKeyOf(masterKey), random);
  const sealers = new Map([[direct.keyId, direct]]);
  const sealerOfId = (id: string | undefined): Sealer => {
    const known = sealers.get(id ?? "");
    const row = known ? undefined : wrapped.find((one) => one.purpose === "data" && one.id === id);
    const sealer = known ?? (row && sealerOf(unwrap(row), random));
    if (!sealer) throw new Error(`sealed under key ${id ?? "?"}, which is not the master key's`);
    sealers.set(sealer.keyId, sealer);
    return sealer;
  };
  const dataKeyId = wrapped.find((one) => one.purpose === "data" && one.retiredAt === null)?.id ?? direct.keyId;
  return {
    keyId: direct.keyId,
    dataKeyId,
    derive,
    seal: (row, plain) => sealerOfId(dataKeyId).seal(row, plain),
    open: (row, sealed) => sealerOfId(sealed.split(".")[1]).open(row, sealed),
    signingKeys: (purpose, nowMs) => [
      { kid: direct.keyId, key: derive(purpose) },
      ...wrapped
        .filter((one) => one.purpose === purpose && one.retiredAt !== null && nowMs < one.retiredAt + RETIRED_TTL_MS)
        .map((one) => ({ kid: one.id, key: unwrap(one) })),
    ],
  };
};

/**
 * User tokens (JWT, HS256), each of a session. The kinds have different audiences, so that one never passes for the
 * other.
 */
type OfUser = { userId: string; email: string; sessionId: string };
export type TokenClaims = ({ kind: "pending" } & OfUser) | ({ kind: "complete"; institutionId: string } & OfUser);
export type Tokens = {
  sign(claims: TokenClaims, ttlSeconds: number): Promise<string>;
  verify(token: string): Promise<TokenClaims | undefined>;
};

const ISSUER = "recado";

/** A token names the master key of its time as `kid`; one of the time before has none, and may be of any. */
const claimsOf = async (token: string, keys: readonly SigningKey[], nowMs: number): Promise<JWTPayload | undefined> => {
  const options = {
    algorithms: ["HS256"],
    issuer: ISSUER,
    audience: ["pending", "complete"],
    currentDate: new Date(nowMs),
  };
  for (const { kid, key } of keys) {
    const verified = await jwtVerify(token, key, options).catch(() => undefined);
    if (verified && (verified.protectedHeader.kid ?? kid) === kid) return verified.payload;
  }
  return undefined;
};

export const tokensOf = ({ signingKeys }: Pick<Secrets, "signingKeys">, clock: Clock): Tokens => ({
  sign: async ({ kind, sessionId, ...payload }, ttlSeconds) => {
    const issuedAt = Math.floor(clock.now() / 1000);
    const [current] = signingKeys("user-tokens", clock.now());
    if (!current) throw new Error("there is no key that signs tokens");
    return new SignJWT(payload)
      .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: current.kid })
      .setIssuer(ISSUER)
      .setAudience(kind)
      .setJti(sessionId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ttlSeconds)
      .sign(current.key);
  },
  verify: async (token) => {
    const claims = await claimsOf(token, signingKeys("user-tokens", clock.now()), clock.now());
    if (!claims) return undefined;
    const { aud, jti: sessionId, userId, email, institutionId } = claims;
    if (typeof userId !== "string" || typeof email !== "string" || sessionId === undefined) return undefined;
    if (aud === "pending") return { kind: "pending", userId, email, sessionId };
    return aud === "complete" && typeof institutionId === "string"
      ? { kind: "complete", userId, email, institutionId, sessionId }
      : undefined;
  },
});
