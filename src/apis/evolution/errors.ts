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
