import { iso } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/texts/json.ts";
import { instanceWords } from "../shared/channel-words.ts";
import { type ErrorForm, errorsOf } from "../shared/compatible/errors.ts";

/** TABLE: the core's fields as Evolution's clients send them; other paths are already the client's own. */
const FIELDS: ErrorForm["fields"] = [
  [/^content\.mimeType$/, "mimetype"],
  [/^content\.filename$/, "fileName"],
  [/^content\.question$/, "name"],
  [/^content\.options/, "values"],
  [/^content\.maxSelections$/, "selectableCount"],
  [/^content\.mentions/, "mentioned"],
  [/^content\.contacts\.(\d+)\.name$/, "contact.$1.fullName"],
  [/^content\.contacts\.(\d+)\.phone$/, "contact.$1.phoneNumber"],
  [/^content\.contacts/, "contact"],
  [/^content\.(cards\.\d+)\.text$/, "$1.body"],
  [/^content\.(cards\.\d+)\.header\.mediaUrl$/, "$1.imageUrl"],
  [/^content\.((?:cards\.\d+\.)?buttons\.\d+)\.text$/, "$1.displayText"],
  [/^content\.(cards\.\d+\.buttons\.\d+)\.code$/, "$1.copyCode"],
  [/^rejectCallsText$/, "msgCall"],
  [/^content\.(sections\.\d+\.rows\.\d+)\.id$/, "$1.rowId"],
  [/^content\./, ""],
];

/** Errors in Evolution's shape. */
export const { refuse, faultResponse } = errorsOf({
  bodyOf: ({ status, reason, message }) => ({ status, error: reason, response: { message } }),
  words: instanceWords,
  fields: FIELDS,
  hasListsOnly: true,
});

/**
 * The refusal of a template by the network, as Evolution hands it on: in its own words and with its codes. `context`:
 * Evolution's name of the act.
 */
export const networkRefusal = (error: Json, { context, at }: { context: string; at: number }): Response => {
  const said = error["message"] ?? "Unknown error";
  const [title, text] = [error["error_user_title"] ?? said, error["error_user_msg"] ?? said];
  const details = {
    whatsapp_error: text,
    whatsapp_code: error["code"] ?? "UNKNOWN_ERROR",
    error_user_title: title,
    error_user_msg: text,
    error_type: "UNKNOWN",
    error_subcode: error["error_subcode"] ?? null,
    fbtrace_id: null,
    context,
    type: "whatsapp_api_error",
  };
  const body = { status: 400, error: "Bad Request", message: title, details, timestamp: iso(at) };
  return Response.json({ ...body, response: { message: [text] } }, { status: 400 });
};
