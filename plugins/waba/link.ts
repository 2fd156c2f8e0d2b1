import type { LinkReport, LinkState } from "../../src/contract/events.ts";
import type { Operation, OperationOutcome } from "../../src/contract/operations.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, ChannelLink, Farewell, SendOrder } from "../../src/contract/plugin.ts";
import { type Cancel, MINUTE_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { wabaBusiness } from "./business.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { failureOf, type GraphFault, isTokenRefused, type SendFailure } from "./errors.ts";
import { voiceRefusal } from "./files.ts";
import { wabaFlows } from "./flows.ts";
import type { Graph, GraphResult } from "./graph.ts";
import type { Json } from "./json.ts";
import { NUMBER_FIELDS, phoneNumberOf, profileOf } from "./onboarding.ts";
import { messageBody, operationBody, operationOutcomeOf, outcomeOf } from "./outbound.ts";
import { templateApi } from "./templates.ts";

const RETRY_DELAYS_MS = [2, 10, 30, 120].map((seconds) => seconds * SECOND_MS);
const LAST_RETRY_DELAY_MS = 5 * MINUTE_MS;
const COURTESY_TIMEOUT_MS = 5 * SECOND_MS;

/**
 * One number's link. There is no connection to hold: connecting means asking the network whether the credentials are
 * good. A generation, counted up by `connect` and `close`, silences every answer that belongs to an earlier one.
 */
export const wabaLink = (host: ChannelHost, client: Graph): ChannelLink => {
  let state: LinkState = "PENDING_WEBHOOK";
  let generation = 0;
  let cancelRetry: Cancel = () => {};

  const begin = (): number => {
    cancelRetry();
    generation += 1;
    return generation;
  };
  const reportFrom = (mine: number, report: LinkReport): void => {
    if (mine !== generation) return;
    state = report.state;
    host.report(report);
  };
  /** A token that any call meets with a refusal has expired, whatever the call was for. */
  const graph: Graph = async (call) => {
    const mine = generation;
    const result = await client(call);
    if (!result.ok && isTokenRefused(result.fault)) reportFrom(mine, { state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" });
    return result;
  };
  const check = async (mine: number, tries: number): Promise<void> => {
    const report = await checkNumber(host, client); // it judges a refused token itself
    if (report) reportFrom(mine, report);
    else if (mine === generation) cancelRetry = host.clock.timer(RETRY_DELAYS_MS[tries] ?? LAST_RETRY_DELAY_MS, () => void check(mine, tries + 1));
  };

  return {
    get state() {
      return state;
    },
    connect() {
      void check(begin(), 0);
    },
    close: async () => {
      begin();
    },
    forget: (farewell) => forgetNumber(host, graph, farewell),
    business: wabaBusiness(host, graph, client),
    flows: wabaFlows(host, graph),
    send: (order) => sendOrder(host, graph, order),
    templates: templateApi(host, graph),
    operate: (operation) => operate(host, graph, operation),
  };
};

/** What the network says of the number; undefined when it says nothing yet and has to be asked again. Never throws. */
const checkNumber = async (host: ChannelHost, graph: Graph): Promise<LinkReport | undefined> => {
  const credentials = await readCredentials(host);
  if (credentials === "unreadable") return { state: "FAILED", reason: "CREDENTIALS_UNREADABLE" };
  if (credentials === "missing") return { state: "FAILED", reason: "CREDENTIALS_MISSING" };
  const { phoneNumberId, accessToken: token } = credentials;
  const number = await graph({ method: "GET", path: [phoneNumberId], fields: NUMBER_FIELDS, token });
  if (!number.ok) return reportOf(host, number.fault);
  await subscribe(host, graph, credentials);
  return connectedAs(number.json);
};

const reportOf = (host: ChannelHost, fault: GraphFault): LinkReport | undefined => {
  const { code, reason } = failureOf(fault);
  if (code === "WABA_TOKEN_INVALID") return { state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" };
  if (code === "UPSTREAM_BAD_REQUEST") return { state: "FAILED", reason };
  host.log.warn({ channelId: host.channelId, code, reason }, "number could not be checked yet");
  return undefined;
};

const connectedAs = (number: Json): LinkReport => {
  const phoneNumber = phoneNumberOf(number);
  return { state: "CONNECTED", ...(phoneNumber === null ? {} : { phoneNumber }), profile: profileOf(number) };
};

/** Asks for the account's webhooks. Sending works without them, so a refusal is only told to the operator. */
const subscribe = async (host: ChannelHost, graph: Graph, { businessAccountId, accessToken: token }: Credentials): Promise<void> => {
  const result = await graph({ method: "POST", path: [businessAccountId, "subscribed_apps"], token, timeoutMs: COURTESY_TIMEOUT_MS });
  if (!result.ok) host.log.warn({ channelId: host.channelId, reason: failureOf(result.fault).reason }, "webhooks of the account could not be subscribed");
};

/** Takes the number off the network where its owner wants that, and the account's webhooks off where no other channel needs them. Refusals are told to the operator alone. */
const forgetNumber = async (host: ChannelHost, graph: Graph, { deregister, isLastOfAccount }: Farewell): Promise<void> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return;
  const { phoneNumberId, businessAccountId, accessToken: token } = credentials;
  const calls = [
    ...(deregister ? [graph({ method: "POST", path: [phoneNumberId, "deregister"], token, timeoutMs: COURTESY_TIMEOUT_MS })] : []),
    ...(isLastOfAccount ? [graph({ method: "DELETE", path: [businessAccountId, "subscribed_apps"], token, timeoutMs: COURTESY_TIMEOUT_MS })] : []),
  ];
  for (const result of await Promise.all(calls))
    if (!result.ok) host.log.warn({ channelId: host.channelId, reason: failureOf(result.fault).reason }, "the network did not let go of the number");
};

const sendOrder = async (host: ChannelHost, graph: Graph, order: SendOrder): Promise<SendOutcome> => {
  const outcome = voiceRefusal(order) ?? (await postMessage(host, graph, { body: messageBody(order), read: (result) => outcomeOf(order, result) }));
  if (!outcome.ok && outcome.isRateLimit) {
    const { code, upstreamCode, retryAfterMs } = outcome;
    host.log.warn({ channelId: host.channelId, messageId: order.messageId, code, upstreamCode, retryAfterMs }, "upstream rate limit");
  }
  return outcome;
};

const operate = async (host: ChannelHost, graph: Graph, operation: Operation): Promise<OperationOutcome> => {
  const body = operationBody(operation);
  if (!body) return { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: `the network offers no call to ${operation.name} a message` };
  return postMessage(host, graph, { body, read: operationOutcomeOf });
};

/** Posts to the number's messages, and reads the outcome from the answer; without credentials that can be read nothing is posted. */
const postMessage = async <Outcome>(host: ChannelHost, graph: Graph, { body, read }: { body: Json; read(result: GraphResult): Outcome }): Promise<Outcome | SendFailure> => {
  const credentials = await readCredentials(host);
  if (credentials === "unreadable") return { ok: false, kind: "retry", code: "INTERNAL_ERROR", reason: "the channel's credentials could not be read" };
  if (credentials === "missing") return { ok: false, kind: "refused", code: "WABA_CREDS_MISSING", reason: "the channel has no credentials" };
  const { phoneNumberId, accessToken: token } = credentials;
  return read(await graph({ method: "POST", path: [phoneNumberId, "messages"], token, body }));
};
