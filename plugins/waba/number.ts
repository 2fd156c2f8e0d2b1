import type { LinkReport } from "../../src/contract/events.ts";
import { type Json, recordOf } from "../../src/kernel/json.ts";
import type { Graph, GraphResult } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";

/** What is asked about a number wherever it is met. */
export const NUMBER_FIELDS = ["id", "display_phone_number", "verified_name", "quality_rating", "throughput"];

export const readNumber = (graph: Graph, phoneNumberId: string, token: string): Promise<GraphResult> =>
  graph({ method: "GET", path: [phoneNumberId], fields: NUMBER_FIELDS, token });

/** What there is to report of a number that the network has described. */
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
});
