import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** A text of JSON that never changes while the process runs. */
export type FixedText = { answer(request: Request): Response };

type Coding = "br" | "gzip" | "identity";

const CODED: Record<Coding, (plain: Uint8Array) => Uint8Array> = {
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (plain) => gzipSync(plain, { level: 9 }),
  identity: (plain) => plain,
};

/** The coding of ours that a client prefers. See https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3. */
const codingOf = (accepted: string): Coding => {
  const taken = new Set(
    accepted
      .split(",")
      .map((one) => one.toLowerCase().replaceAll(/\s/g, ""))
      .filter((one) => !/;q=0(\.0*)?$/.test(one))
      .map((one) => one.split(";", 1)[0]),
  );
  if (taken.has("br")) return "br";
  return taken.has("gzip") || taken.has("*") ? "gzip" : "identity";
};

const isKnownTo = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

/**
 * Serves a text with a strong ETag for each coding. Each coding is compressed once, at its first use. The text itself is
 * not kept: in memory it takes twice its bytes.
 */
export const fixedText = (text: string): FixedText => {
  const plain = new TextEncoder().encode(text);
  const bodies = new Map<Coding, { etag: string; bytes: Uint8Array }>();
  const bodyIn = (coding: Coding) => {
    const known = bodies.get(coding);
    if (known) return known;
    const bytes = CODED[coding](plain);
    const made = { etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`, bytes };
    bodies.set(coding, made);
    return made;
  };
  return {
    answer({ headers }) {
      const coding = codingOf(headers.get("accept-encoding") ?? "");
      const { etag, bytes } = bodyIn(coding);
      const shared = { etag, "cache-control": "no-cache", vary: "Accept-Encoding" };
      if (isKnownTo(headers.get("if-none-match") ?? "", etag))
        return new Response(null, { status: 304, headers: shared });
      return new Response(bytes, {
        headers: {
          ...shared,
          "content-type": "application/json",
          ...(coding === "identity" ? {} : { "content-encoding": coding }),
        },
      });
    },
  };
};
