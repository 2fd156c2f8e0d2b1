import { RecadoConnectionError, RecadoError } from "../../../../../clients/typescript/src/errors.ts";
import { type CodeWithText, codeTexts } from "../texts/code-texts.ts";
import { frameTexts } from "../texts/texts.ts";

/** The text of an error for a person. `detail`: the server's own words. */
export type FailureText = { text: string; detail?: string; requestId?: string };

/** The meaning of an error. The server's messages are English sentences, which stand below the console's text. */
export const failureText = (error: unknown): FailureText => {
  const t = frameTexts();
  if (error instanceof RecadoConnectionError || error instanceof TypeError) return { text: t.unreachable };
  if (!(error instanceof RecadoError)) return { text: t.failed, detail: String(error) };
  const { status, code, message, requestId } = error;
  const known = codeTexts()[code as CodeWithText];
  if (known !== undefined) return { text: known };
  const id = requestId === undefined ? {} : { requestId };
  if (status === 429) return { text: t.tooMany };
  if (status === 404) return { text: t.gone, detail: message };
  if (status === 403) return { text: t.denied, detail: message };
  if (status >= 500) return { text: t.server, detail: message, ...id };
  return { text: t.failed, detail: message };
};

/** The faults of a form's fields, by their names: those of `details.fieldErrors` of a refusal. */
export const fieldFaults = (error: unknown): Readonly<Record<string, readonly string[]>> => {
  if (!(error instanceof RecadoError)) return {};
  const { fieldErrors } = (error.details ?? {}) as { fieldErrors?: Record<string, string[]> };
  return fieldErrors ?? {};
};
