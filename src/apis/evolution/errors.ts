import type { AppError } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { instanceWords } from "../shared/channel-words.ts";
import { REASONS, STATUS_OF } from "../shared/compatible/errors.ts";
import type { Fault } from "../shared/http/faults.ts";
import { LONG_TARGET_MESSAGE } from "../shared/http/paths.ts";

type Parts = { message: string | readonly string[]; headers?: Record<string, string> };

/** An error in Evolution's shape. */
export const refuse = (status: number, { message, headers = {} }: Parts): Response =>
  Response.json({ status, error: REASONS[status] ?? "Error", response: { message } }, { status, headers });

/** TABLE: the core's fields as Evolution's clients send them; other paths are already the client's own. */
const FIELDS: readonly (readonly [field: RegExp, own: string])[] = [
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
const fieldOf = (path: string): string => FIELDS.reduce((named, [field, own]) => named.replace(field, own), path);

const textsOf = (issues: readonly Issue[]): string[] =>
  issues.map(({ path, message }) => (path === "" ? message : `${fieldOf(path)} ${message}`)).map(instanceWords);

const refused = (error: AppError): Response => {
  const text = error.code === "UPSTREAM_REFUSED" ? error.message : instanceWords(error.message);
  return refuse(STATUS_OF[error.code], {
    message: error.issues.length > 0 ? textsOf(error.issues) : [text],
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
      return refuse(400, { message: [fault.message] });
    case "too-large":
      return refuse(413, { message: ["The body is too large."] });
    case "long-target":
      return refuse(414, { message: [LONG_TARGET_MESSAGE] });
    case "no-route":
      return refuse(404, { message: [`Cannot ${asked}`] });
    case "broken":
      return refuse(500, { message: ["Something went wrong on our side."] });
  }
};
