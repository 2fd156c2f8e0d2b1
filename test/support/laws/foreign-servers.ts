import { isUnder, type SourceFile, withoutComments } from "./architecture.ts";

/** TABLE: the files that may open a connection below HTTP, and the bound of the server's bytes. */
const CONNECTING: readonly { bound: string; files: readonly string[] }[] = [
  { bound: "boundReading, until the end", files: ["src/adapters/brokers/relay.ts"] },
  { bound: "a relay, to which its client connects", files: ["src/adapters/brokers/redis.ts"] },
  { bound: "boundReading, until the proxy has connected", files: ["src/adapters/http/tunnel.ts"] },
  { bound: "the limits of TLS, within a tunnel", files: ["src/adapters/http/proxies.ts"] },
  { bound: "the limits of our own HTTP client", files: ["src/adapters/http/round-trips.ts"] },
  { bound: "nothing is read of it but its certificate", files: ["src/adapters/http/certificates.ts"] },
];

const CONNECTS =
  /import\s*\{[^}]*\b(?:connect|createConnection|Socket)\b(?:\s+as\s+\w+)?[^}]*\}\s*from\s*["']node:(?:net|tls)["']|\bRedisClient\b|\bBun\.connect\b|\bnew WebSocket\(/;

/** A module that is loaded with its first use gives all it has, so that the use itself is looked for. */
const LOADED = /\bgetBuiltinModule\(\s*["'](?:node:)?(?:net|tls)["']/;
const USED = /\b(?:connect|createConnection|Socket)\b/;

/** An import of types alone opens nothing. */
const opens = (text: string): boolean => {
  const code = withoutComments(text).replaceAll(/\bimport type\b[^;]*;|\btype \w+(?=[ ,}])/g, "");
  return CONNECTS.test(code) || (LOADED.test(code) && USED.test(code));
};

/** The connections that files outside the table open. */
export const unboundedFaults = ({ path, text }: SourceFile): string[] =>
  (path.startsWith("src/") || path.startsWith("plugins/")) &&
  !path.startsWith("src/console/web/") &&
  !CONNECTING.some(({ files }) => isUnder(path, files)) &&
  opens(text)
    ? [`${path}: opens a connection; what the other server sends needs a bound, as boundReading makes it`]
    : [];

/** The files of the table that no longer open anything. */
export const unneededConnecting = (files: readonly SourceFile[]): string[] =>
  CONNECTING.flatMap((one) => one.files).filter(
    (allowed) => !files.some(({ path, text }) => isUnder(path, [allowed]) && opens(text)),
  );
