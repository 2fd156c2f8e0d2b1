import { type CallUpdate, type ChannelEvent, type Identity, isKnown } from "../../../src/contract/events.ts";
import { isUuid } from "../../../src/kernel/ids.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { upstreamText } from "../../meta/fault.ts";
import { numberOf, textOf } from "../../meta/json.ts";
import { type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./change.ts";
import { senderOf } from "./people.ts";

/** Reads the field `calls`: calls that come in, answers, ends, and the progress of our calls. */
export const callsOf: ChangeReader = ({ value, contacts }) => [
  ...listOf(value["calls"]).map((call) => callEvent(recordOf(call), contacts, listOf(value["errors"]).map(recordOf))),
  ...listOf(value["statuses"]).map((status) => statusEvent(recordOf(status))),
];

type Head = Pick<CallUpdate, "kind" | "at" | "nativeId" | "callId">;

/**
 * The common fields of a call's updates; undefined without the network's id of the call. Another program on the same
 * number may add its own data.
 */
const headOf = (fields: Json): Head | undefined => {
  const nativeId = textOf(fields["id"]);
  const callId = textOf(fields["biz_opaque_callback_data"]);
  if (nativeId === undefined) return undefined;
  return {
    kind: "call",
    at: millisecondsOf(fields["timestamp"]),
    nativeId,
    ...(callId !== undefined && isUuid(callId) ? { callId } : {}),
  };
};

const callEvent = (call: Json, contacts: readonly Json[], errors: readonly Json[]): ChannelEvent => {
  const head = headOf(call);
  const event = textOf(call["event"]);
  if (!head) return unknownEvent(millisecondsOf(call["timestamp"]), "call without an id");
  if (event === "connect") return connectEvent(call, head, contacts);
  if (event === "terminate") return { ...head, ...endOf(call, errors) };
  return unknownEvent(head.at, `call ${nameOf(event)}`);
};

const connectEvent = (call: Json, head: Head, contacts: readonly Json[]): ChannelEvent => {
  const sdp = textOf(recordOf(call["session"])["sdp"]);
  if (sdp === undefined) return unknownEvent(head.at, "call connect without a session");
  if (call["direction"] === "BUSINESS_INITIATED")
    return { ...head, what: "connect", direction: "OUTBOUND", sdpAnswer: sdp };
  const { identity: from } = senderOf(call, contacts);
  return isKnown(from)
    ? { ...head, what: "connect", direction: "INBOUND", from, sdpOffer: sdp }
    : unknownEvent(head.at, "call connect without a caller");
};

/** Times and duration are there only when the call was answered. */
const endOf = (call: Json, errors: readonly Json[]) => {
  const [error] = [...listOf(call["errors"]).map(recordOf), ...errors];
  const reason =
    error &&
    upstreamText(
      numberOf(error["code"]) ?? 0,
      textOf(error["title"]) ?? textOf(error["message"]),
      textOf(recordOf(error["error_data"])["details"]),
    );
  return {
    what: "ended",
    isFailure: call["status"] === "FAILED",
    startedAt: millisecondsOf(call["start_time"]) || null,
    endedAt: millisecondsOf(call["end_time"]) || null,
    durationSeconds: wholeSeconds(call["duration"]),
    ...(reason === undefined ? {} : { reason }),
  } as const;
};

const MAX_SECONDS = 1_000_000_000;

const wholeSeconds = (value: unknown): number | null => {
  const seconds = Math.round(numberOf(value) ?? -1);
  return seconds >= 0 && seconds <= MAX_SECONDS ? seconds : null;
};

const STATUSES: ReadonlyMap<unknown, "ringing" | "accepted" | "rejected"> = new Map([
  ["RINGING", "ringing"],
  ["ACCEPTED", "accepted"],
  ["REJECTED", "rejected"],
]);

const statusEvent = (status: Json): ChannelEvent => {
  const head = headOf(status);
  const what = STATUSES.get(status["status"]);
  return head && what
    ? { ...head, what }
    : unknownEvent(
        millisecondsOf(status["timestamp"]),
        head ? `call status ${nameOf(status["status"])}` : "call status without an id",
      );
};

/** The call permission in a message, an event beside the message itself. */
export const permissionUpdateOf = (message: Json, from: Identity): ChannelEvent[] => {
  const {
    response,
    is_permanent: isPermanent,
    expiration_timestamp: expiration,
  } = recordOf(recordOf(message["interactive"])["call_permission_reply"]);
  if (!isKnown(from) || (response !== "accept" && response !== "reject")) return [];
  const expiresAt = isPermanent === true ? null : millisecondsOf(expiration) || null;
  return [
    {
      kind: "call-permission",
      at: millisecondsOf(message["timestamp"]),
      from,
      isGranted: response === "accept",
      expiresAt,
    },
  ];
};
