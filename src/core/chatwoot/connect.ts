import { AppError, invalid } from "../../kernel/errors.ts";
import { gatewaySecret, isUuid, newId, type SubscriptionId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import { withoutTrailing } from "../../kernel/texts/texts.ts";
import type { Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import { forgetChatwootChats } from "../../store/tables/channels/chatwoot.ts";
import {
  deleteSubscription,
  findAppSubscription,
  insertSubscription,
  loadSubscription,
  type SubscriptionRow,
  updateSubscription,
} from "../../store/tables/events/subscriptions.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireChannel } from "../channels/refusals.ts";
import { readApp } from "../channels/settings/apps.ts";
import { type WebhookHealth, webhookHealth } from "../events/health.ts";
import { secretRow } from "../events/outgoing.ts";
import { headersOf, ownHeaders } from "../events/own-headers.ts";
import { resumeEndpoint } from "../events/queues.ts";
import { retryAll } from "../events/retrying.ts";
import { changesOf, endDeliveries, newSubscription, unknownSubscription } from "../events/subscriptions.ts";
import { type Caller, recordAct } from "../tenancy/audit/audit.ts";
import { type Answer, type ChatwootClient, chatwootClient, type FoundInbox } from "./client.ts";
import type { ChatwootEnv } from "./env.ts";
import {
  begunImport,
  CHATWOOT,
  type ChatwootSettings,
  connectionIn,
  type Import,
  type Inbox,
  importIn,
  inboxOfUrl,
  type Kept,
  keptIn,
  NO_IMPORT,
  profileFor,
  TOKEN_HEADER,
  urlOfInbox,
} from "./inbox.ts";

/** The Chatwoot that a channel is to be connected with. `token`: absent to keep the one that is stored. */
export type ChatwootInput = {
  url: string;
  accountId: number;
  token?: string | undefined;
  inboxName?: string | undefined;
  importDays?: number | undefined;
} & { [Name in keyof ChatwootSettings]?: ChatwootSettings[Name] | undefined };

/** A connection as its owner sees it. */
export type ChatwootView = Inbox & {
  settings: ChatwootSettings;
  subscription: SubscriptionRow;
  inboxName: string;
  import: Import;
  health: WebhookHealth | undefined;
};

const of = (channelId: string) => ({ channelId, audience: CHATWOOT });

/**
 * The Chatwoot of a channel, and whether it takes what happens.
 * @throws AppError CHANNEL_NOT_FOUND, or SUBSCRIPTION_NOT_FOUND for a channel without a Chatwoot
 */
export const readChatwoot = async (env: ChatwootEnv, scope: TenantScope, channelId: string): Promise<ChatwootView> => {
  const subscription = await readApp(env, scope, of(channelId));
  const inbox = subscription && inboxOfUrl(subscription.url);
  if (!subscription || !inbox) throw unknownSubscription();
  const { items } = await webhookHealth(env, scope, { id: subscription.id, cursor: undefined, limit: 1 });
  const { settings } = keptIn(subscription);
  const { name: inboxName } = subscription;
  return { ...inbox, settings, subscription, inboxName, import: importIn(subscription), health: items[0] };
};

/** The address that Chatwoot calls. Its last part is the secret of the connection. */
const webhookAddress = (env: Pick<ChatwootEnv, "gatewayUrl">, id: SubscriptionId, secret: string): string =>
  `${env.gatewayUrl()}/v1/chatwoot/${id}?secret=${secret}`;

const refused = (why: string): AppError =>
  new AppError("HANDSHAKE_REFUSED", { message: `Chatwoot could not be connected: ${why}.` });

/** TABLE: what the answers of Chatwoot mean while it is connected. */
const MEANINGS: Readonly<Record<number, string>> = {
  401: "it refuses the token; it takes the access token of an administrator of the account",
  403: "the token may not make inboxes; it takes the access token of an administrator of the account",
  404: "it has no such account at this address",
};

const requireOk = ({ isOk, status, outcome }: Answer): void => {
  if (isOk) return;
  throw refused(
    MEANINGS[status] ??
      (status === 0 ? `it could not be reached (${outcome.failure})` : `it answered with status ${status}`),
  );
};

/** The id of the connection that an inbox calls; undefined for an inbox that calls something else, or nothing. */
const calledBy = ({ webhookUrl }: FoundInbox): string | undefined =>
  /\/v1\/chatwoot\/([\da-f-]{36})\?/.exec(webhookUrl ?? "")?.[1];

/** @throws AppError VALIDATION for the inbox of another phone, whose answers would go out from this one */
const requireFree = async (env: ChatwootEnv, inbox: FoundInbox, own: readonly string[]): Promise<void> => {
  const called = calledBy(inbox);
  if (called === undefined || own.includes(called) || !isUuid(called)) return;
  const other = await env.db.read((reader) => loadSubscription(reader, called as SubscriptionId));
  if (!other || !connectionIn(other)) return;
  throw invalid(issue("inboxName", "pattern", `must not be "${inbox.name}", which is the inbox of another phone`));
};

type Wanted = { name: string; address: string; current: number | undefined; own: readonly string[] };

/** The inbox to use: the connected one, else one of this name, else a new one. It gets the address of the webhook. */
const inboxFor = async (
  env: ChatwootEnv,
  client: ChatwootClient,
  { name, address, current, own }: Wanted,
): Promise<FoundInbox> => {
  const { answer, inboxes } = await client.inboxes();
  requireOk(answer);
  const ofApi = inboxes.filter(({ isApi }) => isApi);
  const known = ofApi.find(({ id }) => id === current) ?? ofApi.find((one) => one.name === name);
  if (known) {
    await requireFree(env, known, own);
    requireOk(await client.changeInbox(known.id, address));
    return known;
  }
  const made = await client.makeInbox(name, address);
  requireOk(made.answer);
  if (made.inbox.id === 0) throw refused("it answered without the id of an inbox");
  return made.inbox;
};

type Checked = Omit<Inbox, "inboxId"> & { token: string };

/** @throws AppError VALIDATION for an address that Recado may not ask, or without a token */
const checked = async (
  env: ChatwootEnv,
  current: SubscriptionRow | undefined,
  { url, accountId, token }: ChatwootInput,
): Promise<Checked> => {
  const base = withoutTrailing(url, "/");
  const refusal = inboxOfUrl(urlOfInbox({ base, accountId, inboxId: 0 }))
    ? await env.http.refusalOf(base)
    : "must be the address of a Chatwoot, without a query";
  if (refusal !== undefined) throw invalid(issue("url", "format", refusal));
  // a stored token goes only where it was given for
  const isSame = current !== undefined && inboxOfUrl(current.url)?.base === base;
  const known = token ?? (isSame ? ownHeaders(env, headersOf(current))[TOKEN_HEADER] : undefined);
  if (known === undefined) throw invalid(issue("token", "required", "must be the access token of an administrator"));
  return { base, accountId, token: known };
};

/** Whether a connection leads to the same inbox of the same account as before. */
const isKept = (
  { url, name }: SubscriptionRow,
  { base, accountId }: Checked,
  { inboxName = name }: ChatwootInput,
): boolean => {
  const former = inboxOfUrl(url);
  return former?.base === base && former.accountId === accountId && inboxName === name;
};

/**
 * Connects a channel with an inbox of a Chatwoot, which is made if there is none of that name. Its earlier messages are
 * imported first, and what happens meanwhile waits. Nothing is stored if Chatwoot refuses. Another Chatwoot, account or
 * inbox replaces the one before, whose inbox calls Recado no more.
 * @throws AppError CHANNEL_NOT_FOUND, HANDSHAKE_REFUSED, and VALIDATION, also for the inbox of another phone
 */
export const connectChatwoot = async (
  env: ChatwootEnv,
  caller: Caller,
  channelId: string,
  input: ChatwootInput,
): Promise<void> => {
  const channel = await getChannel(env, caller, channelId);
  const current = await readApp(env, caller, of(channel.id));
  const place = await checked(env, current, input);
  const kept = current && isKept(current, place, input) ? current : undefined;
  const id = kept?.id ?? newId<SubscriptionId>(env);
  const secret = kept ? env.secrets.open(secretRow(kept.id), kept.secret) : gatewaySecret(env.random);
  const found = await inboxFor(env, chatwootClient(env, place), {
    name: input.inboxName ?? current?.name ?? channel.label,
    address: webhookAddress(env, id, secret),
    current: kept && inboxOfUrl(kept.url)?.inboxId,
    own: current ? [id, current.id] : [id],
  });
  const replaced = await env.db.write(async (tx) => {
    const living = await requireChannel(tx, caller, channel.id);
    await recordAct(env, tx, caller, {
      action: "webhook.change",
      target: living.id,
      tenantId: living.tenantId,
      details: { kind: "app", fields: Object.keys(input).filter((name) => name !== "token") },
    });
    const stored = await findAppSubscription(tx, caller, { channelId: living.id, audience: CHATWOOT });
    const url = urlOfInbox({ ...place, inboxId: found.id });
    const connecting = { url, place, found, input };
    if (stored?.id === id) {
      await renew(env, tx, stored, connecting);
      return undefined;
    }
    if (stored) await remove(env, tx, caller, stored);
    await add(env, tx, living, { ...connecting, id, secret, kept: keptOf(stored, connecting) });
    return stored;
  });
  if (replaced) await leaveInbox(env, replaced);
};

type Connecting = { url: string; place: Checked; found: FoundInbox; input: ChatwootInput };

/** What a connection keeps from now on. What the caller does not say stays as it was. */
const keptOf = (stored: SubscriptionRow | undefined, { found, input }: Connecting): Kept => {
  const { settings: before } = keptIn(stored ?? { profile: null });
  const { markRead = before.markRead, typing = before.typing, batches = before.batches } = input;
  return { settings: { markRead, typing, batches }, identifier: found.identifier };
};

/** A new token or name. Deliveries that waited for it are tried at once. */
const renew = async (env: ChatwootEnv, tx: Tx, stored: SubscriptionRow, connecting: Connecting): Promise<void> => {
  const { url, place, found, input } = connecting;
  const { importDays = 0 } = input;
  // the inbox was deleted there, and is made anew: so are its conversations
  if (stored.url !== url) forgetChatwootChats(tx, { subscriptionId: stored.id });
  const state = importIn(stored);
  const begins = importDays > 0 && !state.isRunning;
  const isActive = !begins && !state.isRunning;
  const changes = changesOf(env, stored, { url, name: found.name, headers: { [TOKEN_HEADER]: place.token }, isActive });
  await updateSubscription(tx, stored, stored.id, {
    ...changes,
    // a disabled connection stores what happens; `disabledAt` stays until all of it is enqueued
    ...(isActive && !stored.isActive ? { disabledAt: env.clock.now() } : {}),
    profile: profileFor(begins ? begunImport(importDays, env.clock.now()) : state, keptOf(stored, connecting)),
  });
  if (begins || state.isRunning) {
    // an import that waits goes on at once
    env.jobs.cancel(tx, "chatwoot.import", { subscriptionId: stored.id });
    env.jobs.enqueue(tx, "chatwoot.import", { subscriptionId: stored.id });
  }
  if (!isActive) return;
  resumeEndpoint(env, tx, stored.id);
  env.jobs.enqueue(tx, "subscription.resume", { subscriptionId: stored.id });
  await retryAll(env, tx, stored.id, { isNewSeries: true });
};

type Adding = Connecting & { id: SubscriptionId; secret: string; kept: Kept };

const add = async (
  env: ChatwootEnv,
  tx: Tx,
  { id: channelId, tenantId }: ChannelRow,
  { id, secret, kept, url, place, found, input: { importDays = 0 } }: Adding,
): Promise<void> => {
  const made = newSubscription(
    env,
    tenantId,
    { audience: CHATWOOT, kind: "app" },
    {
      id,
      name: found.name,
      url,
      secret,
      events: [],
      channelId,
      ordering: "chat",
      headers: { [TOKEN_HEADER]: place.token },
      isActive: importDays === 0,
      profile: profileFor(importDays === 0 ? NO_IMPORT : begunImport(importDays, env.clock.now()), kept),
    },
  );
  await insertSubscription(tx, made);
  if (importDays > 0) env.jobs.enqueue(tx, "chatwoot.import", { subscriptionId: made.id });
};

const remove = async (env: ChatwootEnv, tx: Tx, caller: Caller, { id }: SubscriptionRow): Promise<void> => {
  await deleteSubscription(tx, caller, { kind: "app" }, id);
  endDeliveries(env, tx, id);
  forgetChatwootChats(tx, { subscriptionId: id });
};

/**
 * Ends the calls of the inbox of a connection that has ended, unless another connection has the inbox by now. That
 * Chatwoot cannot be reached stops nothing: the address is refused from now on.
 */
const leaveInbox = async (env: ChatwootEnv, former: SubscriptionRow): Promise<void> => {
  const place = inboxOfUrl(former.url);
  if (!place) return;
  const token = ownHeaders(env, headersOf(former))[TOKEN_HEADER] ?? "";
  const client = chatwootClient(env, { ...place, token });
  const { answer, inbox } = await client.readInbox(place.inboxId);
  if (answer.isOk && calledBy(inbox) !== former.id) return;
  const { isOk, outcome } = answer.isOk ? await client.changeInbox(place.inboxId, "") : answer;
  if (!isOk)
    env.log.info(
      { channelId: former.channelId, error: outcome.error },
      "an inbox of a Chatwoot keeps the webhook of a connection that has ended",
    );
};

/**
 * Disconnects a channel from its Chatwoot. The inbox stays there with its conversations, and calls Recado no more; that
 * Chatwoot cannot be reached stops nothing.
 * @throws AppError CHANNEL_NOT_FOUND, or SUBSCRIPTION_NOT_FOUND for a channel without a Chatwoot
 */
export const disconnectChatwoot = async (env: ChatwootEnv, caller: Caller, channelId: string): Promise<void> => {
  const former = await env.db.write(async (tx) => {
    const { id, tenantId } = await requireChannel(tx, caller, channelId);
    const stored = await findAppSubscription(tx, caller, { channelId: id, audience: CHATWOOT });
    if (!stored) throw unknownSubscription();
    await remove(env, tx, caller, stored);
    await recordAct(env, tx, caller, { action: "webhook.delete", target: id, tenantId, details: { kind: "app" } });
    return stored;
  });
  await leaveInbox(env, former);
};
