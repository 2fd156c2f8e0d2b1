import { gunzipSync } from "node:zlib";
import { lazily } from "../../kernel/async.ts";
import { BUILT, type BuiltFile } from "./built-assets.ts";
import { escaped } from "./page.ts";

type Encoding = "br" | "gzip";
type Bytes = Uint8Array<ArrayBuffer>;
type Asset = { name: string; type: string; isEntry: boolean; read(encoding: Encoding): Promise<Bytes> };
type Assets = { files: ReadonlyMap<string, Asset>; entries: readonly Asset[] };

/**
 * The pages may load scripts, styles and data of this server alone, run nothing inline, and make no HTML of text. Media
 * comes as blobs. The one policy of trusted types lets the reader of workbooks start as a worker.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types workbooks",
].join("; ");

/** The headers of every page and file of the console. */
const SECURITY_HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const ofBinary = (file: BuiltFile): Asset => ({
  ...file,
  read: async (encoding) => new Uint8Array(await Bun.file(encoding === "br" ? file.brotli : file.gzip).arrayBuffer()),
});

const load = async (): Promise<Assets> => {
  const files = BUILT ? BUILT.map(ofBinary) : await bundledNow();
  return { files: new Map(files.map((file) => [file.name, file])), entries: files.filter(({ isEntry }) => isEntry) };
};

/** Compresses a file when a browser first asks for it: both forms of all files take 2 s of processor. */
const bundledNow = async (): Promise<Asset[]> => {
  const { bundleConsole, brotliOf, gzipOf } = await import("./bundle.ts");
  const { files } = await bundleConsole();
  return files.map((file) => {
    const forms = { br: lazily(async () => brotliOf(file)), gzip: lazily(async () => gzipOf(file)) };
    return { ...file, read: (encoding) => forms[encoding]() };
  });
};

/** The program's files. */
const assets = lazily(load);

const encodingOf = (request: Request): Encoding | undefined => {
  const accepted = request.headers.get("accept-encoding") ?? "";
  return (["br", "gzip"] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  );
};

/** A file of the program, which never changes under its name; undefined for another name. */
export const assetResponse = async (request: Request, name: string): Promise<Response | undefined> => {
  const file = (await assets()).files.get(name);
  if (!file) return undefined;
  const encoding = encodingOf(request);
  const bytes = await file.read(encoding ?? "gzip");
  return new Response(encoding ? bytes : new Uint8Array(gunzipSync(bytes)), {
    headers: {
      ...SECURITY_HEADERS,
      "content-type": file.type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      ...(encoding ? { "content-encoding": encoding } : {}),
    },
  });
};

const tagOf = (prefix: string, { name, type }: Asset): string => {
  const path = escaped(`${prefix}/assets/${name}`);
  return type.startsWith("text/css")
    ? `<link rel="stylesheet" href="${path}">`
    : `<script type="module" src="${path}"></script>`;
};

/** The page of the program, the same for all of its addresses. `entry`: the beginning of the names of its files. */
export const programPage = async (prefix: string, entry: string): Promise<Response> => {
  const tags = (await assets()).entries
    .filter(({ name }) => name.startsWith(`${entry}-`))
    .map((file) => tagOf(prefix, file));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Recado</title>
<link rel="icon" href="${escaped(`${prefix}/icon.svg`)}" type="image/svg+xml">
${tags.join("\n")}
</head>
<body><div id="console"></div><noscript>Recado's console needs JavaScript.</noscript></body>
</html>
`;
  return new Response(html, {
    headers: { ...SECURITY_HEADERS, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
};

/** The icon of the pages. */
export const iconResponse = (): Response =>
  new Response(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a7d4f"/><path d="M8 9h16v11H15l-5 4v-4H8z" fill="#fff"/></svg>`,
    { headers: { ...SECURITY_HEADERS, "content-type": "image/svg+xml", "cache-control": "max-age=86400" } },
  );
