import { createHash, randomBytes } from "node:crypto";
import type { FaultRules, MediaFault } from "../faults.ts";
import type { Linked } from "../people/linked.ts";
import { note, type Stat } from "../stat.ts";
import { selfSigned } from "../wire/certificate.ts";
import type { Stanza } from "../wire/stanza.ts";

/** The host of encrypted files. */
export type MediaHost = {
  /** "localhost:<port>" */
  readonly host: string;
  readonly ca: string;
  /** A token for uploads. */
  authorise(): string;
  /** Puts a file; answers its direct path. */
  put(bytes: Uint8Array): string;
  /** Whether this is the handle of a file that everybody may read. */
  isHandle(text: string): boolean;
  /** The same file under another path, as after another upload; undefined for an unknown path. */
  putAgain(path: string): string | undefined;
  /** Removes a file: 404 from now on. */
  forget(path: string): void;
  /** The answer to a linked device that asks for a file again. */
  reupload(device: Linked, receipt: Stanza): void;
  stop(): Promise<void>;
};

type Options = { rules: FaultRules; stat: Stat; reupload(device: Linked, receipt: Stanza): void; changed(): void };

const MAX_BYTES = 256 * 1024 * 1024;

const urlSafeHash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64url");

const damaged = (bytes: Uint8Array, fault: MediaFault | undefined): Uint8Array => {
  if (fault === "truncate") return bytes.subarray(0, Math.floor(bytes.length / 2));
  if (fault !== "bit-flip") return bytes;
  const flipped = Buffer.from(bytes);
  const at = Math.floor(flipped.length / 2);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
};

/**
 * Serves files over HTTPS: `POST /mms/<kind>/<hash>?auth=…` puts one (those of newsletters at `/newsletter/…`), `GET` of its direct path, with the signature in
 * its query, gets it.
 */
export const serveMedia = ({ rules, stat, reupload, changed }: Options): MediaHost => {
  const { cert, key } = selfSigned();
  const files = new Map<string, { bytes: Uint8Array; signature: string }>();
  const tokens = new Set<string>();
  const handles = new Set<string>();

  const store = (bytes: Uint8Array): string => {
    const path = `/v/t62.7118-24/${randomBytes(12).toString("hex")}.enc`;
    const signature = randomBytes(8).toString("hex");
    files.set(path, { bytes, signature });
    return `${path}?ccb=11-4&oh=${signature}&oe=70000000`;
  };
  const upload = async (url: URL, request: Request): Promise<Response> => {
    const status = rules.uploads.take(url.pathname);
    if (status !== undefined) return new Response(null, { status });
    if (!tokens.has(url.searchParams.get("auth") ?? "")) return new Response(null, { status: 401 });
    const bytes = new Uint8Array(await request.arrayBuffer());
    const hash = url.pathname.split("/").at(-1) ?? "";
    if (decodeURIComponent(hash).replace(/=+$/, "") !== urlSafeHash(bytes)) return new Response(null, { status: 400 });
    const directPath = store(bytes);
    const place = { url: `https://${host.host}${directPath}`, direct_path: directPath };
    if (!url.pathname.startsWith("/newsletter/newsletter-")) return Response.json(place);
    const handle = randomBytes(16).toString("base64url");
    handles.add(handle);
    return Response.json({ ...place, handle });
  };
  const download = (url: URL): Response => {
    const fault = rules.downloads.take(url.pathname);
    if (typeof fault === "number") return new Response(null, { status: fault });
    const file = files.get(url.pathname);
    if (!file) return new Response(null, { status: 404 });
    if (url.searchParams.get("oh") !== file.signature) return new Response(null, { status: 403 });
    return new Response(Buffer.from(damaged(file.bytes, fault)), {
      headers: { "content-type": "application/octet-stream" },
    });
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert, key },
    maxRequestBodySize: MAX_BYTES,
    fetch: async (request) => {
      const url = new URL(request.url);
      const isUpload = request.method === "POST";
      const response = isUpload ? await upload(url, request) : download(url);
      note(isUpload ? stat.uploads : stat.downloads, { path: url.pathname, status: response.status });
      changed();
      return response;
    },
  });
  const host: MediaHost = {
    host: `localhost:${server.port}`,
    ca: cert,
    authorise: () => {
      const token = randomBytes(16).toString("base64url");
      tokens.add(token);
      return token;
    },
    put: store,
    isHandle: (text) => handles.has(text),
    putAgain: (path) => {
      const file = files.get(path.split("?")[0] ?? "");
      return file && store(file.bytes);
    },
    forget: (path) => void files.delete(path.split("?")[0] ?? ""),
    reupload,
    stop: () => server.stop(true),
  };
  return host;
};
