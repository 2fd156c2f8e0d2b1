import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { SendOrder } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { SendFailure } from "../meta/fault.ts";
import type { GraphResult } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import type { Page } from "./calls.ts";
import { failureOf } from "./errors.ts";
import { bodyOf, type Message, messagesOf } from "./outbound.ts";
import type { Uploads } from "./uploads.ts";

/** Posts to the messages of the page. */
export const callMessages = ({ graph, pageId, accessToken: token }: Page, body: Json): Promise<GraphResult> =>
  graph({ method: "POST", path: [pageId, "messages"], token, body });

/**
 * Sends a message, which may be several at the network: a file and its caption, or a header's file and the buttons. Once
 * the first has arrived, the message is never tried again, and the failure names the missing part.
 */
export const sendOrder = async (page: Page, uploads: Uploads, order: SendOrder): Promise<SendOutcome> => {
  const messages = messagesOf(order);
  if ("ok" in messages) return messages;
  const [first, ...others] = messages;
  const sent = await sendOne(page, uploads, { order, part: first, isFirst: true });
  if (!sent.ok) return sent;
  const furtherKeys: ProviderMessageId[] = [];
  for (const part of others) {
    const outcome = await sendOne(page, uploads, { order, part, isFirst: false });
    if (!outcome.ok) return partly([sent.key, ...furtherKeys], outcome);
    furtherKeys.push(outcome.key);
  }
  return furtherKeys.length > 0 ? { ...sent, furtherKeys } : sent;
};

type Sending = { order: SendOrder; part: Message; isFirst: boolean };

const sendOne = async (
  page: Page,
  uploads: Uploads,
  { order, part: { message, kept }, isFirst }: Sending,
): Promise<Extract<SendOutcome, { ok: true }> | SendFailure> => {
  const uploaded = kept ? await uploads.messageOf(page, kept) : message;
  if ("ok" in uploaded) return uploaded as SendFailure;
  return outcomeOf(await callMessages(page, bodyOf(order, uploaded, isFirst)));
};

/** A success without an id is final: the network accepted the message, so a repeat could double it. */
const outcomeOf = (result: GraphResult): Extract<SendOutcome, { ok: true }> | SendFailure => {
  if (!result.ok) return failureOf(result.fault);
  const key = textOf(result.json["message_id"]);
  if (key !== undefined) return { ok: true, key: key as ProviderMessageId };
  return {
    ok: false,
    kind: "refused",
    code: "UPSTREAM_NO_ID",
    reason: "the network accepted the message without an id",
  };
};

/** The failure of a message whose first part has arrived. */
const partly = (furtherKeys: ProviderMessageId[], { code, reason, upstreamCode, kind }: SendFailure): SendFailure => ({
  ok: false,
  kind: "refused",
  code,
  reason: `the file was sent, ${kind === "unknown" ? "and perhaps its text" : "its text was not"}: ${reason}`,
  furtherKeys,
  ...(upstreamCode === undefined ? {} : { upstreamCode }),
});
