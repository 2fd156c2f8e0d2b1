import { afterAll, beforeAll, expect, test } from "bun:test";
import { ADMIN_TOKEN } from "../../../support/admin-token.ts";
import { CLOUD_ENV } from "../../../support/apis/cloud.ts";
import { EVOLUTION_ENV } from "../../../support/apis/evolution.ts";
import { areAllRounds } from "../../../support/rounds.ts";
import { everyRow, newTenant, type Tenant } from "../../../support/tenants/tenant.ts";
import { requestRaw } from "../../../support/wire.ts";
import { startWorld, type World } from "../../../support/world.ts";

// The headers of a request to every API, with its credentials and without.

const LARGEST_ANSWER = 64 * 1024;
const LONG = 7000;
const HOST = "localhost:8080";

/** TABLE: requests that change nothing, whatever their headers say. */
const ASKED: [method: string, path: string][] = [
  ["GET", "/gateway/v1/phones"],
  ["POST", "/gateway/v1/messages"],
  ["GET", "/gateway/v1/admin/system"],
  ["POST", "/gateway/v1/upstream-webhook"],
  ["GET", "/platform/v1/channels"],
  ["POST", "/platform/v1/auth/login"],
  ["GET", "/graph/v26.0/1"],
  ["GET", "/evolution/instance/fetchInstances"],
  ["POST", "/mcp"],
  ["GET", "/console"],
  ["POST", "/console/sign-in"],
  ["GET", "/metrics"],
  ["GET", "/health"],
  ["GET", "/files/none?exp=1&sig=x"],
];

/** The headers that some API, or the server below them, reads. Those that frame a request are attacked elsewhere. */
const NAMES = [
  "x-api-key",
  "authorization",
  "apikey",
  "x-admin-token",
  "cookie",
  "idempotency-key",
  "prefer",
  "content-type",
  "accept",
  "accept-language",
  "accept-encoding",
  "x-phone-id",
  "x-request-id",
  "traceparent",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "forwarded",
  "range",
  "if-none-match",
  "if-modified-since",
  "last-event-id",
  "origin",
  "referer",
  "sec-fetch-site",
  "user-agent",
  "mcp-protocol-version",
  "x-hub-signature-256",
  "asaas-access-token",
  "x-http-method-override",
];

/** TABLE: what they say. */
const VALUES: Record<string, string> = {
  nothing: "",
  blanks: `${" ".repeat(LONG)}x${"\t".repeat(LONG / 10)}x`,
  "a long word": "a".repeat(LONG),
  commas: ",".repeat(LONG),
  parameters: ";q=".repeat(LONG / 3),
  "weights that are none": `en;q=1e999,${"a;q=0.".repeat(LONG / 6)}`,
  quotes: '"'.repeat(LONG),
  backslashes: `"${"\\".repeat(LONG)}`,
  brackets: "[".repeat(LONG),
  "a zero byte": "a\0b",
  "control characters": "a\x01\x1b[2Jb",
  "bytes that are no text": "é\u00ff\u0080".repeat(100),
  "text of all directions": "\u202e\u2066olá\u{1f600}".repeat(100),
  percents: "%00%ff%".repeat(LONG / 7),
  "a long number": "9".repeat(LONG),
  "ranges without an end": `bytes=${"0-,".repeat(LONG / 3)}`,
  "many addresses": "::1, 127.0.0.1, ".repeat(LONG / 16),
  "a token of many parts": `Bearer ${"a.".repeat(LONG / 2)}`,
  "a token of deep JSON": `Bearer ${[`{"alg":${"[".repeat(2000)}`, "{}", ""].map((part) => Buffer.from(part).toString("base64url")).join(".")}`,
  "cookies without an end": "__Host-recado=;".repeat(LONG / 15),
  "a signature of nothing": `sha256=${"f".repeat(LONG)}`,
  "another's place": "../../../../etc/passwd",
};

const EVERY = ASKED.flatMap(([method, path]) =>
  NAMES.flatMap((name) => Object.entries(VALUES).map(([what, value]) => ({ method, path, name, what, value }))),
);
const someOf = <One>(all: readonly One[]): readonly One[] => (areAllRounds ? all : all.filter((_, n) => n % 19 === 0));

let w: World;
let tenant: Tenant;
beforeAll(async () => {
  const rates = { RECADO_ADDRESS_RATE: "1000000", RECADO_GATEWAY_RATE: "1000000" };
  w = await startWorld({ env: { ...CLOUD_ENV, ...EVOLUTION_ENV, ...rates, RECADO_MCP: "on" } });
  tenant = await newTenant(w, "tenant");
});
afterAll(() => w.stop());

/** Credentials for each API: what is refused before they are read is another part of the code. */
const credentials = (path: string): Record<string, string> => {
  if (path.startsWith("/gateway/v1/admin")) return { "x-admin-token": ADMIN_TOKEN };
  if (path.startsWith("/platform")) return { authorization: `Bearer ${tenant.token}` };
  return { "x-api-key": tenant.gatewayKey, apikey: tenant.gatewayKey, authorization: `Bearer ${tenant.gatewayKey}` };
};

const faultOf = async (what: string, method: string, path: string, headers: Record<string, string>) => {
  const answer = await requestRaw(w.app.url, { method, path, host: HOST, headers });
  // the server below refuses what is malformed by closing, or by a head alone
  if (!(answer.status >= 200 && answer.status < 500) && answer.head !== "") return [`${what}: ${answer.head}`];
  return answer.body.length > LARGEST_ANSWER && answer.status >= 400 ? [`${what}: ${answer.body.length} bytes`] : [];
};

test("every header that is read may say anything: nothing fails and nothing happens", async () => {
  for (const path of ["/gateway/v1/phones", "/gateway/v1/admin/system", "/platform/v1/channels"])
    expect((await requestRaw(w.app.url, { path, host: HOST, headers: credentials(path) })).status).toBe(200);
  const before = await everyRow(w);
  const faults: string[] = [];
  for (const [n, { method, path, name, what, value }] of someOf(EVERY).entries()) {
    const known = n % 2 === 0 ? credentials(path) : {};
    const headers = { ...known, [name]: value };
    faults.push(...(await faultOf(`${method} ${path}, ${name} of ${what}`, method, path, headers)));
  }
  expect(faults).toEqual([]);
  expect((await w.gateway("/health")).status).toBe(200);
  expect(await everyRow(w)).toEqual(before);
}, 300_000);

test.each([
  ["100,000 headers", Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`x-${n}`, "1"]))],
  ["1,000 headers", Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x-${n}`, ""]))],
  ["a header of 1 MiB", { "x-long": "a".repeat(1024 * 1024) }],
  ["a name of 1 MiB", { ["x".repeat(1024 * 1024)]: "1" }],
])("%s are refused, or are headers like any other, at every door", async (what, headers) => {
  const faults: string[] = [];
  for (const [method, path] of ASKED)
    faults.push(...(await faultOf(`${method} ${path}, ${what}`, method, path, headers)));
  expect(faults).toEqual([]);
  expect((await w.gateway("/health")).status).toBe(200);
});
