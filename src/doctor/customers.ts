import type { HttpResult } from "../contract/http.ts";
import { iso } from "../kernel/clock.ts";
import { listFailingEndpoints, listOwnLlmUrls, listWebhookUrls } from "../store/inspection.ts";
import { type Check, type Finding, ok, skipped, warning, worstOf } from "./check.ts";
import { onDatabase } from "./database.ts";
import type { Installation } from "./installation.ts";
import { ask, unreachable } from "./upstreams.ts";

/**
 * Addresses that customers have given us. What is wrong with one is a warning: this installation works, and its
 * operator can tell the customer.
 */
const MOST = 20;
const SHOWN = 5;

const MEND_ENDPOINTS =
  "tell their owners, who see each attempt in the log of the webhook; what waits goes out once they answer, and POST /v1/admin/dead-letters/replay sends what was given up";

/** Endpoints take what they are sent. */
export const webhooks: Check = {
  name: "webhooks",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const failing = await listFailingEndpoints(reader, MOST);
      if (failing.length === 0) return ok("none fails now");
      const shown = failing.slice(0, SHOWN).map(({ id, url, isActive, failures, lastFailedAt, lastError }) => {
        const since = lastFailedAt === null ? "" : `, the last at ${iso(lastFailedAt)}`;
        return `${hostOf(url)} (${id}) ${isActive ? `has failed ${failures} times in a row` : "was disabled for failing"}${since}${lastError === null ? "" : `: ${lastError}`}`;
      });
      const more =
        failing.length > SHOWN
          ? ` and ${failing.length === MOST ? "at least " : ""}${failing.length - SHOWN} more`
          : "";
      return warning(`${shown.join("; ")}${more}`, MEND_ENDPOINTS);
    }),
};

/** An address may hold a secret behind its host. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? "an address that is none";

const originsOf = (urls: readonly string[]): string[] => [
  ...new Set(urls.flatMap((url) => URL.parse(url)?.origin ?? [])),
];

/**
 * Each is asked once, without any key and through the guard, as what is sent there goes. Whatever it answers shows that
 * it is there.
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

/** The hosts of webhooks can be reached; the webhooks themselves are sent nothing. Those that fail are asked first. */
export const webhookHosts: Check = {
  name: "webhook-hosts",
  run: (installation) =>
    onDatabase(installation, async (reader) =>
      reach(
        installation,
        originsOf(await listWebhookUrls(reader)).slice(0, MOST),
        "have the webhook's owner change its address",
      ),
    ),
};

/** Providers that accounts have named for themselves can be reached. */
export const ownLanguageModels: Check = {
  name: "own-language-models",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const urls = (await listOwnLlmUrls(reader, MOST)).map((url) => `${url}/models`);
      return reach(installation, urls, "have the account change baseUrl with PATCH /v1/account/integrations/llm");
    }),
};
