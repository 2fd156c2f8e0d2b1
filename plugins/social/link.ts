import type { LinkReport } from "../../src/contract/events.ts";
import type { Operation, OperationOutcome } from "../../src/contract/operations.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, ChannelLink, Farewell, SendOrder } from "../../src/contract/plugin.ts";
import type { UpstreamResult } from "../../src/contract/upstream.ts";
import { DAY_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import { createAsking } from "../meta/asking.ts";
import type { Graph, GraphResult } from "../waba/graph.ts";
import type { Json } from "../waba/json.ts";
import { scopedIdOf } from "./address.ts";
import { failureOf } from "./errors.ts";
import { expiryOf, fieldsOf, longToken, readAccount, subscribe } from "./oauth.ts";
import { messageBodies, messageTo, outcomeOf } from "./outbound.ts";
import type { SocialSettings } from "./plugin.ts";

/** What the vault of a SOCIAL channel holds. */
type Credentials = { igUserId: string; accessToken: string; issuedAt: number; expiresAt: number };

const COURTESY_TIMEOUT_MS = 5 * SECOND_MS;
/** The network refuses to refresh a younger token; ours is refreshed when it has so little of its 60 days left. */
const REFRESHABLE_AFTER_MS = DAY_MS;
const REFRESHED_BEFORE_MS = 10 * DAY_MS;

/** One account's link. There is no connection to hold: connecting means asking the network whether the token is good. */
export const socialLink = (host: ChannelHost, client: Graph, settings: SocialSettings): ChannelLink => {
  const asking = createAsking(host, "PENDING", () => checkAccount(host, client));
  /** A token that any call meets with a refusal has expired, whatever the call was for. */
  const graph: Graph = async (call) => {
    const begun = asking.generation;
    const result = await client(call);
    if (!result.ok && failureOf(result.fault).code === "IG_TOKEN_BAD") asking.report(begun, EXPIRED);
    return result;
  };
  return {
    get state() {
      return asking.state;
    },
    connect: asking.connect,
    close: asking.close,
    forget: (farewell) => forgetAccount(host, client, farewell),
    send: (order) => sendOrder(host, graph, order),
    operate: (operation) => operateOn(host, graph, operation),
    refresh: () => refreshToken(host, settings, asking.report.bind(undefined, asking.generation)),
  };
};

const EXPIRED: LinkReport = { state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" };

/** What the network says of the account; undefined when it says nothing yet and has to be asked again. Never throws. */
const checkAccount = async (host: ChannelHost, graph: Graph): Promise<LinkReport | undefined> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return { state: "FAILED", reason: `CREDENTIALS_${credentials.toUpperCase()}` };
  const { igUserId, accessToken } = credentials;
  const me = await readAccount(graph, accessToken);
  if (me.ok) {
    const subscribed = await subscribe(graph, igUserId, accessToken);
    if (!subscribed.ok) host.log.warn({ channelId: host.channelId, kind: subscribed.kind }, "webhooks of the account could not be subscribed");
    return { state: "CONNECTED", profile: { ...me.value.profile, igWebhookConfigured: subscribed.ok } };
  }
  if (me.kind === "token") return EXPIRED;
  if (me.kind === "refused") return { state: "FAILED", reason: me.error.message };
  host.log.warn({ channelId: host.channelId, reason: me.reason }, "account could not be checked yet");
  return undefined;
};

/** The bodies of a message in their order. Once the first has arrived the message is never tried again: what is missing of it is told. */
const sendOrder = async (host: ChannelHost, graph: Graph, order: SendOrder): Promise<SendOutcome> => {
  const credentials = await readCredentials(host);
  if (credentials === "unreadable") return { ok: false, kind: "retry", code: "INTERNAL_ERROR", reason: "the channel's credentials could not be read" };
  if (credentials === "missing") return { ok: false, kind: "refused", code: "IG_CREDS_MISSING", reason: "the channel has no credentials" };
  const [first, ...rest] = messageBodies(order);
  const post = async (message: Json = {}) => outcomeOf(await call(graph, credentials, messageTo(order.to, message)));
  const outcome = await post(first);
  if (!outcome.ok) return outcome;
  for (const message of rest) {
    const follower = await post(message);
    if (!follower.ok) return { ok: false, kind: "refused", code: follower.code, reason: `the file was sent, its caption was not: ${follower.reason}` };
  }
  return outcome;
};

const call = (graph: Graph, { igUserId, accessToken: token }: Credentials, body: Json): Promise<GraphResult> =>
  graph({ method: "POST", path: [igUserId, "messages"], token, body });

const operateOn = async (host: ChannelHost, graph: Graph, operation: Operation): Promise<OperationOutcome> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return { ok: false, kind: "refused", code: "IG_CREDS_MISSING", reason: "the channel has no credentials" };
  const body = actionOf(operation);
  if (!body) return { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: "the network offers no such call" };
  const result = await call(graph, credentials, { recipient: { id: scopedIdOf(operation.chat) }, ...body });
  return result.ok ? { ok: true } : failureOf(result.fault);
};

/** Reading is told of a whole conversation: the network knows no other. */
const actionOf = (operation: Operation): Json | undefined => {
  switch (operation.name) {
    case "react":
      if (operation.emoji === "") return { sender_action: "unreact", payload: { message_id: operation.key } };
      return { sender_action: "react", payload: { message_id: operation.key, reaction: operation.emoji } };
    case "read":
      return { sender_action: "mark_seen" };
    default:
      return undefined;
  }
};

/** Takes the account's webhooks off. A refusal is told to the operator alone. */
const forgetAccount = async (host: ChannelHost, graph: Graph, _farewell: Farewell): Promise<void> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return;
  const { igUserId, accessToken: token } = credentials;
  const result = await graph({ method: "DELETE", path: [igUserId, "subscribed_apps"], token, timeoutMs: COURTESY_TIMEOUT_MS });
  if (!result.ok) host.log.warn({ channelId: host.channelId, reason: failureOf(result.fault).reason }, "the network did not let go of the account");
};

/** A new token in place of one that will soon run out; one that the network refuses has expired. */
const refreshToken = async (host: ChannelHost, settings: SocialSettings, report: (news: LinkReport) => void): Promise<UpstreamResult<true>> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return { ok: false, kind: "credentials", reason: `the credentials are ${credentials}` };
  const now = host.clock.now();
  const isDue = now - credentials.issuedAt >= REFRESHABLE_AFTER_MS && credentials.expiresAt - now <= REFRESHED_BEFORE_MS;
  if (!isDue) return { ok: true, value: true };
  const token = await longToken(host.http.trusted, settings, host.clock, { grant_type: "ig_refresh_token", access_token: credentials.accessToken });
  if (!token.ok) {
    if (token.kind === "token") report(EXPIRED);
    return token;
  }
  await host.vault.write(fieldsOf(token.value));
  report({ state: "CONNECTED", profile: expiryOf(token.value) });
  return { ok: true, value: true };
};

/** Read at every use, so that a new token counts from the next call on. */
const readCredentials = async (host: ChannelHost): Promise<Credentials | "missing" | "unreadable"> => {
  try {
    const { igUserId, accessToken, tokenIssuedAt, tokenExpiresAt } = await host.vault.read();
    return igUserId && accessToken ? { igUserId, accessToken, issuedAt: Number(tokenIssuedAt ?? 0), expiresAt: Number(tokenExpiresAt ?? 0) } : "missing";
  } catch (thrown) {
    host.log.error({ channelId: host.channelId, reason: reasonOf(thrown) }, "credentials could not be read");
    return "unreadable";
  }
};
