import type { GroupOrder } from "../../src/contract/abilities/groups.ts";
import { ONBOARDING_FIELDS } from "../../src/contract/abilities/onboarding.ts";
import type { Operation, OperationOutcome } from "../../src/contract/abilities/operations.ts";
import { createAsking, EXPIRED } from "../../src/contract/asking.ts";
import { fileHandlesOf } from "../../src/contract/content/content-files.ts";
import type { LinkReport } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, ChannelLink, DisconnectOptions, SendOrder } from "../../src/contract/plugin.ts";
import { SECOND_MS } from "../../src/kernel/clock.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { GraphFault, SendFailure } from "../meta/fault.ts";
import type { Graph, GraphResult } from "../meta/graph.ts";
import { type Remembered, rememberUploads } from "../meta/remembered.ts";
import { wabaBusiness } from "./business.ts";
import { wabaCalls } from "./calls.ts";
import { wabaCharges } from "./charges.ts";
import { type Credentials, FAILURE_WITHOUT, readCredentials } from "./credentials.ts";
import { failureOf, isTokenRefused } from "./errors.ts";
import { wabaFlows } from "./flows/flows.ts";
import { wabaGroups } from "./groups.ts";
import { wabaHandover } from "./handover.ts";
import { connectedAs, readNumber } from "./number.ts";
import { voiceRefusal } from "./outbound/files.ts";
import { withUploadedFile } from "./outbound/kept.ts";
import { wabaMedia } from "./outbound/media.ts";
import { wabaUploads } from "./outbound/uploads.ts";
import {
  groupMessageBody,
  isDirectSend,
  messageBody,
  operationBody,
  operationOutcomeOf,
  outcomeOf,
  sendOutcomeOf,
} from "./outbound.ts";
import { wabaNumber } from "./signing-up/own-number.ts";
import { templateApi } from "./templates.ts";
import { troubleOf } from "./trouble.ts";

const COURTESY_TIMEOUT_MS = 5 * SECOND_MS;

/** One number's link. It holds no connection: connecting means asking the network whether the credentials are good. */
export const wabaLink = (host: ChannelHost, client: Graph, graphUrl: string): ChannelLink => {
  const asking = createAsking(host, () => checkNumber(host, client));
  const remembered = rememberUploads(host.clock);
  /**
   * The API of a request. A refused token in any call ends the connection as TOKEN_EXPIRED, unless the token was
   * replaced meanwhile.
   */
  const graph: Graph = async (call) => {
    const begun = asking.generation;
    const result = await client(call);
    if (!result.ok && isTokenRefused(result.fault) && (await isTokenInUse(host, call.token)))
      asking.report(begun, EXPIRED);
    return result;
  };
  return {
    connect: asking.connect,
    close: asking.close,
    forget: (disconnectOptions) => forgetNumber(host, client, disconnectOptions),
    business: wabaBusiness(host, graph),
    calls: wabaCalls(host, graph),
    charges: wabaCharges(host, graph),
    flows: wabaFlows(host, graph),
    groups: { ...wabaGroups(host, graph), send: (order) => sendToGroup(host, graph, order) },
    handover: wabaHandover(host, graph),
    media: wabaMedia(host, graph, graphUrl),
    number: wabaNumber(host, graph),
    send: (order) => sendOrder(host, { graph, remembered }, order),
    templates: templateApi(host, graph),
    operate: (operation) => operate(host, graph, operation),
  };
};

const isTokenInUse = async (host: ChannelHost, token: string | undefined): Promise<boolean> => {
  const credentials = await readCredentials(host);
  return typeof credentials !== "string" && credentials.accessToken === token;
};

/** The network's report about the number; undefined without an answer yet, so that it is asked again. Never throws. */
const checkNumber = async (host: ChannelHost, graph: Graph): Promise<LinkReport | undefined> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return { state: "FAILED", reason: `CREDENTIALS_${credentials.toUpperCase()}` };
  const number = await readNumber(graph, credentials.phoneNumberId, credentials.accessToken);
  if (!number.ok) return reportOf(host, number.fault);
  const subscribed = await subscribe(graph, credentials);
  if (subscribed.ok) return withAccount(connectedAs(number.json), true);
  if (isTokenRefused(subscribed.fault)) return EXPIRED;
  // sending works without the account's webhooks, so this refusal is only logged
  host.log.warn(
    { channelId: host.channelId, reason: failureOf(subscribed.fault).reason },
    "webhooks of the account could not be subscribed",
  );
  // a refusal means that the account is not the token's; any other fault leaves that open
  return failureOf(subscribed.fault).code === "UPSTREAM_BAD_REQUEST"
    ? withAccount(connectedAs(number.json), false)
    : connectedAs(number.json);
};

/**
 * Adds whether the network has confirmed that the account belongs to the token: a channel that only names another
 * owner's account must not get its events.
 */
const withAccount = (report: LinkReport, isConfirmed: boolean): LinkReport => ({
  ...report,
  profile: { ...report.profile, [ONBOARDING_FIELDS.ownsAccount]: isConfirmed },
});

const reportOf = (host: ChannelHost, fault: GraphFault): LinkReport | undefined => {
  const { code, reason } = failureOf(fault);
  if (code === "WABA_TOKEN_INVALID") return EXPIRED;
  if (code === "UPSTREAM_BAD_REQUEST") return { state: "FAILED", reason };
  host.log.warn({ channelId: host.channelId, code, reason }, "number could not be checked yet");
  return undefined;
};

const subscribe = (graph: Graph, { businessAccountId, accessToken: token }: Credentials): Promise<GraphResult> =>
  graph({ method: "POST", path: [businessAccountId, "subscribed_apps"], token, timeoutMs: COURTESY_TIMEOUT_MS });

/**
 * Deregisters the number if its owner wants that, and removes the account's webhooks if no other channel needs them.
 * Refusals are only logged.
 */
const forgetNumber = async (
  host: ChannelHost,
  graph: Graph,
  { deregister, isLastOfAccount }: DisconnectOptions,
): Promise<void> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return;
  const { phoneNumberId, businessAccountId, accessToken: token } = credentials;
  const calls = [
    ...(deregister
      ? [graph({ method: "POST", path: [phoneNumberId, "deregister"], token, timeoutMs: COURTESY_TIMEOUT_MS })]
      : []),
    ...(isLastOfAccount
      ? [
          graph({
            method: "DELETE",
            path: [businessAccountId, "subscribed_apps"],
            token,
            timeoutMs: COURTESY_TIMEOUT_MS,
          }),
        ]
      : []),
  ];
  for (const result of await Promise.all(calls))
    if (!result.ok)
      host.log.warn(
        { channelId: host.channelId, reason: failureOf(result.fault).reason },
        "the network did not release the number",
      );
};

type Sending = { graph: Graph; remembered: Remembered };

const sendOrder = async (host: ChannelHost, sending: Sending, order: SendOrder): Promise<SendOutcome> =>
  noted(host, order, voiceRefusal(order) ?? (await postOrder(host, sending, order)));

const postOrder = async (host: ChannelHost, { graph, remembered }: Sending, given: SendOrder): Promise<SendOutcome> => {
  const order = await withUploadedFile(host, { ...wabaUploads(host, graph), remembered }, given);
  if ("ok" in order) return order;
  const outcome = await postMessage(host, graph, {
    body: messageBody(order),
    read: (result) => outcomeOf(order, result),
    policyOf: (credentials) => marketingPolicyOf(order, credentials),
    moreOf: (credentials) => directSendOf(order, credentials),
  });
  // the network may have lost the file: the next attempt uploads it again
  if (!outcome.ok && outcome.kind === "retry" && outcome.code === "UPSTREAM_BAD_REQUEST")
    remembered.forget(fileHandlesOf(order.content).map(({ handle }) => handle));
  return outcome;
};

const sendToGroup = async (host: ChannelHost, graph: Graph, order: GroupOrder): Promise<SendOutcome> =>
  noted(host, order, await postMessage(host, graph, { body: groupMessageBody(order), read: sendOutcomeOf }));

/** Returns the outcome, logs a rate limit, and makes the phone show a refusal that concerns the whole number. */
const noted = async (
  host: ChannelHost,
  { messageId }: { messageId: string },
  outcome: SendOutcome,
): Promise<SendOutcome> => {
  if (outcome.ok) return outcome;
  const { code, upstreamCode, retryAfterMs, reason } = outcome;
  const { channelId } = host;
  if (outcome.isRateLimit)
    host.log.warn({ channelId, messageId, code, upstreamCode, retryAfterMs }, "upstream rate limit");
  const trouble = troubleOf(upstreamCode, { at: host.clock.now(), reason });
  if (trouble)
    await host.emit(trouble).catch((error: unknown) => {
      host.log.error({ channelId, upstreamCode, reason: reasonOf(error) }, "a number's trouble could not be stored");
    });
  return outcome;
};

const operate = async (host: ChannelHost, graph: Graph, operation: Operation): Promise<OperationOutcome> => {
  const body = operationBody(operation);
  if (!body)
    return {
      ok: false,
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
      reason: `the network offers no call to ${operation.name} a message`,
    };
  return postMessage(host, graph, { body, read: operationOutcomeOf });
};

/**
 * `policyOf`: the policy of a message that goes by the Marketing Messages API; undefined for other messages. `moreOf`:
 * fields that a setting of the phone adds.
 */
type Posting<Outcome> = {
  body: Json;
  read(result: GraphResult): Outcome;
  policyOf?(credentials: Credentials): string | undefined;
  moreOf?(credentials: Credentials): Json;
};

const POLICIES: ReadonlyMap<string | undefined, string> = new Map([
  ["fallback", "CLOUD_API_FALLBACK"],
  ["strict", "STRICT"],
]);

/** Only templates whose latest category is MARKETING may go there, and no reply. */
const marketingPolicyOf = (order: SendOrder, { marketingMessages }: Credentials): string | undefined =>
  order.type === "template" && order.templateCategory === "MARKETING" && order.quotedProviderMessageId === undefined
    ? POLICIES.get(marketingMessages)
    : undefined;

/** A utility message without a template (Direct Send). The name was set when the message was accepted. */
const directSendOf = (order: SendOrder, { directSendName }: Credentials): Json =>
  isDirectSend(order) && directSendName
    ? { category: "utility", direct_send_config: { template_name: directSendName } }
    : {};

/**
 * Posts to the number's messages, and reads the outcome from the answer; without readable credentials nothing is
 * posted.
 */
const postMessage = async <Outcome>(
  host: ChannelHost,
  graph: Graph,
  { body, read, policyOf = () => undefined, moreOf = () => ({}) }: Posting<Outcome>,
): Promise<Outcome | SendFailure> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return FAILURE_WITHOUT[credentials];
  const { phoneNumberId, accessToken: token, messagingAccountId, marketingPriceFactor: factor } = credentials;
  const policy = policyOf(credentials);
  const edge = policy === undefined ? "messages" : "marketing_messages";
  const more = {
    ...(messagingAccountId ? { messaging_account_id: messagingAccountId } : {}),
    ...(policy === undefined ? {} : { product_policy: policy }),
    ...(policy !== undefined && factor ? { bid_spec: { per_message_bid_multiplier: Number(factor) } } : {}),
    ...moreOf(credentials),
  };
  return read(await graph({ method: "POST", path: [phoneNumberId, edge], token, body: { ...body, ...more } }));
};
