import { hmacSha256, sha256 } from "../../src/kernel/crypto.ts";
import type { GraphFault } from "./fault.ts";

/** How many tokens' apps are remembered. A link has one token, and another one after a rotation. */
const MAX_TOKENS = 16;
const INVALID_PARAMETER = 100;

/** The secret that belongs to the app of each token, as far as the network has shown it. */
export type Proofs = {
  /** The proofs to try, the likely one first. The last is undefined: no proof, for the token of another app. */
  of(token: string): readonly (string | undefined)[];
  /** Remembers the proof that the network did not refuse for this token. */
  keep(token: string, proof: string | undefined): void;
};

/**
 * The `appsecret_proof` of tokens: an app may demand it of every call, and refuses a wrong one. A client's token may be
 * of another app than this server's. So a refused proof is followed by the next secret's, and at last by no proof.
 * https://developers.facebook.com/docs/graph-api/guides/secure-requests
 */
export const createProofs = (appSecrets: readonly string[]): Proofs => {
  const secrets = appSecrets.filter((secret) => secret !== "");
  const known = new Map<string, string | undefined>();
  return {
    of(token) {
      const all = [...secrets.map((secret) => hmacSha256(secret, token, "hex")), undefined];
      const name = sha256(token);
      if (!known.has(name)) return all;
      const likely = known.get(name);
      return [likely, ...all.filter((proof) => proof !== likely)];
    },
    keep(token, proof) {
      const name = sha256(token);
      const oldest = known.keys().next();
      if (!known.has(name) && known.size >= MAX_TOKENS && !oldest.done) known.delete(oldest.value);
      known.set(name, proof);
    },
  };
};

/** Whether the network refused the proof and nothing else. It then did nothing. */
export const isProofRefused = (fault: GraphFault): boolean =>
  fault.kind === "error" && fault.code === INVALID_PARAMETER && fault.text.includes("appsecret_proof");
