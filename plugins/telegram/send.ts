import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder } from "../../src/contract/plugin.ts";
import { type Json, recordOf } from "../../src/kernel/texts/json.ts";
import { canonicalOf, type Place, placeOf, pollKeyOf, targetOf } from "./address.ts";
import type { Api, ApiResult, Fault } from "./api.ts";
import { failureOf, never, type SendFailure } from "./errors.ts";
import { textOf } from "./json.ts";
import { audienceOf, replyTo, type Sending, sendingsOf } from "./outbound.ts";
import { openUpload } from "./uploads.ts";
import { keyIn } from "./writers.ts";

const UPLOAD_TIMEOUT_MS = 5 * 60_000;

export type Sender = Pick<ChannelHost, "http" | "random"> & { api: Api; isPublicServer: boolean };

/** The target of messages: a group that has become a supergroup has another id from then on. */
type Target = { place: Place; reply: Json; audience: Json };

/** `pollKey`: the second key of a message with a poll, which its votes name. */
type Sent = { key: ProviderMessageId; place: Place; pollKey?: ProviderMessageId };

/**
 * Sends a message. Once the first of several parts has arrived it is never tried again, and the reason names the
 * missing part.
 */
export const sendOrder = async (sender: Sender, order: SendOrder): Promise<SendOutcome> => {
  const place = placeOf(order.to);
  if (!place) return never("the recipient is not a chat of this network");
  const sendings = sendingsOf(order);
  if ("refusal" in sendings) return never(sendings.refusal);
  const audience = audienceOf(order, sendings);
  if ("refusal" in audience) return never(String(audience["refusal"]));
  const [first, ...others] = sendings;
  const sent = await sendOne(sender, first, { place, reply: replyTo(order.quotedProviderMessageId), audience });
  if ("ok" in sent) return sent;
  const furtherKeys: ProviderMessageId[] = sent.pollKey === undefined ? [] : [sent.pollKey];
  for (const sending of others) {
    const followed = await sendOne(sender, sending, { place: sent.place, reply: {}, audience });
    if ("ok" in followed) return partlySent(followed, [sent.key, ...furtherKeys]);
    furtherKeys.push(followed.key);
  }
  return {
    ok: true,
    key: sent.key,
    recipient: canonicalOf(sent.place),
    ...(furtherKeys.length > 0 ? { furtherKeys } : {}),
  };
};

const partlySent = (
  { code, reason, upstreamCode }: SendFailure,
  furtherKeys: readonly ProviderMessageId[],
): SendFailure => ({
  ok: false,
  kind: "refused",
  code,
  reason: `${furtherKeys.length} of several parts were sent, the next was not: ${reason}`,
  furtherKeys,
  ...(upstreamCode === undefined ? {} : { upstreamCode }),
});

/** A group that has moved is followed once: https://core.telegram.org/bots/api#responseparameters. */
const sendOne = async (sender: Sender, sending: Sending, target: Target): Promise<Sent | SendFailure> => {
  const sent = await tryOne(sender, sending, target);
  const movedTo = "fault" in sent ? migratedTo(sent.fault) : undefined;
  const outcome =
    movedTo === undefined ? sent : await tryOne(sender, sending, { ...target, place: { chatId: movedTo } });
  return "fault" in outcome ? failureOf(outcome.fault) : outcome;
};

const migratedTo = (fault: Fault): string | undefined => (fault.kind === "error" ? fault.migratedTo : undefined);

const tryOne = async (
  sender: Sender,
  { method, fields, file }: Sending,
  { place, reply, audience }: Target,
): Promise<Sent | SendFailure | { fault: Fault }> => {
  const ready = await openUpload(sender, {
    method,
    fields: { ...targetOf(place), ...reply, ...audience, ...fields },
    ...(file ? { file } : {}),
  });
  if ("ok" in ready) return ready;
  return sentIn(place, await sender.api({ ...ready, ...(ready.body ? { timeoutMs: UPLOAD_TIMEOUT_MS } : {}) }));
};

/** A success without an id is final: the network accepted the message, so a repeat could double it. */
const sentIn = (place: Place, result: ApiResult): Sent | SendFailure | { fault: Fault } => {
  if (!result.ok) return { fault: result.fault };
  const message = recordOf(result.result);
  const key = keyIn(message, place);
  const pollId = textOf(recordOf(message["poll"])["id"]);
  if (key !== undefined)
    return {
      key,
      place,
      ...(pollId === undefined ? {} : { pollKey: pollKeyOf(pollId) }),
    };
  return {
    ok: false,
    kind: "refused",
    code: "UPSTREAM_NO_ID",
    reason: "the network accepted the message without an id",
  };
};
