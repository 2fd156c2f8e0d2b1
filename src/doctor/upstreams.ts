import { checkMailServer } from "../adapters/mailer.ts";
import { createProcessor } from "../adapters/processor.ts";
import type { HttpAnswer, HttpFailure, HttpNoAnswer, HttpRequest, HttpResult } from "../contract/http.ts";
import type { KindDeclaration } from "../contract/kind.ts";
import type { Probe } from "../contract/probe.ts";
import type { Config } from "../kernel/config.ts";
import { readUses, type Uses } from "../store/inspection.ts";
import { VERSION } from "../version.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped, warning } from "./check.ts";
import type { Answered, Installation } from "./installation.ts";

/**
 * A service of others that something configured, or some row of the database, needs. `judge` says what an answer means,
 * where any answer is not enough.
 */
export type Upstream = {
  name: string;
  url: string;
  ask(installation: Installation): Promise<HttpResult>;
  judge?(answer: HttpAnswer): Finding | undefined;
};

export type Adapter = Pick<KindDeclaration, "kind" | "probes" | "standsIn">;

const ASK_MS = 4000;

const get = (url: string, headers: Record<string, string> = {}): HttpRequest => ({
  url,
  method: "GET",
  headers: { "user-agent": `Recado/${VERSION}`, ...headers },
  timeoutMs: ASK_MS,
});

/** What an adapter says of its network. */
const probed = ({ name, url, ask: question, judge }: Probe): Upstream => ({
  name,
  url,
  ask: ({ http }) => (question ? question(http) : http.trusted(get(url))),
  judge: (answer) => judge?.(answer),
});

const isProbed = ({ isAlwaysAsked = false, isAskedForChannels = true }: Probe, isUsed: boolean): boolean =>
  isAlwaysAsked || (isAskedForChannels && isUsed);

/** Asked for a charge that nobody has: a key that is not taken shows. */
const processor = ({ processor: { url, apiKey } }: Config): Upstream => ({
  name: "processor",
  url,
  async ask({ http }) {
    let result: HttpResult | undefined;
    const trusted = async (request: HttpRequest) => (result = await http.trusted({ ...request, timeoutMs: ASK_MS }));
    await createProcessor({ url, apiKey, version: VERSION }, { trusted })?.findCharge({
      reference: "recado-doctor",
      id: null,
    });
    return (
      result ?? { ok: false, failure: "aborted", message: "nothing was asked", mayHaveArrived: false, durationMs: 0 }
    );
  },
  judge: ({ status }) =>
    status === 401 || status === 403
      ? fault(
          `the API key is refused (HTTP ${status})`,
          "set RECADO_PROCESSOR_API_KEY to a key of this processor and environment",
        )
      : undefined,
});

/** Asked as customers' addresses are: through the guard, which refuses private addresses that are not allowed. */
export const ask = ({ http }: Pick<Installation, "http">, url: string): Promise<HttpResult> => http.guarded(get(url));

const languageModels = ({ llmUrl }: Config): Upstream => ({
  name: "language-models",
  url: llmUrl,
  ask: (installation) => ask(installation, `${llmUrl}/models`),
});

/** The upstreams that are needed. One that nothing uses yet is not asked. */
export const neededUpstreams = (config: Config, uses: Uses, adapters: readonly Adapter[]): Upstream[] => [
  ...adapters.flatMap(({ kind, probes = [] }) =>
    probes.filter((probe) => isProbed(probe, uses.kinds.includes(kind))).map(probed),
  ),
  ...(config.processor.apiKey === undefined ? [] : [processor(config)]),
  ...(uses.hasDefaultLlm ? [languageModels(config)] : []),
];

const NO_USES: Uses = { tenants: 0, kinds: [], hasDefaultLlm: false };

/** What the rows need is not known where the database cannot be read, or is of an older version. */
export const upstreamsInUse = async ({
  config,
  database,
  adapters,
}: Pick<Installation, "config" | "database" | "adapters">): Promise<Upstream[]> => {
  const uses = await database()
    .then((opened) => opened && readUses(opened.reader))
    .catch(() => undefined);
  const known = await adapters().catch(() => []); // that they cannot be loaded is the finding of a check of its own
  return neededUpstreams(config, uses ?? NO_USES, known);
};

const REMEDIES: Record<HttpFailure, string> = {
  dns: "look whether this machine's name servers answer (/etc/resolv.conf)",
  connect: "let this machine connect there: look at its firewall and its routes",
  timeout: "let this machine connect there: look at its firewall and its routes",
  tls: "look at this machine's clock, and put a certificate authority of your own into RECADO_EXTRA_CA",
  aborted: "look whether something between this machine and there breaks connections off",
  blocked: "add the host to RECADO_OUTBOUND_ALLOW",
};

/** What it means that there was no answer. */
export const unreachable = (url: string, { failure, message }: HttpNoAnswer): Finding =>
  fault(`${new URL(url).host} cannot be reached (${failure}: ${message})`, REMEDIES[failure]);

const SERVER_ERROR = 500;

const judged = ({ url, result, judge }: Answered): Finding => {
  if (!result.ok) return unreachable(url, result);
  const found = `${new URL(url).host} answers after ${Math.round(result.durationMs)} ms`;
  if (result.status >= SERVER_ERROR)
    return warning(`${found}, with HTTP ${result.status}`, "look at the status page of this service");
  return judge?.(result) ?? ok(found);
};

/** A check of each upstream that is needed. */
export const upstreamChecks = async (installation: Installation): Promise<Check[]> =>
  (await installation.upstreams()).map((upstream) => ({
    name: upstream.name,
    run: async () => judged(await installation.ask(upstream)),
  }));

/** The mail server takes our login; no mail is sent. */
export const mail: Check = {
  name: "mail",
  limitMs: 12_000,
  async run({ config }) {
    if (!config.mail)
      return skipped("RECADO_SMTP_URL is unset: no mail is sent: neither reminders nor invitations nor links to users");
    const { host } = new URL(config.mail.smtpUrl);
    try {
      await checkMailServer(config.mail.smtpUrl);
      return ok(`${host} takes the login`);
    } catch (error) {
      return fault(
        `${host}: ${saidBy(error)}`,
        "look at RECADO_SMTP_URL: its host, port, user and password, and whether this machine may connect there",
      );
    }
  },
};
