import { AppError, type CoreCode, invalid } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { ownValue } from "../../kernel/texts/json.ts";
import { sessionWords } from "../shared/channel-words.ts";
import { REASONS, STATUS_OF } from "../shared/compatible/errors.ts";
import type { Fault } from "../shared/http/faults.ts";
import { LONG_TARGET_MESSAGE } from "../shared/http/paths.ts";

/** TABLE: the statuses that WAHA's clients expect where other programs have others. */
const OWN_STATUS: Partial<Record<CoreCode, number>> = {
  CHANNEL_NOT_CONNECTED: 422,
  CHANNEL_ALREADY_CONNECTED: 422,
  CHANNEL_EXISTS: 422,
  PAIRING_UNAVAILABLE: 422,
  PAIRING_IN_PROGRESS: 422,
  PAIRING_NOT_READY: 422,
};

type Parts = { message: string | readonly string[]; headers?: Record<string, string> };

/** An error in WAHA's shape. */
export const refuse = (status: number, { message, headers = {} }: Parts): Response =>
  Response.json({ statusCode: status, message, error: REASONS[status] ?? "Error" }, { status, headers });

/** TABLE: the core's fields as WAHA's clients send them; other paths are already the client's own. */
const FIELDS: readonly (readonly [field: RegExp, own: string])[] = [
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
const fieldOf = (path: string): string => FIELDS.reduce((named, [field, own]) => named.replace(field, own), path);

/** A refusal with the client's own names for these fields, where they depend on the content. */
export const refusalNaming =
  (names: Readonly<Record<string, string>>) =>
  (refusal: unknown): never => {
    if (!(refusal instanceof AppError) || refusal.issues.length === 0) throw refusal;
    throw invalid(...refusal.issues.map((one) => ({ ...one, path: ownValue(names, one.path) ?? one.path })));
  };

const textsOf = (issues: readonly Issue[]): string[] =>
  issues.map(({ path, message }) => (path === "" ? message : `${fieldOf(path)} ${message}`)).map(sessionWords);

const refused = (error: AppError): Response => {
  const text = error.code === "UPSTREAM_REFUSED" ? error.message : sessionWords(error.message);
  return refuse(OWN_STATUS[error.code] ?? STATUS_OF[error.code], {
    message: error.issues.length > 0 ? textsOf(error.issues) : text,
    headers: error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) },
  });
};

/** The response to an error of any kind. `asked`: the method and path, for the refusal of an unknown route. */
export const faultResponse = (fault: Fault, asked: string): Response => {
  switch (fault.kind) {
    case "refused":
      return refused(fault.error);
    case "invalid":
      return refuse(400, { message: textsOf(fault.issues) });
    case "malformed":
      return refuse(400, { message: fault.message });
    case "too-large":
      return refuse(413, { message: "The body is too large." });
    case "long-target":
      return refuse(414, { message: LONG_TARGET_MESSAGE });
    case "no-route":
      return refuse(404, { message: `Cannot ${asked}` });
    case "broken":
      return refuse(500, { message: "Something went wrong on our side." });
  }
};
