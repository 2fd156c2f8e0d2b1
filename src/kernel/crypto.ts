import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

export const hmacSha256 = (secret: string | Uint8Array, data: string | Uint8Array, encoding: "hex" | "base64"): string =>
  createHmac("sha256", secret).update(data).digest(encoding);

/** Compares two texts in a time that tells nothing of where they differ. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());

// argon2id with 19 MiB, two passes, one lane: the OWASP preset
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of no known password: what is compared where there is no user costs as much as where there is one. */
const NOBODYS_HASH = "$argon2id$v=19$m=19456,t=2,p=1$r7m3uKTGD/G4/0+4Z4sDMA$dsHjUzZ0cwu3nQaDBp9ITzaKkYv7nnfbRFXAZ9qWP8g";

/** What happens off the loop, on a thread that brings our writes to the disk too: to be done a few at a time. */
export const hashPassword = (password: string): Promise<string> => hash(password, ARGON);
/** Whether the hash is that of the password. Of undefined it never is, at the same cost. */
export const isPassword = async (stored: string | undefined, password: string): Promise<boolean> => (await verify(stored ?? NOBODYS_HASH, password)) && stored !== undefined;

/** Seals secrets for rest and opens them again: AES-256-GCM, the key named by an id, the text bound to the row it lies in. */
export type Secrets = {
  /** Names the master key and tells nothing of it; every sealed text says it after its first dot. */
  readonly keyId: string;
  /** `row` names where the text is kept (`table:id:column`); it opens there and nowhere else. */
  seal(row: string, plain: string): string;
  /** Throws when the text was sealed elsewhere, under another key, or was altered. */
  open(row: string, sealed: string): string;
  /** A key for one other purpose, derived from the master key. */
  derive(purpose: string): Uint8Array;
};

export const MASTER_KEY_BYTES = 32;

const sealedText = (keyId: string, nonce: Uint8Array, body: Uint8Array): string => ["1", keyId, ...[nonce, body].map((part) => Buffer.from(part).toString("base64url"))].join(".");

export const secretsOf = (masterKey: Uint8Array, random: Random): Secrets => {
  const derive = (purpose: string) => new Uint8Array(hkdfSync("sha256", masterKey, "", `recado:${purpose}`, 32));
  const key = derive("secrets-at-rest");
  const keyId = sha256(key).slice(0, 8);
  return {
    keyId,
    derive,
    seal(row, plain) {
      const nonce = random.bytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(row));
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return sealedText(keyId, nonce, sealed);
    },
    open(row, sealed) {
      const [version, id, nonce, body] = sealed.split(".");
      if (version !== "1" || id !== keyId || !nonce || !body) throw new Error(`sealed under key ${id ?? "?"}, which is not the master key's`);
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

/** User tokens (JWT, HS256), each of a session. The kinds have different audiences, so that one never passes for the other. */
type OfUser = { userId: string; email: string; sessionId: string };
export type TokenClaims = ({ kind: "pending" } & OfUser) | ({ kind: "complete"; institutionId: string } & OfUser);
export type Tokens = { sign(claims: TokenClaims, lifeSeconds: number): Promise<string>; verify(token: string): Promise<TokenClaims | undefined> };

const ISSUER = "recado";

export const tokensOf = (key: Uint8Array, clock: Clock): Tokens => ({
  sign: ({ kind, sessionId, ...payload }, lifeSeconds) => {
    const issuedAt = Math.floor(clock.now() / 1000);
    return new SignJWT(payload)
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(ISSUER)
      .setAudience(kind)
      .setJti(sessionId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifeSeconds)
      .sign(key);
  },
  verify: async (token) => {
    const verified = await jwtVerify(token, key, { algorithms: ["HS256"], issuer: ISSUER, audience: ["pending", "complete"], currentDate: new Date(clock.now()) }).catch(
      () => undefined,
    );
    if (!verified) return undefined;
    const { aud, jti: sessionId, userId, email, institutionId } = verified.payload;
    if (typeof userId !== "string" || typeof email !== "string" || sessionId === undefined) return undefined;
    if (aud === "pending") return { kind: "pending", userId, email, sessionId };
    return aud === "complete" && typeof institutionId === "string" ? { kind: "complete", userId, email, institutionId, sessionId } : undefined;
  },
});
