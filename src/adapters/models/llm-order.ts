import type { LlmFailure, LlmProvider } from "../../contract/ports/llm.ts";
import type { AnswerLimits } from "./llm-body.ts";
import type { CallName } from "./llm-endpoint.ts";

/** A file that goes with a body: both are sent as a form. */
export type Upload = { bytes: Uint8Array; filename: string; contentType: string };

/**
 * A request to a provider. `deadline`: the end of the time for all attempts together. `wants`: the answer is JSON unless
 * it is to be a file, or may be a plain text as well.
 */
export type Order = {
  provider: LlmProvider;
  call: CallName;
  body: { model: string } & Record<string, unknown>;
  upload?: Upload;
  wants?: "file" | "words";
  deadline: number;
  limits: AnswerLimits;
};
/** `value`: the JSON of an answer, the bytes of a file, or a plain text. */
export type Answer = { ok: true; value: unknown };
/** Sends an order, at most three times. */
export type Ask = (order: Order) => Promise<Answer | LlmFailure>;

/** The body of an order's request, and its media type. */
export const sentBody = async ({
  body,
  upload,
}: Pick<Order, "body" | "upload">): Promise<{ body: string | Uint8Array; contentType: string }> => {
  if (!upload) return { body: JSON.stringify(body), contentType: "application/json" };
  const { bytes, filename, contentType: type } = upload;
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  form.set("file", new File([new Uint8Array(bytes)], filename, { type }));
  const made = new Response(form);
  const contentType = made.headers.get("content-type") ?? ""; // gone once the body is read
  return { body: await made.bytes(), contentType };
};
