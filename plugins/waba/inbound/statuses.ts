import { type ChannelEvent, isKnown, type ProviderMessageId, type Receipt } from "../../../src/contract/events.ts";
import { isUuid } from "../../../src/kernel/ids.ts";
import { isAmount, microsOf } from "../../../src/kernel/numbers/money.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { upstreamText } from "../../meta/fault.ts";
import { numberOf, textOf } from "../../meta/json.ts";
import { isFormatRefused, misfitOf, refusalCodeOf } from "../errors.ts";
import { millisecondsOf, nameOf, unknownEvent } from "./change.ts";
import { isOfGroup, statusRecipient } from "./people.ts";

/** `played` is a voice message that was listened to: more than read, but the gateway has no word for it. */
const STATUSES: ReadonlyMap<unknown, Receipt["status"]> = new Map([
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["played", "read"],
  ["failed", "failed"],
]);

/**
 * The receipt of a message. A group message has one per participant: the first one counts, and a failure for one
 * participant is not a failure of the message.
 */
export const statusEvent = (fields: Json, contacts: readonly Json[]): ChannelEvent => {
  const at = millisecondsOf(fields["timestamp"]);
  const key = textOf(fields["id"]);
  const status = STATUSES.get(fields["status"]);
  if (key === undefined || status === undefined)
    return unknownEvent(at, key === undefined ? "status without an id" : `status ${nameOf(fields["status"])}`);
  const to = statusRecipient(fields, contacts);
  if (status === "failed" && isOfGroup(fields) && isKnown(to))
    return unknownEvent(at, "failure for one participant of a group");
  const messageId = textOf(fields["biz_opaque_callback_data"]);
  return {
    kind: "receipt",
    key: key as ProviderMessageId,
    at,
    status,
    // another program on the same number may add its own data
    ...(messageId !== undefined && isUuid(messageId) ? { messageId } : {}),
    ...(isKnown(to) ? { to } : {}),
    ...(status === "failed" ? { error: errorOf(recordOf(listOf(fields["errors"])[0])) } : {}),
    ...pricingOf(recordOf(fields["pricing"])),
  };
};

const errorOf = (error: Json): NonNullable<Receipt["error"]> => {
  const code = numberOf(error["code"]) ?? 0;
  const reason = upstreamText(
    code,
    textOf(error["title"]) ?? textOf(error["message"]),
    textOf(recordOf(error["error_data"])["details"]),
  );
  const failure = refusalCodeOf(code);
  return {
    code,
    reason,
    ...(isFormatRefused(code, reason) ? { isFormatRefused: true } : {}),
    ...misfitOf(code),
    ...(failure === "UPSTREAM_BAD_REQUEST" ? {} : { failure }),
  };
};

/**
 * `billable` will be removed; the type has the same information: free types have names of their own, and an unknown
 * type is not free. An exempt business pays nothing, although the type is regular.
 */
const pricingOf = ({ billable, type, subtype, category, cost }: Json): Pick<Receipt, "pricing"> => {
  const name = textOf(category);
  if (name === undefined) return {};
  const typeName = textOf(subtype) === EXEMPT ? EXEMPT : textOf(type);
  return {
    pricing: {
      isBillable: typeName !== EXEMPT && (typeof billable === "boolean" ? billable : !FREE.test(typeName ?? "")),
      category: name,
      ...(typeName === undefined ? {} : { type: typeName }),
      ...costOf(recordOf(cost)),
    },
  };
};

const EXEMPT = "paid_exempt";
const FREE = /^free_/i;

/** An amount that is not a decimal is left out: the price list then has the price. */
const costOf = ({ amount, currency }: Json): Pick<NonNullable<Receipt["pricing"]>, "cost"> => {
  const decimal = typeof amount === "number" ? String(amount) : textOf(amount);
  const code = textOf(currency);
  return decimal !== undefined && code !== undefined && isAmount(decimal)
    ? { cost: { micros: microsOf(decimal), currency: code } }
    : {};
};
