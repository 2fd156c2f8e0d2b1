import { createProcessor } from "../../adapters/billing/processor.ts";
import { checkMailServer } from "../../adapters/mailer.ts";
import { modelsUrlOf } from "../../adapters/models/llm-endpoint.ts";
import type { KindDeclaration } from "../../contract/kind.ts";
import type { ChannelPlugin } from "../../contract/plugin.ts";
import type { HttpAnswer, HttpFailure, HttpNoAnswer, HttpRequest, HttpResult } from "../../contract/ports/http.ts";
import type { Probe } from "../../contract/probe.ts";
import { isUndeclared } from "../../contract/reach.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { readUses, type Uses } from "../../store/engine/inspection.ts";
import { VERSION } from "../../version.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped, warning } from "../check.ts";
import type { Answered, Installation } from "../installation.ts";

/**
 * An external service that a setting or a row of the database needs. `judge` interprets an answer, if not every answer
 * is good.
 */
export type Upstream = {
  name: string;
  url: string;
  ask(installation: Installation): Promise<HttpResult>;
  judge?(answer: HttpAnswer): Finding | undefined;
};

export type Adapter = Pick<KindDeclaration, "kind" | "capabilities" | "probes" | "standsIn"> &
  Partial<Pick<ChannelPlugin, "receiver" | "webhook">>;

const ASK_MS = 4000;

const get = (url: string, headers: Record<string, string> = {}): HttpRequest => ({
  url,
  method: "GET",
  headers: { "user-agent": `Recado/${VERSION}`, ...headers },
  timeoutMs: ASK_MS,
});

/** The upstream of an adapter's probe. */
const probed = ({ name, url, ask: question, judge }: Probe): Upstream => ({
  name,
  url,
  ask: ({ http }) => (question ? question(http) : http.trusted(get(url))),
  judge: (answer) => judge?.(answer),
});

const isProbed = ({ isAlwaysAsked = false, isAskedForChannels = true }: Probe, isUsed: boolean): boolean =>
  isAlwaysAsked || (isAskedForChannels && isUsed);

/** Requests a charge that does not exist, to see whether the key is accepted. */
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
      result ?? { ok: false, failure: "aborted", message: "no request was sent", mayHaveArrived: false, durationMs: 0 }
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

/** A guarded request, as to customers' addresses: private addresses outside the allow list are refused. */
export const ask = ({ http }: Pick<Installation, "http">, url: string): Promise<HttpResult> => http.guarded(get(url));

const languageModels = ({ llmUrl }: Config): Upstream => ({
  name: "language-models",
  url: llmUrl,
  ask: (installation) => ask(installation, modelsUrlOf(llmUrl)),
});

/** The upstreams in use. */
export const neededUpstreams = (config: Config, uses: Uses, adapters: readonly Adapter[]): Upstream[] => [
  ...adapters.flatMap(({ kind, probes = [] }) =>
    probes.filter((probe) => isProbed(probe, uses.kinds.includes(kind))).map(probed),
  ),
  ...(config.processor.apiKey === undefined ? [] : [processor(config)]),
  ...(uses.hasDefaultLlm ? [languageModels(config)] : []),
];

const NO_USES: Uses = { tenants: 0, kinds: [], hasDefaultLlm: false };

/** The upstreams in use; without those of the database's rows if it cannot be read or waits for migrations. */
export const upstreamsInUse = async ({
  config,
  database,
  adapters,
}: Pick<Installation, "config" | "database" | "adapters">): Promise<Upstream[]> => {
  const uses = await database()
    .then((opened) => opened && readUses(opened.reader))
    .catch(() => undefined);
  const known = await adapters().catch(() => undefined); // the check `adapters` reports the error
  return neededUpstreams(config, uses ?? NO_USES, known?.plugins ?? []);
};

const REMEDIES: Record<HttpFailure, string> = {
  dns: "check whether this machine's name servers answer (/etc/resolv.conf)",
  connect: "let this machine connect there: check its firewall and routes",
  timeout: "let this machine connect there: check its firewall and routes",
  tls: "check this machine's clock, and put your own certificate authority into RECADO_EXTRA_CA",
  aborted: "check whether a firewall or proxy on the path closes connections",
  blocked: "add the host to RECADO_OUTBOUND_ALLOW",
};

/** The allow list is for private addresses. It opens no host to an adapter. */
const DECLARE = "the author of the adapter has to declare this host in its hosts";

/** The fault of an upstream that does not answer. */
export const unreachable = (url: string, { failure, message }: HttpNoAnswer): Finding =>
  fault(
    `${new URL(url).host} cannot be reached (${failure}: ${message})`,
    isUndeclared({ failure, message }) ? DECLARE : REMEDIES[failure],
  );

const SERVER_ERROR = 500;

const judged = ({ url, result, judge }: Answered): Finding => {
  if (!result.ok) return unreachable(url, result);
  const found = `${new URL(url).host} answers after ${Math.round(result.durationMs)} ms`;
  if (result.status >= SERVER_ERROR)
    return warning(`${found}, with HTTP ${result.status}`, "see the status page of this service");
  return judge?.(result) ?? ok(found);
};

/** A check for each upstream in use. */
export const upstreamChecks = async (installation: Installation): Promise<Check[]> =>
  (await installation.upstreams()).map((upstream) => ({
    name: upstream.name,
    run: async () => judged(await installation.ask(upstream)),
  }));

/** The mail server accepts our login; no mail is sent. */
export const mail: Check = {
  name: "mail",
  limitMs: 12_000,
  async run({ config }) {
    if (!config.mail) return skipped("RECADO_SMTP_URL is unset: no reminders, invitations and links are sent by mail");
    const { host } = new URL(config.mail.smtpUrl);
    try {
      await checkMailServer(config.mail.smtpUrl);
      return ok(`${host} accepts the login`);
    } catch (error) {
      return fault(
        `${host}: ${saidBy(error)}`,
        "check RECADO_SMTP_URL: its host, port, user and password, and whether this machine may connect there",
      );
    }
  },
};
