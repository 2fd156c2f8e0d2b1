import { AppError, type CoreCode, invalid } from "../../kernel/errors.ts";
import { ownValue } from "../../kernel/texts/json.ts";
import { sessionWords } from "../shared/channel-words.ts";
import { type ErrorForm, errorsOf } from "../shared/compatible/errors.ts";

/** TABLE: the statuses that WAHA's clients expect where other programs have others. */
const OWN_STATUS: Partial<Record<CoreCode, number>> = {
  CHANNEL_NOT_CONNECTED: 422,
  CHANNEL_ALREADY_CONNECTED: 422,
  CHANNEL_EXISTS: 422,
  PAIRING_UNAVAILABLE: 422,
  PAIRING_IN_PROGRESS: 422,
  PAIRING_NOT_READY: 422,
};

/** TABLE: the core's fields as WAHA's clients send them; other paths are already the client's own. */
const FIELDS: ErrorForm["fields"] = [
  [/^to$/, "chatId"],
  [/^audience/, "contacts"],
  [/^quotedMessageId$/, "reply_to"],
  [/^proxy$/, "config.proxy.server"],
  [/^content\.mimeType$/, "file.mimetype"],
  [/^content\.filename$/, "file.filename"],
  [/^content\.question$/, "poll.name"],
  [/^content\.options/, "poll.options"],
  [/^content\.maxSelections$/, "poll.multipleAnswers"],
  [/^content\.contacts\.(\d+)\.name$/, "contacts.$1.fullName"],
  [/^content\.contacts\.(\d+)\.phone$/, "contacts.$1.phoneNumber"],
  [/^content\.(sections\.\d+\.rows\.\d+)\.id$/, "message.$1.rowId"],
  [/^content\.sections/, "message.sections"],
  [/^content\./, ""],
];
/** A refusal with the client's own names for these fields, where they depend on the content. */
export const refusalNaming =
  (names: Readonly<Record<string, string>>) =>
  (refusal: unknown): never => {
    if (!(refusal instanceof AppError) || refusal.issues.length === 0) throw refusal;
    throw invalid(...refusal.issues.map((one) => ({ ...one, path: ownValue(names, one.path) ?? one.path })));
  };

/** Errors in WAHA's shape. */
export const { refuse, faultResponse } = errorsOf({
  bodyOf: ({ status, reason, message }) => ({ statusCode: status, message, error: reason }),
  words: sessionWords,
  fields: FIELDS,
  ownStatus: OWN_STATUS,
  hasListsOnly: false,
});
