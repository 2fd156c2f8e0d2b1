import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { JWTPayload } from "jose";
import { type Clock, DAY_MS } from "./clock.ts";
import type { Random } from "./random.ts";

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** The hash of a stream. */
export const sha256Of = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
};

export const hmacSha256 = (
  secret: string | Uint8Array,
  data: string | Uint8Array,
  encoding: "hex" | "base64",
): string => createHmac("sha256", secret).update(data).digest(encoding);

export const hmacSha512 = (secret: string, data: string): string =>
  createHmac("sha512", secret).update(data).digest("hex");

/** Compares two texts in constant time. */
export const isSameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());

/** Loaded at the first password or token: a server that only programs use sees neither. */
const passwordLibrary = () => import("@node-rs/argon2");
const tokenLibrary = () => import("jose");

/** The cost of a hash: `memoryCost` in KiB, `timeCost` in passes, `parallelism` in threads. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/**
 * argon2id with 19 MiB, two passes, one thread:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of an unknown password. Comparing with it costs the same as with a user's hash. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$r7m3uKTGD/G4/0+4Z4sDMA$dsHjUzZ0cwu3nQaDBp9ITzaKkYv7nnfbRFXAZ9qWP8g";

/** Runs on a thread of the pool that also syncs writes to disk. Run only a few at a time. */
export const hashPassword = async (password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> =>
  (await passwordLibrary()).hash(password, cost);
/** Whether the password matches the hash. False for undefined, at the same cost. */
export const isPassword = async (stored: string | undefined, password: string): Promise<boolean> =>
  (await (await passwordLibrary()).verify(stored ?? NOBODYS_HASH, password)) && stored !== undefined;

/** What is signed with keys of the master key. A signature stays valid for a while after the master key changes. */
export type SigningPurpose = "user-tokens" | "file-links";

/**
 * A key in the database, sealed under the master key. `retiredAt`: when another key replaced it; null for the current
 * key.
 */
export type WrappedKey = { purpose: "data" | SigningPurpose; id: string; wrapped: string; retiredAt: number | null };

/** `kid` names the master key of the signing key. */
export type SigningKey = { kid: string; key: Uint8Array };

/** Seals secrets at rest with AES-256-GCM. A key id names the key; the text is bound to its row. */
export type Secrets = {
  /** The id of the master key. It reveals nothing of the key. */
  readonly keyId: string;
  /** The id of the key that seals. Every sealed text has it after its first dot. */
  readonly dataKeyId: string;
  /** Seals a text for `row` (`table:id:column`). It can be opened only with the same row. */
  seal(row: string, plain: string): string;
  /**
   * Opens a sealed text.
   *
   * @throws Error when it was sealed for another row, under another key, or altered
   */
  open(row: string, sealed: string): string;
  /** A key for one other purpose, derived from the master key. */
  derive(purpose: string): Uint8Array;
  /** The current signing key, followed by those of earlier master keys that are valid at this time. */
  signingKeys(purpose: SigningPurpose, nowMs: number): SigningKey[];
};

export const MASTER_KEY_BYTES = 32;
/** How long signatures of an earlier master key are accepted. No signature is valid for longer. */
export const RETIRED_TTL_MS = 7 * DAY_MS;

const sealedText = (keyId: string, nonce: Uint8Array, body: Uint8Array): string =>
  ["1", keyId, ...[nonce, body].map((part) => Buffer.from(part).toString("base64url"))].join(".");

type Sealer = Pick<Secrets, "keyId" | "seal" | "open">;

/** The id of a sealing key. */
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
      // base64 decoding skips invalid characters, so the text is compared with its own encoding
      if (sealedText(keyId, nonceBytes, bytes) !== sealed) throw new Error("sealed text was altered");
      const decipher = createDecipheriv("aes-256-gcm", key, nonceBytes).setAAD(Buffer.from(row));
      decipher.setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16)).toString("utf8") + decipher.final("utf8");
    },
  };
};

const deriveFrom = (masterKey: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", masterKey, "", `recado:${purpose}`, 32));

/** The sealing key of a master key. It wraps other keys, and sealed everything before data keys existed. */
export const directKeyOf = (masterKey: Uint8Array): Uint8Array => deriveFrom(masterKey, "secrets-at-rest");

const wrapRow = ({ purpose, id }: Pick<WrappedKey, "purpose" | "id">): string => `wrapped_keys:${purpose}:${id}`;

/** Wraps keys under a master key, and unwraps them. */
export const wrapping = (masterKey: Uint8Array, random: Random) => {
  const sealer = sealerOf(directKeyOf(masterKey), random);
  return {
    wrap: (key: Uint8Array, details: Omit<WrappedKey, "wrapped">): WrappedKey => ({
      ...details,
      wrapped: sealer.seal(wrapRow(details), Buffer.from(key).toString("base64")),
    }),
    /**
     * Unwraps a key.
     *
     * @throws Error when another master key wrapped it
     */
    unwrap: (row: WrappedKey): Uint8Array => Buffer.from(sealer.open(wrapRow(row), row.wrapped), "base64"),
  };
};

/**
 * The secrets of a master key. `wrapped`: the keys of the database. New texts are sealed under its data key. Texts of
 * earlier data keys, and of the master key itself, can be opened. A key is unwrapped at its first use.
 *
 * @throws Error, at the first use, when another master key wrapped the key
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
 * User tokens (JWT, HS256), each of a session. Each kind has an audience of its own, so that one kind is not accepted
 * as another.
 */
type OfUser = { userId: string; email: string; sessionId: string };
export type TokenClaims = ({ kind: "pending" } & OfUser) | ({ kind: "complete"; institutionId: string } & OfUser);
export type Tokens = {
  sign(claims: TokenClaims, ttlSeconds: number): Promise<string>;
  verify(token: string): Promise<TokenClaims | undefined>;
};

const ISSUER = "recado";

/** The claims of a token. Its `kid` names the master key; a token without a `kid` may belong to any key. */
const claimsOf = async (token: string, keys: readonly SigningKey[], nowMs: number): Promise<JWTPayload | undefined> => {
  const options = {
    algorithms: ["HS256"],
    issuer: ISSUER,
    audience: ["pending", "complete"],
    currentDate: new Date(nowMs),
  };
  const { jwtVerify } = await tokenLibrary();
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
    const { SignJWT } = await tokenLibrary();
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
