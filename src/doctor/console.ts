import { addressesOf } from "../kernel/network/addresses.ts";
import { isLoopbackUrl } from "../kernel/settings/setting-kinds.ts";
import { parsedJson } from "../kernel/texts/json.ts";
import { operatorsWithoutSecondStep } from "../store/engine/inspection.ts";
import { type Check, type Finding, fault, ok, skipped, warning, worstOf } from "./check.ts";
import { onDatabase } from "./database/database.ts";
import type { Installation } from "./installation.ts";
import type { RunningServer } from "./server.ts";

const ASK_MS = 4000;

/** A browser drops the cookie of a session on an address that is not encrypted, unless it is one of this machine. */
const schemeOf = (url: string): Finding =>
  url.startsWith("https:") || isLoopbackUrl(url)
    ? ok(url)
    : fault(
        `${url} is not encrypted: browsers drop the cookie of its session, so that nobody can sign in`,
        "put a reverse proxy with a certificate before Recado, and set RECADO_CONSOLE_URL or RECADO_PUBLIC_URL to its https address",
      );

/** Asks for a session without one: only the console refuses that in its own words. */
const reached = async ({ http }: Installation, url: string): Promise<Finding> => {
  const headers = { accept: "application/json" };
  const result = await http.trusted({ url: `${url}/session`, method: "GET", headers, timeoutMs: ASK_MS });
  const remedy =
    "let the proxy pass on this address with its path and Host header, or set RECADO_CONSOLE_URL to the address of the console";
  if (!result.ok) return fault(`${url} cannot be reached`, remedy);
  const answer = parsedJson(new TextDecoder().decode(result.body)) as { error?: { code?: unknown } } | undefined;
  return typeof answer?.error?.code === "string" && [401, 403].includes(result.status)
    ? ok(`${url} leads here`)
    : fault(`${url} leads to something else (HTTP ${result.status})`, remedy);
};

const operatorsOf = (installation: Installation): Promise<Finding> =>
  onDatabase(installation, async (reader) => {
    const { operators, withoutSecond } = await operatorsWithoutSecondStep(reader);
    if (operators === 0)
      return warning("there is no operator yet", "open the set-up link of the server, or run recado operator create");
    return withoutSecond === 0
      ? ok(`${operators} operators, each with a second step of sign-in`)
      : warning(
          `${withoutSecond} of ${operators} operators sign in with a password alone`,
          "let each add an authenticator app or a passkey on the page Profile and security",
        );
  });

/** The console can be signed in to at its address, and its operators have a second step. */
export const console: Check = {
  name: "console",
  limitMs: 10_000,
  async run(installation) {
    const { config } = installation;
    if (!config.isConsoleOn) return skipped("it is switched off by RECADO_CONSOLE");
    const running = await installation.server();
    const { consoleUrl } = addressesOf(config, portOf(running) ?? config.listen.port);
    const scheme = schemeOf(consoleUrl);
    const isAsked = running?.version !== undefined && scheme.outcome === "ok";
    return worstOf([
      scheme,
      ...(isAsked ? [await reached(installation, consoleUrl)] : []),
      await operatorsOf(installation),
    ]);
  },
};

const portOf = (running: RunningServer | undefined): number | undefined =>
  running?.serving && Number(new URL(running.serving.gatewayUrl).port || 80);
