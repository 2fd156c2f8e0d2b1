import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { SendFailure } from "../meta/fault.ts";
import type { Graph, GraphResult } from "../meta/graph.ts";
import { type Credentials, FAILURE_WITHOUT, readCredentials } from "./credentials.ts";
import { bodyOf, isSeveralRefused, outcomeOf, partsOf, refusalOf } from "./outbound.ts";

/** Posts to the messages of an account. */
export const callMessages = (
  graph: Graph,
  { igUserId, accessToken: token }: Credentials,
  body: Json,
): Promise<GraphResult> => graph({ method: "POST", path: [igUserId, "messages"], token, body });

/**
 * Sends a message, which may be several at the network: a file and its caption, or images one by one. Once the first
 * has arrived, the message is never tried again, and the failure names the missing part.
 */
export const sendOrder = async (host: ChannelHost, graph: Graph, order: SendOrder): Promise<SendOutcome> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return FAILURE_WITHOUT[credentials];
  const refusal = refusalOf(order);
  if (refusal) return refusal;
  const post = (message: Json, isFirst: boolean) => callMessages(graph, credentials, bodyOf(order, message, isFirst));
  const { messages, singly } = partsOf(order);
  const [first = {}, ...others] = messages;
  const result = await post(first, true);
  if (!singly || !isSeveralRefused(result)) return sendRest(outcomeOf(result), others, post);
  host.log.info({ channelId: host.channelId }, "the network takes no message with several images yet: sent singly");
  const [firstImage = {}, ...rest] = singly;
  return sendRest(outcomeOf(await post(firstImage, true)), rest, post);
};

const sendRest = async (
  first: SendOutcome,
  others: readonly Json[],
  post: (message: Json, isFirst: boolean) => Promise<GraphResult>,
): Promise<SendOutcome> => {
  if (!first.ok) return first;
  const furtherKeys: ProviderMessageId[] = [];
  for (const message of others) {
    const outcome = outcomeOf(await post(message, false));
    if (!outcome.ok) return partly([first.key, ...furtherKeys], outcome, "text" in message);
    furtherKeys.push(outcome.key);
  }
  return furtherKeys.length > 0 ? { ...first, furtherKeys } : first;
};

/** The failure of a message whose first parts have arrived. */
const partly = (
  furtherKeys: ProviderMessageId[],
  { code, reason, upstreamCode, kind }: SendFailure,
  isCaption: boolean,
): SendFailure => {
  const sent = isCaption || furtherKeys.length === 1 ? "the file was sent" : `${furtherKeys.length} files were sent`;
  const missing = isCaption ? "its caption" : "the next one";
  return {
    ok: false,
    kind: "refused",
    code,
    reason: `${sent}, ${kind === "unknown" ? `and perhaps ${missing}` : `${missing} was not`}: ${reason}`,
    furtherKeys,
    ...(upstreamCode === undefined ? {} : { upstreamCode }),
  };
};
