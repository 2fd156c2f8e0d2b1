import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { SendOrder } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/json.ts";
import type { GraphResult } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { scopedIdOf } from "./address.ts";
import { failureOf } from "./errors.ts";

type Sendable = Extract<SendOrder, { type: "text" | "image" | "video" | "audio" }>;

/**
 * The bodies of `POST /{account}/messages` that make up one message, in their order: a file has no caption on this
 * network, so that one goes after it as a text of its own.
 */
export const messageBodies = (order: SendOrder): [first: Json, caption?: Json] => {
  const { type, content } = order as Sendable; // the core has checked the type against our capabilities
  if (type === "text") return [{ text: content.text }];
  const file = { attachment: { type, payload: { url: content.mediaUrl } } };
  return "caption" in content && content.caption ? [file, { text: content.caption }] : [file];
};

export const messageTo = (to: string, message: Json): Json => ({ recipient: { id: scopedIdOf(to) }, message });

/**
 * What the answer to a send means. A success without an id is final: the network took something, so a repeat could
 * double it.
 */
export const outcomeOf = (result: GraphResult): SendOutcome => {
  if (!result.ok) return failureOf(result.fault);
  const key = textOf(result.json["message_id"]);
  if (key === undefined)
    return {
      ok: false,
      kind: "refused",
      code: "UPSTREAM_NO_ID",
      reason: "the network accepted the message without an id",
    };
  return { ok: true, key: key as ProviderMessageId };
};
