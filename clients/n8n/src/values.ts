import type { Json } from "n8n-workflow";

/** A request of the gateway API; `path` begins with `/v1`. Absent values are not sent. */
export type Call = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  query?: Json;
  body?: Json;
  /** Of a POST: a repeat under the same key does nothing, and gets the first answer. */
  idempotencyKey?: string | undefined;
};
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value says something: n8n gives an empty text for a field that nobody has filled. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** The fields that say something. */
export const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
