import type { Operation, OperationOutcome } from "../../src/contract/abilities/operations.ts";
import { createAsking, EXPIRED } from "../../src/contract/asking.ts";
import type { LinkReport } from "../../src/contract/events.ts";
import type { ChannelHost, ChannelLink } from "../../src/contract/plugin.ts";
import type { UpstreamFailure, UpstreamResult } from "../../src/contract/upstream.ts";
import { DAY_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { Graph } from "../meta/graph.ts";
import { scopedIdOf } from "./address.ts";
import { FAILURE_WITHOUT, readCredentials } from "./credentials.ts";
import { socialEntries } from "./entries.ts";
import { failureOf } from "./errors.ts";
import { socialMedia } from "./media.ts";
import { expiryOf, fieldsOf, longToken, readAccount, subscribe, type Token } from "./oauth.ts";
import type { SocialSettings } from "./plugin.ts";
import { createRestriction } from "./restriction.ts";
import { callMessages, sendOrder } from "./send.ts";

const COURTESY_TIMEOUT_MS = 5 * SECOND_MS;
/** The network refuses to refresh a younger token; ours is refreshed when this much of its 60 days is left. */
const REFRESHABLE_AFTER_MS = DAY_MS;
const REFRESHED_BEFORE_MS = 10 * DAY_MS;

/** One account's link. It holds no connection: connecting means asking the network whether the token is good. */
export const socialLink = (host: ChannelHost, client: Graph, settings: SocialSettings): ChannelLink => {
  const asking = createAsking(host, () => checkAccount(host, client, settings));
  const restriction = createRestriction(asking);
  /**
   * The API for one request of the core, made before its token is read. A refused token in any of its calls ends the
   * connection as TOKEN_EXPIRED.
   */
  const newGraph = (): Graph => {
    const begun = asking.generation;
    return async (call) => {
      const result = await client(call);
      if (!result.ok && failureOf(result.fault).code === "IG_TOKEN_BAD") asking.report(begun, EXPIRED);
      return result;
    };
  };
  return {
    connect() {
      restriction.reset();
      asking.connect();
    },
    close: asking.close,
    forget: () => forgetAccount(host, client),
    handover: { change: async () => NO_HANDOVER },
    async send(order) {
      const begun = asking.generation;
      const outcome = await sendOrder(host, newGraph(), order);
      restriction.note(begun, outcome);
      return outcome;
    },
    entries: socialEntries(host, newGraph),
    media: socialMedia(host),
    operate: (operation) => operateOn(host, newGraph(), operation),
    async refresh() {
      const begun = asking.generation;
      const fresh = await freshToken(host, settings);
      if (!fresh.ok && fresh.kind === "token") asking.report(begun, EXPIRED);
      if (!fresh.ok) return fresh;
      if (fresh.value && begun === asking.generation) {
        await host.vault.write(fieldsOf(fresh.value));
        asking.report(begun, restriction.lasting(expiryOf(fresh.value)));
      }
      return { ok: true, value: true };
    },
  };
};

/** No such call is documented for accounts that are connected by Instagram Login. */
const NO_HANDOVER = {
  ok: false,
  kind: "unsupported",
  reason:
    "Instagram offers no call to pass, take or release a conversation of an account without a Facebook Page; " +
    "its owner decides in the settings of the account.",
} as const;

/** The network's report about the account; undefined without an answer yet, so that it is asked again. Never throws. */
const checkAccount = async (
  host: ChannelHost,
  graph: Graph,
  settings: SocialSettings,
): Promise<LinkReport | undefined> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return { state: "FAILED", reason: `CREDENTIALS_${credentials.toUpperCase()}` };
  const { igUserId, accessToken } = credentials;
  const me = await readAccount(graph, accessToken);
  if (!me.ok) return reportOf(host, me);
  const subscribed = await subscribe(graph, settings, { igUserId, token: accessToken });
  if (!subscribed.ok && subscribed.kind !== "refused") return reportOf(host, subscribed);
  // sending works without webhooks
  if (!subscribed.ok)
    host.log.warn(
      { channelId: host.channelId, reason: subscribed.error.message },
      "webhooks of the account could not be subscribed",
    );
  if (subscribed.ok && subscribed.value === "basic")
    host.log.warn(
      { channelId: host.channelId },
      "the app is not subscribed to handovers or comments of the account: the network refused these fields",
    );
  return { state: "CONNECTED", profile: { ...me.value.profile, igWebhookConfigured: subscribed.ok } };
};

const reportOf = (host: ChannelHost, failure: UpstreamFailure): LinkReport | undefined => {
  if (failure.kind === "token") return EXPIRED;
  if (failure.kind === "refused") return { state: "FAILED", reason: failure.error.message };
  host.log.warn({ channelId: host.channelId, reason: failure.reason }, "account could not be checked yet");
  return undefined;
};

const operateOn = async (host: ChannelHost, graph: Graph, operation: Operation): Promise<OperationOutcome> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return FAILURE_WITHOUT[credentials];
  const action = actionOf(operation);
  if (!action)
    return { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: "the network offers no such call" };
  const result = await callMessages(graph, credentials, { recipient: { id: scopedIdOf(operation.chat) }, ...action });
  return result.ok ? { ok: true } : failureOf(result.fault);
};

/** `read` marks the whole conversation: the network has no call for one message. */
const actionOf = (operation: Operation): Json | undefined => {
  switch (operation.name) {
    case "react": {
      const { emoji } = operation;
      const payload = { message_id: operation.key };
      return emoji === ""
        ? { sender_action: "unreact", payload }
        : { sender_action: "react", payload: { ...payload, reaction: emoji } };
    }
    case "read":
      return { sender_action: "mark_seen" };
    default:
      return undefined;
  }
};

/** Removes the account's webhooks. A refusal is only logged. */
const forgetAccount = async (host: ChannelHost, graph: Graph): Promise<void> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return;
  const { igUserId, accessToken: token } = credentials;
  const result = await graph({
    method: "DELETE",
    path: [igUserId, "subscribed_apps"],
    token,
    timeoutMs: COURTESY_TIMEOUT_MS,
  });
  if (!result.ok)
    host.log.warn(
      { channelId: host.channelId, reason: failureOf(result.fault).reason },
      "the network did not unsubscribe the account",
    );
};

/** A new token in place of one that will soon expire; undefined before that time. */
const freshToken = async (host: ChannelHost, settings: SocialSettings): Promise<UpstreamResult<Token | undefined>> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string")
    return { ok: false, kind: "credentials", reason: FAILURE_WITHOUT[credentials].reason };
  const { accessToken, issuedAt, expiresAt } = credentials;
  const now = host.clock.now();
  if (now - issuedAt < REFRESHABLE_AFTER_MS || expiresAt - now > REFRESHED_BEFORE_MS)
    return { ok: true, value: undefined };
  return longToken(host.http.trusted, settings, host.clock, {
    grant_type: "ig_refresh_token",
    access_token: accessToken,
  });
};
