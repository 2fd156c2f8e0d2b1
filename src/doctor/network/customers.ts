import { modelsUrlOf } from "../../adapters/models/llm-endpoint.ts";
import type { HttpResult } from "../../contract/ports/http.ts";
import { iso } from "../../kernel/clock.ts";
import { listFailingEndpoints, listOwnLlmUrls, listWebhookUrls } from "../../store/engine/inspection.ts";
import { type Check, type Finding, ok, skipped, warning, worstOf } from "../check.ts";
import { onDatabase } from "../database/database.ts";
import type { Installation } from "../installation.ts";
import { ask, unreachable } from "./upstreams.ts";

/**
 * Checks of customers' addresses. A fault there is only a warning: the installation works, and its operator can inform
 * the customer. At most `MOST` addresses are checked.
 */
const MOST = 20;
const SHOWN = 5;

const MEND_ENDPOINTS = [
  "inform their owners, who see each attempt in the log of the webhook; waiting deliveries are sent once they answer,",
  "and POST /v1/admin/dead-letters/replay sends those that were discarded",
].join(" ");

/** The endpoints of webhooks accept deliveries. */
export const webhooks: Check = {
  name: "webhooks",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const failing = await listFailingEndpoints(reader, MOST);
      if (failing.length === 0) return ok("none fails now");
      const shown = failing.slice(0, SHOWN).map(({ id, url, isActive, failures, lastFailedAt, lastError }) => {
        const since = lastFailedAt === null ? "" : `, the last at ${iso(lastFailedAt)}`;
        const state = isActive ? `has failed ${failures} times in a row` : "was disabled for failing";
        return `${hostOf(url)} (${id}) ${state}${since}${lastError === null ? "" : `: ${lastError}`}`;
      });
      const more =
        failing.length > SHOWN
          ? ` and ${failing.length === MOST ? "at least " : ""}${failing.length - SHOWN} more`
          : "";
      return warning(`${shown.join("; ")}${more}`, MEND_ENDPOINTS);
    }),
};

/** The host of a URL, because the rest may hold a secret. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? "an invalid address";

const originsOf = (urls: readonly string[]): string[] => [
  ...new Set(urls.flatMap((url) => URL.parse(url)?.origin ?? [])),
];

/**
 * Sends one guarded request without a key to each URL. Any answer shows that the host can be reached.
 */
const reach = async (installation: Installation, urls: readonly string[], remedy: string): Promise<Finding> => {
  if (urls.length === 0) return skipped("there are none");
  const answers = await Promise.all(urls.map(async (url) => ({ url, result: await ask(installation, url) })));
  const lost = answers.flatMap(({ url, result }) => lostOf(url, result, remedy));
  return lost.length === 0
    ? ok(`${urls.length === MOST ? `the first ${MOST} hosts` : `all ${urls.length} hosts`} can be reached`)
    : worstOf(lost);
};

const lostOf = (url: string, result: HttpResult, remedy: string): Finding[] => {
  if (result.ok) return [];
  const { found, remedy: ours } = unreachable(url, result);
  return [warning(found, `${ours ?? ""}; or ${remedy}`)];
};

/** The hosts of webhooks can be reached, failing ones first. Nothing is sent to the webhooks themselves. */
export const webhookHosts: Check = {
  name: "webhook-hosts",
  run: (installation) =>
    onDatabase(installation, async (reader) =>
      reach(
        installation,
        originsOf(await listWebhookUrls(reader)).slice(0, MOST),
        "ask the webhook's owner to change its address",
      ),
    ),
};

/** The language model providers that accounts have set can be reached. */
export const ownLanguageModels: Check = {
  name: "own-language-models",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const urls = (await listOwnLlmUrls(reader, MOST)).map(modelsUrlOf);
      const remedy = "ask the account to change its address with PATCH /v1/account/integrations/llm";
      return reach(installation, urls, remedy);
    }),
};
