import type { WebhookRequest } from "../../../src/contract/webhooks.ts";
import { isRecord, parsedJson } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../values.ts";

/** More than a message of a hundred files has. Strangers send these bytes before a signature is known. */
const MAX_FIELDS = 500;
const AMPERSAND = 0x26;

export const isJson = (headers: Headers): boolean => /^application\/json\b/i.test(headers.get("content-type") ?? "");

/** The pairs of a form, in their order; undefined for too many. */
export const pairsOf = (rawBody: Uint8Array): [string, string][] | undefined => {
  let count = 1;
  for (let at = rawBody.indexOf(AMPERSAND); at !== -1; at = rawBody.indexOf(AMPERSAND, at + 1)) {
    count += 1;
    if (count > MAX_FIELDS) return undefined;
  }
  return [...new URLSearchParams(new TextDecoder().decode(rawBody))];
};

/** The fields of a request by name, of a form or a flat JSON object. */
export const fieldsOf = ({ headers, rawBody }: WebhookRequest): ReadonlyMap<string, string> => {
  if (!isJson(headers)) return new Map(pairsOf(rawBody));
  const json = parsedJson(new TextDecoder().decode(rawBody));
  if (!isRecord(json)) return new Map();
  return new Map(
    Object.entries(json).flatMap(([name, value]) => {
      const text = typeof value === "number" ? String(value) : textOf(value);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
};
