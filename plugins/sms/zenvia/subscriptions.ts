import { EXPIRED } from "../../../src/contract/asking.ts";
import type { LinkReport } from "../../../src/contract/events.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { type Call, type Fault, jsonBody } from "../api.ts";
import { isFinal, isTokenRefused, textOfFault } from "../failures.ts";
import { type Account, connectedAs } from "../provider.ts";
import { idOf, textOf } from "../values.ts";
import { clientOf, NO_NUMBERS } from "./calls.ts";
import { ACCOUNT_PARAMETER, TOKEN_HEADER } from "./webhook.ts";

const COURTESY_TIMEOUT_MS = 5 * SECOND_MS;
const TOKEN_BYTES = 32;

/** TABLE: the events that the provider posts: https://zenvia.github.io/zenvia-openapi-spec/v2/#tag/Webhooks. */
const WANTED: readonly { eventType: string; criteria: Json }[] = [
  { eventType: "MESSAGE", criteria: { channel: "sms", direction: "IN" } },
  { eventType: "MESSAGE_STATUS", criteria: { channel: "sms" } },
];

type Subscription = { id: string; eventType: string; channel: string; url: string };

const subscriptionOf = (value: unknown): Subscription[] => {
  const { id: given, eventType, criteria, webhook } = recordOf(value);
  const [id, url] = [idOf(given), textOf(recordOf(webhook)["url"])];
  if (id === undefined || url === undefined) return [];
  return [{ id, eventType: textOf(eventType) ?? "", channel: textOf(recordOf(criteria)["channel"]) ?? "", url }];
};

type Listed = { ok: true; subscriptions: Subscription[] } | { ok: false; fault: Fault };

const list = async (account: Account, timeoutMs?: number): Promise<Listed> => {
  const timed = timeoutMs === undefined ? {} : { timeoutMs };
  const answer = await clientOf(account)({ method: "GET", path: "/subscriptions", ...timed });
  return answer.ok ? { ok: true, subscriptions: listOf(answer.json).flatMap(subscriptionOf) } : answer;
};

/**
 * Asks whether the token is good, by the list of webhooks, and names this server to the account. Sending works without
 * a webhook.
 */
export const check = async (account: Account): Promise<LinkReport | undefined> => {
  const { host, credentials } = account;
  const listed = await list(account);
  if (!listed.ok) {
    const { fault } = listed;
    if (isTokenRefused(fault, NO_NUMBERS)) return EXPIRED;
    host.log.warn({ channelId: host.channelId, reason: textOfFault(fault) }, "the account could not be checked yet");
    return isFinal(fault) ? { state: "FAILED", reason: textOfFault(fault) } : undefined;
  }
  const token = await webhookTokenOf(account).catch(() => undefined); // the vault cannot be written
  if (token === undefined) return undefined;
  const isTwoWay = await subscribe(account, token, listed.subscriptions);
  return isTwoWay === undefined ? undefined : connectedAs(credentials, isTwoWay);
};

/** The secret that the provider shows with each webhook. It stays the same, so that no webhook on its way is refused. */
const webhookTokenOf = async ({ host, credentials }: Account): Promise<string> => {
  if (credentials.webhookToken !== undefined) return credentials.webhookToken;
  const webhookToken = Buffer.from(host.random.bytes(TOKEN_BYTES)).toString("hex");
  await host.vault.write({ webhookToken });
  return webhookToken;
};

/** The address of this channel, which names its account: what is stored of a webhook has no secret to know it by. */
const addressOf = ({ host, credentials }: Account): string =>
  `${host.webhookUrl}?${ACCOUNT_PARAMETER}=${encodeURIComponent(credentials.account)}`;

/**
 * The webhook that this channel may change. Another channel's webhook serves all phones with its name of the account;
 * under another name they would get nothing any more.
 */
const ownOf = (account: Account, same: readonly Subscription[]): Subscription | undefined => {
  const url = addressOf(account);
  const { webhookUrl } = account.host;
  const server = webhookUrl.slice(0, webhookUrl.lastIndexOf("/") + 1);
  return (
    same.find((one) => one.url === url) ??
    same.find((one) => withoutQuery(one.url) === webhookUrl) ??
    same.find((one) => one.url.startsWith(server) && accountOf(one.url) === account.credentials.account)
  );
};

const withoutQuery = (url: string): string | undefined => url.split("?", 1)[0];
const accountOf = (url: string): string | null | undefined => URL.parse(url)?.searchParams.get(ACCOUNT_PARAMETER);

/**
 * Whether the account calls this channel for all its events; undefined without a clear answer. An account has few
 * webhooks, so the one of another channel on this server is moved here: it serves all numbers of the account.
 */
const subscribe = async (
  account: Account,
  token: string,
  subscriptions: readonly Subscription[],
): Promise<boolean | undefined> => {
  const webhook = { url: addressOf(account), headers: { [TOKEN_HEADER]: token } };
  for (const { eventType, criteria } of WANTED) {
    const same = subscriptions.filter((one) => one.eventType === eventType && one.channel === "sms");
    const ours = ownOf(account, same);
    const call: Call = ours
      ? {
          method: "PATCH",
          path: `/subscriptions/${encodeURIComponent(ours.id)}`,
          body: jsonBody({ webhook, status: "ACTIVE" }),
        }
      : {
          method: "POST",
          path: "/subscriptions",
          body: jsonBody({ eventType, webhook, criteria, status: "ACTIVE", version: "v2" }),
        };
    const answer = await clientOf(account)(call);
    if (answer.ok) continue;
    const { host } = account;
    host.log.warn({ channelId: host.channelId, reason: textOfFault(answer.fault) }, "the account has no webhook here");
    return isFinal(answer.fault) ? false : undefined;
  }
  return true;
};

/** Deletes the webhooks of this channel. Those of another channel of the account stay. */
export const forget = async (account: Account): Promise<void> => {
  const listed = await list(account, COURTESY_TIMEOUT_MS);
  if (!listed.ok) return;
  const { host } = account;
  const ours = listed.subscriptions.filter(({ url }) => withoutQuery(url) === host.webhookUrl);
  for (const { id } of ours) {
    const path = `/subscriptions/${encodeURIComponent(id)}`;
    const answer = await clientOf(account)({ method: "DELETE", path, timeoutMs: COURTESY_TIMEOUT_MS / 2 });
    if (!answer.ok)
      host.log.warn({ channelId: host.channelId, reason: textOfFault(answer.fault) }, "a webhook could not be deleted");
  }
};
