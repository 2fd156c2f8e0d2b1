import type { LinkReport } from "../../src/contract/events.ts";
import { type Json, recordOf } from "../../src/kernel/texts/json.ts";
import type { GraphFault } from "../meta/fault.ts";
import type { Graph, GraphResult } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";

/** The fields of a number that every request asks for. */
export const NUMBER_FIELDS = ["id", "display_phone_number", "verified_name", "quality_rating", "throughput"];
/** Fields since 2025. A version of the network's API that lacks one of them refuses the whole question. */
const NEWER_FIELDS = ["whatsapp_business_manager_messaging_limit", "health_status"];
const INVALID_PARAMETER = 100;

/** Requests the number. If the network does not know the newer fields, it is asked only for the others. */
export const readNumber = async (graph: Graph, phoneNumberId: string, token: string): Promise<GraphResult> => {
  const ask = (fields: readonly string[]) => graph({ method: "GET", path: [phoneNumberId], fields, token });
  const number = await ask([...NUMBER_FIELDS, ...NEWER_FIELDS]);
  return !number.ok && isFieldUnknown(number.fault) ? ask(NUMBER_FIELDS) : number;
};

const isFieldUnknown = (fault: GraphFault): boolean =>
  fault.kind === "error" && fault.code === INVALID_PARAMETER && fault.text.includes("nonexisting field");

/** The report of a number that the network has described. */
export const connectedAs = (number: Json): LinkReport => {
  const phoneNumber = phoneNumberOf(number);
  return { state: "CONNECTED", ...(phoneNumber === null ? {} : { phoneNumber }), profile: profileOf(number) };
};

export const phoneNumberOf = (number: Json): string | null =>
  textOf(number["display_phone_number"])?.replace(/\D/g, "") || null;

/** The fields of a number that an API shows. */
export const profileOf = (number: Json): Record<string, unknown> => ({
  wabaQualityRating: textOf(number["quality_rating"]) ?? null,
  wabaThroughputLevel: textOf(recordOf(number["throughput"])["level"]) ?? null,
  wabaVerifiedName: textOf(number["verified_name"]) ?? null,
  ...limitIn(number),
  ...healthIn(recordOf(number["health_status"])),
});

/** The number of new people to whom the portfolio may write in 24 hours; nothing if the network does not say it. */
const limitIn = (number: Json): Record<string, unknown> => {
  const limit = textOf(number["whatsapp_business_manager_messaging_limit"]);
  return limit === undefined ? {} : limitProfile(limit);
};

/** The limit as the network names it, and as the number that batches respect; null for an unlimited one. */
export const limitProfile = (limit: string): Record<string, unknown> => ({
  wabaMessagingLimit: limit,
  newPeoplePerDay: peopleOf(limit),
});

const THOUSAND = 1000;

/** `TIER_2K`, `TIER_250`, or a plain number; null for `TIER_UNLIMITED`, and for an unknown tier. */
const peopleOf = (limit: string): number | null => {
  const [, digits, thousands] = /^(?:TIER_)?(\d{1,9})(K?)$/.exec(limit) ?? [];
  return digits === undefined ? null : Number(digits) * (thousands ? THOUSAND : 1);
};

/** Whether the number may send, and why not. A number that may send no longer has a problem. */
const healthIn = (health: Json): Record<string, unknown> => {
  const state = textOf(health["can_send_message"]);
  if (state === undefined) return {};
  return { wabaCanSend: state, ...(state === "AVAILABLE" ? { wabaSendProblem: null } : {}) };
};
