import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { HttpAnswer, HttpRequest } from "../../src/contract/ports/http.ts";
import { retryAfterMs } from "../../src/kernel/network/retry-after.ts";
import { type Json, parsedJson } from "../../src/kernel/texts/json.ts";

/**
 * Why a call did not succeed.
 * - `error`: a negative answer; `code` is the provider's number, and missing if it has none.
 * - `unreadable`: a positive answer that is no JSON.
 * - `silence`: no answer; `mayHaveArrived` is false only when no byte can have left.
 */
export type Fault =
  | { kind: "error"; status: number; code?: number; text: string; retryAfterMs?: number }
  | { kind: "unreadable"; status: number }
  | { kind: "silence"; failure: string; mayHaveArrived: boolean };

export type ApiResult = { ok: true; json: unknown } | { ok: false; fault: Fault };

/** One call. `path` begins with a slash and has its query. */
export type Call = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  body?: { content: string; contentType: string };
  timeoutMs?: number;
};
export type Api = (call: Call) => Promise<ApiResult>;

/** What the client must know of a provider. */
export type ApiOptions = {
  /** The address that the operator named, without a slash at its end. */
  base: string;
  headersOf(call: Call): Record<string, string>;
  /** The number and the sentence of a negative answer's JSON. */
  errorIn(json: unknown): { code?: number; text: string };
  /** Values that no text may repeat. */
  secrets: readonly (string | undefined)[];
};

const MAX_TEXT_LENGTH = 500;
/** A list of all webhooks of an account is the longest answer. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** The client of one account. Never throws. `http.trusted`, because the operator names the base URL. */
export const apiOf =
  ({ http, clock }: Pick<ChannelHost, "http" | "clock">, options: ApiOptions): Api =>
  async (call) => {
    const { method, path, body, timeoutMs } = call;
    const request: HttpRequest = {
      method,
      url: options.base + path,
      headers: { ...(body ? { "content-type": body.contentType } : {}), ...options.headersOf(call) },
      ...(body ? { body: body.content } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      maxResponseBytes: MAX_RESPONSE_BYTES,
    };
    const answer = await http.trusted(request);
    if (answer.ok) return resultOf(answer, options, clock.now());
    const { failure, mayHaveArrived } = answer;
    return { ok: false, fault: { kind: "silence", failure, mayHaveArrived } };
  };

const resultOf = (
  { status, headers, body }: HttpAnswer,
  { errorIn, secrets }: ApiOptions,
  nowMs: number,
): ApiResult => {
  const json = parsedJson(new TextDecoder().decode(body)); // a cut answer is not JSON
  if (status >= 200 && status < 300)
    return json !== undefined || status === 204
      ? { ok: true, json }
      : { ok: false, fault: { kind: "unreadable", status } };
  const { code, text } = errorIn(json);
  const waitMs = retryAfterMs(headers["retry-after"], nowMs);
  return {
    ok: false,
    fault: {
      kind: "error",
      status,
      ...(code === undefined ? {} : { code }),
      text: withoutSecrets(text || `HTTP ${status}`, secrets).slice(0, MAX_TEXT_LENGTH),
      ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    },
  };
};

const withoutSecrets = (text: string, secrets: ApiOptions["secrets"]): string =>
  secrets.reduce<string>((clean, secret) => (secret ? clean.replaceAll(secret, "[token]") : clean), text);

/** A JSON body. */
export const jsonBody = (json: Json): NonNullable<Call["body"]> => ({
  content: JSON.stringify(json),
  contentType: "application/json",
});
