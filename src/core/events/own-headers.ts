import { type Issue, issue } from "../../kernel/schema.ts";
import type { SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import type { EventsEnv } from "./env.ts";

/** The request headers that the owner of a webhook adds to its deliveries, by name. The values are secrets. */
export type OwnHeaders = Record<string, string>;

const MAX_HEADERS = 16;
const MAX_NAME = 64;
const MAX_VALUE_BYTES = 1024;
/** The mask that a client reads in place of a value. If the client sends it back, the value stays. */
const MASK = "********";

/** The token of https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces and tabs between: every server reads it alike. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
/** Headers of one connection, and those that this server sets itself. */
const REFUSED: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "expect",
  "user-agent",
  "date",
]);
const REFUSED_BEGINNINGS = ["proxy-", "content-", "webhook-", "x-webhook-", "x-gateway-"];

const faultOf = (name: string, value: unknown): string | undefined => {
  const lower = name.toLowerCase();
  if (name.length > MAX_NAME || !TOKEN.test(name)) return "is not the name of a header of at most 64 characters";
  if (REFUSED.has(lower) || REFUSED_BEGINNINGS.some((one) => lower.startsWith(one))) return "cannot be set";
  if (typeof value !== "string") return "must be a text";
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) return "must be at most 1024 bytes long";
  return VALUE.test(value) ? undefined : "must be visible ASCII characters, with spaces between them";
};

/**
 * The faults of headers: at most 16, each name once in any case, and no header that this server or a connection sets.
 */
export const headerIssues = (headers: OwnHeaders = {}): Issue[] => {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) return [issue("headers", "maxItems", `must be at most ${MAX_HEADERS}`)];
  const issues = Object.entries(headers).flatMap(([name, value]) => {
    const fault = faultOf(name, value);
    return fault === undefined ? [] : [issue("headers", "pattern", `${name.slice(0, MAX_NAME)} ${fault}`)];
  });
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    issues.push(issue("headers", "pattern", "must have each name once"));
  return issues;
};

/** The row that the sealed headers of a webhook are bound to. */
export const headersRow = (id: SubscriptionRow["id"]): string => `subscriptions:${id}:headers`;

/** Sealed headers, and the row that they are bound to. Null: none. */
export type HeldHeaders = { row: string; sealed: string | null };

/** The headers of a webhook as they are stored. */
export const headersOf = ({ id, headers }: Pick<SubscriptionRow, "id" | "headers">): HeldHeaders => ({
  row: headersRow(id),
  sealed: headers,
});

type Secrets = Pick<EventsEnv, "secrets">;

/** The headers; empty if there are none. */
export const ownHeaders = ({ secrets }: Secrets, { row, sealed }: HeldHeaders): OwnHeaders =>
  sealed === null ? {} : (JSON.parse(secrets.open(row, sealed)) as OwnHeaders);

/**
 * The sealed form of given headers; null for none. The mask stands for the current value; without a current value the
 * header is left out.
 */
export const sealedHeaders = (env: Secrets, current: HeldHeaders, given: OwnHeaders): string | null => {
  const kept = new Map(Object.entries(ownHeaders(env, current)).map(([name, value]) => [name.toLowerCase(), value]));
  const headers = Object.entries(given).flatMap(([name, value]) => {
    const meant = value === MASK ? kept.get(name.toLowerCase()) : value;
    return meant === undefined ? [] : [[name, meant] as const];
  });
  return headers.length === 0 ? null : env.secrets.seal(current.row, JSON.stringify(Object.fromEntries(headers)));
};

/**
 * Whether a change would send a stored value to another origin: it may be a password, which only the former endpoint
 * knows. The client that changes the URL must then give all values anew.
 */
export const takesValuesElsewhere = (
  { url: formerUrl, headers: stored }: Pick<SubscriptionRow, "url" | "headers">,
  { url = formerUrl, headers }: { url?: string; headers?: OwnHeaders },
): boolean =>
  stored !== null &&
  hostOf(url) !== hostOf(formerUrl) &&
  (headers === undefined || Object.values(headers).includes(MASK));

/** The host with the scheme. `origin` is the same for every URL of a broker. */
const hostOf = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** The names of the headers, each with the mask in place of its value. */
export const maskedHeaders = (env: Secrets, held: HeldHeaders): OwnHeaders =>
  Object.fromEntries(Object.keys(ownHeaders(env, held)).map((name) => [name, MASK]));
