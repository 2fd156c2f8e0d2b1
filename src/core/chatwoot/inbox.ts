import { DAY_MS, MINUTE_MS } from "../../kernel/clock.ts";
import type { ChannelId, SubscriptionId, TenantId } from "../../kernel/ids.ts";
import { type Json, OWN_JSON, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import type { SubscriptionRow } from "../../store/tables/events/subscriptions.ts";

/** The name of the audience of events, which is also the reason for a send that an agent in Chatwoot wrote. */
export const CHATWOOT = "chatwoot";

/** The header by which Chatwoot knows who asks. A connection keeps it sealed, like the headers of every webhook. */
export const TOKEN_HEADER = "api_access_token";

/** Marks the delivery of a test that its owner asked for. */
export const TEST_HEADER = "X-Recado-Test";

/** The schemes of the addresses of inboxes. Deliveries with them are translated into calls of Chatwoot's API. */
export const INBOX_SCHEMES = ["chatwoot+https:", "chatwoot+http:"] as const;

/** An inbox of an account in a Chatwoot. `base`: the address of the installation. */
export type Inbox = { base: string; accountId: number; inboxId: number };

/** The inbox as the URL of a webhook: the page that Chatwoot has for it, under a scheme of its own. */
export const urlOfInbox = ({ base, accountId, inboxId }: Inbox): string =>
  `chatwoot+${base}/app/accounts/${accountId}/inbox/${inboxId}`;

const INBOX = /^chatwoot\+(https?:\/\/[^?#]+?)\/app\/accounts\/(\d{1,15})\/inbox\/(\d{1,15})$/;

/** The inbox behind such a URL; undefined for any other URL. */
export const inboxOfUrl = (url: string): Inbox | undefined => {
  const [, base, accountId, inboxId] = INBOX.exec(url) ?? [];
  return base === undefined ? undefined : { base, accountId: Number(accountId), inboxId: Number(inboxId) };
};

/**
 * What a connection does besides carrying messages. `markRead`: what agents have seen is marked as read at the network.
 * `typing`: both sides see that the other one writes. `batches`: the messages of batches begin conversations.
 */
export type ChatwootSettings = { markRead: boolean; typing: boolean; batches: boolean };

export const CHATWOOT_DEFAULTS: ChatwootSettings = { markRead: true, typing: true, batches: false };

/** What a connection keeps of its inbox. `identifier`: the inbox's name in Chatwoot's public API; null if unknown. */
export type Kept = { settings: ChatwootSettings; identifier: string | null };

/** A connection of a channel with an inbox. */
export type Connection = Inbox & Kept & { subscriptionId: SubscriptionId; channelId: ChannelId; tenantId: TenantId };

/** Undefined for the row of something else. */
export const connectionIn = (row: SubscriptionRow): Connection | undefined => {
  const { id, channelId, tenantId, audience, url } = row;
  const inbox = audience === CHATWOOT ? inboxOfUrl(url) : undefined;
  return inbox && channelId !== null
    ? { ...inbox, ...keptIn(row), subscriptionId: id, channelId, tenantId }
    : undefined;
};

/**
 * How far the import of earlier messages is. `days`: how old the messages are that it takes; 0 without an import.
 * `sinceMs`: the same as a time. `done`: how many messages it has looked at. `of`: how many there are; null until they are
 * counted. `leftOut`: how many of them Chatwoot refused for good. `error`: why it waits; null if it does not.
 */
export type Import = {
  days: number;
  sinceMs: number | null;
  done: number;
  of: number | null;
  leftOut: number;
  error: string | null;
  isRunning: boolean;
  endedAt: number | null;
};

export const NO_IMPORT: Import = {
  days: 0,
  sinceMs: null,
  done: 0,
  of: null,
  leftOut: 0,
  error: null,
  isRunning: false,
  endedAt: null,
};

/** The state of an import that begins. */
export const begunImport = (days: number, nowMs: number): Import => ({
  ...NO_IMPORT,
  days,
  sinceMs: nowMs - days * DAY_MS,
  isRunning: true,
});

/** How long Chatwoot's queues may take to call Recado after the last message of an import. */
const ECHO_MS = MINUTE_MS;

/** Whether what Chatwoot writes by itself may answer a message of an import, which a person wrote long ago. */
export const answersImport = ({ isRunning, endedAt }: Import, nowMs: number): boolean =>
  isRunning || (endedAt !== null && nowMs < endedAt + ECHO_MS);

type Profiled = Pick<SubscriptionRow, "profile">;

const profileIn = ({ profile }: Profiled): Json => (profile === null ? {} : recordOf(parsedJson(profile, OWN_JSON)));

/** A connection keeps the state of its import, its settings and its identifier as the profile of its webhook. */
export const profileFor = (state: Import, { settings, identifier }: Kept): string =>
  JSON.stringify({ ...state, settings, identifier });

export const importIn = (row: Profiled): Import => {
  const { settings: _settings, identifier: _identifier, ...state } = profileIn(row);
  return { ...NO_IMPORT, ...state };
};

/** The settings and the identifier of a connection. Those of before there were any have the defaults. */
export const keptIn = (row: Profiled): Kept => {
  const { settings, identifier } = profileIn(row);
  return {
    settings: { ...CHATWOOT_DEFAULTS, ...recordOf(settings) },
    identifier: typeof identifier === "string" ? identifier : null,
  };
};
