import type { HttpResult } from "../../contract/ports/http.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { addressesOf } from "../../kernel/network/addresses.ts";
import { isLoopbackUrl } from "../../kernel/settings/setting-kinds.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import { type Check, type Finding, fault, ok, skipped, warning, worstOf } from "../check.ts";
import type { Installation } from "../installation.ts";
import type { RunningServer } from "../server.ts";
import { unreachable } from "./upstreams.ts";

const ASK_MS = 4000;
const EXPIRES_SOON_MS = 14 * DAY_MS;
/** An address for documentation (RFC 5737), which no client has. */
const FORGED_ADDRESS = "192.0.2.1";
const PROXY = [
  "let the proxy pass on the path, the Host header and X-Forwarded-For",
  "(for Caddy and nginx see docs/operate.md: Behind a reverse proxy)",
].join(" ");

const get = ({ http }: Installation, url: string, headers: Record<string, string> = {}): Promise<HttpResult> =>
  http.trusted({ url, method: "GET", headers, timeoutMs: ASK_MS });

const jsonOf = (result: HttpResult): Record<string, unknown> | undefined =>
  result.ok && result.status === 200
    ? (parsedJson(new TextDecoder().decode(result.body)) as Record<string, unknown> | undefined)
    : undefined;

const ttlOf = async (installation: Installation, url: string): Promise<Finding> => {
  const left = (await installation.certificateEnd(url)) - installation.clock.now();
  const days = Math.floor(left / DAY_MS);
  return left < EXPIRES_SOON_MS
    ? warning(
        `the certificate of ${new URL(url).host} ends in ${days} days`,
        "renew it, and find out why that did not happen automatically",
      )
    : ok(`its certificate holds for ${days} days`);
};

/** Checks that the server of this data directory answers at the public address. */
const identityOf = (url: string, result: HttpResult, { version }: RunningServer): Finding => {
  if (!result.ok) return unreachable(url, result);
  const answer = jsonOf(result);
  if (!answer || !("subidoEm" in answer))
    return fault(
      `${url} leads to something else (HTTP ${result.status})`,
      `${PROXY}, or set the URL to where this server is reached`,
    );
  if (answer["subidoEm"] !== version?.startedAt || answer["commit"] !== version?.commit)
    return fault(`${url} leads to another Recado`, "point the name, or the proxy, to this server");
  return ok(`${url} leads here`);
};

/** Checks that the proxy passes on the client's address, which rate limits and the audit log use. */
const originOf = async (installation: Installation, gatewayUrl: string): Promise<Finding> => {
  const url = `${gatewayUrl}/origin`;
  const [honest, forging] = (
    await Promise.all([get(installation, url), get(installation, url, { "x-forwarded-for": FORGED_ADDRESS })])
  ).map(jsonOf);
  if (!honest || !forging) return skipped("the server does not show the origin of requests");
  if (forging["address"] === FORGED_ADDRESS)
    return fault(
      "the proxy passes on whatever X-Forwarded-For a client sends",
      `let it add the client's address to the end of that header; ${PROXY}`,
    );
  if (honest["isTrusted"] === true && honest["isProxied"] === false)
    return warning("the proxy does not send the client's address, so that all clients share one rate limit", PROXY);
  if (honest["isTrusted"] === false && honest["isProxied"] === true)
    return warning(
      "the proxy is not trusted: its client addresses are ignored, so that all clients share one rate limit",
      "add its address to RECADO_TRUSTED_PROXIES",
    );
  return ok("clients are distinguished");
};

/** Checks the scheme of a URL that is used in links: https, unless it is a loopback address. */
const schemeOf = (url: string): Finding =>
  url.startsWith("https:") || isLoopbackUrl(url)
    ? ok(url)
    : warning(
        `${url} is not encrypted`,
        "put a reverse proxy with a certificate before Recado and set RECADO_PUBLIC_URL to its https address",
      );

/** Recognises the platform API by its rate limit headers: it has no route for the version. */
const platformOf = (url: string, result: HttpResult): Finding => {
  if (!result.ok) return unreachable(url, result);
  return result.headers["x-ratelimit-limit"] === undefined
    ? fault(
        `${url} leads to something else (HTTP ${result.status})`,
        `${PROXY}, or set the URL to where this server is reached`,
      )
    : ok(`${url} leads here`);
};

/** One https URL of each host. */
const secureHosts = (urls: readonly string[]): string[] => [
  ...new Map(urls.filter((url) => url.startsWith("https:")).map((url) => [new URL(url).host, url])).values(),
];

const reachable = async (
  installation: Installation,
  running: RunningServer,
  { gatewayUrl, platformUrl }: { gatewayUrl: string; platformUrl: string },
): Promise<Finding> => {
  const [version, platform] = await Promise.all([
    get(installation, `${gatewayUrl}/versao`),
    get(installation, `${platformUrl}/v1/doctor`),
  ]);
  const apis = [identityOf(gatewayUrl, version, running), platformOf(platformUrl, platform)];
  const isReached = apis.every(({ outcome }) => outcome === "ok");
  const origin = isReached && !isLoopbackUrl(gatewayUrl) ? [await originOf(installation, gatewayUrl)] : [];
  const lives = isReached
    ? await Promise.all(secureHosts([gatewayUrl, platformUrl]).map((url) => ttlOf(installation, url)))
    : [];
  return worstOf([...apis, ...origin, ...lives]);
};

/**
 * Clients, upstreams and links reach this server at its public addresses: name, certificate, path, and the client
 * address that a proxy passes on.
 */
export const publicUrl: Check = {
  name: "public-url",
  limitMs: 15_000,
  async run(installation) {
    const { config } = installation;
    const running = await installation.server();
    const addresses = addressesOf(config, running?.serving ? portOf(running.serving.gatewayUrl) : config.listen.port);
    const schemes = worstOf(
      [...new Set([addresses.publicUrl, addresses.gatewayUrl, addresses.platformUrl])].map(schemeOf),
    );
    if (!running?.version) return schemes.outcome === "ok" ? skipped("no server runs") : schemes;
    const found = await reachable(installation, running, addresses);
    return found.outcome === "ok" && schemes.outcome !== "ok" ? schemes : found;
  },
};

const portOf = (url: string): number => Number(new URL(url).port || 80);
