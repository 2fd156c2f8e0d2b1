import type { InboundContent } from "../../../src/contract/content/inbound-content.ts";
import { iso } from "../../../src/kernel/clock.ts";
import { type Json, parsedJson, recordOf } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../../meta/json.ts";
import { millisecondsOf } from "./change.ts";

type Reader = (reply: Json) => InboundContent | undefined;

/** A choice. A template's quick reply without a payload of its own has its label in both places; so do we. */
export const replyOf: Reader = ({ id, title, description }) => {
  const selectedId = textOf(id) ?? textOf(title);
  const more = textOf(description);
  return selectedId === undefined
    ? undefined
    : {
        type: "button_reply",
        content: { selectedId, text: textOf(title) ?? selectedId, ...(more ? { description: more } : {}) },
      };
};

/** A completed form: a flow, or an address. The answers come as JSON inside a text. */
const formOf: Reader = ({ name, body, response_json: response }) => {
  if (textOf(response) === undefined) return undefined;
  const text = textOf(body);
  return {
    type: "flow_reply",
    content: { name: textOf(name) ?? "flow", ...(text ? { text } : {}), response: parsed(response) },
  };
};

/** The customer's answers, in any form: text that is not JSON, or is too long, stays a text. */
const parsed = (response: unknown): unknown => {
  const value = parsedJson(String(response));
  return value === undefined ? response : value;
};

const permissionOf: Reader = ({
  response,
  is_permanent: isPermanent,
  expiration_timestamp: expiration,
  response_source: source,
}) => {
  if (response !== "accept" && response !== "reject") return undefined;
  const expiresAt = millisecondsOf(expiration);
  const from = textOf(source);
  return {
    type: "call_permission_reply",
    content: {
      response,
      isPermanent: isPermanent === true,
      expiresAt: expiresAt > 0 ? iso(expiresAt) : null,
      ...(from ? { source: from } : {}),
    },
  };
};

const paymentOf: Reader = ({ reference_id: reference, credential_id: credential, last_four_digits: digits }) => {
  const referenceId = textOf(reference);
  return referenceId === undefined
    ? undefined
    : {
        type: "payment_method",
        content: { referenceId, credentialId: textOf(credential) ?? null, lastFourDigits: textOf(digits) ?? null },
      };
};

/** TABLE: the possible answers to an interactive message. */
const READERS: ReadonlyMap<unknown, Reader> = new Map([
  ["button_reply", replyOf],
  ["list_reply", replyOf],
  ["nfm_reply", formOf],
  ["call_permission_reply", permissionOf],
  ["payment_method", paymentOf],
]);

export const interactiveReply: Reader = (payload) =>
  READERS.get(payload["type"])?.(recordOf(payload[String(payload["type"])]));
