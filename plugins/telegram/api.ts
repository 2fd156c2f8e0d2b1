import type { Http, HttpAnswer, HttpBody, HttpRequest } from "../../src/contract/ports/http.ts";
import { type Json, recordOf } from "../../src/kernel/texts/json.ts";
import { withoutTrailing } from "../../src/kernel/texts/texts.ts";
import { numberOf, parseRecord, textOf } from "./json.ts";

/**
 * Why a call did not succeed.
 * - `error`: a negative answer (https://core.telegram.org/bots/api#responseparameters).
 * - `unreadable`: an answer that is not the API's.
 * - `silence`: no answer; `mayHaveArrived` is false only when the network cannot have acted on it.
 */
export type Fault =
  | { kind: "error"; method: string; code: number; text: string; retryAfterMs?: number; migratedTo?: string }
  | { kind: "unreadable"; status: number }
  | { kind: "silence"; failure: string; mayHaveArrived: boolean };

export type ApiResult = { ok: true; result: unknown } | { ok: false; fault: Fault };

/** A body that is sent while it is read. `isWhole()`: whether all of it was handed over. */
export type StreamedBody = { content: Extract<HttpBody, { stream: unknown }>; contentType: string; isWhole(): boolean };

/** One call of a method. `fields` go as JSON, or inside `body`. */
export type ApiCall = {
  method: string;
  fields?: Json;
  body?: StreamedBody;
  /** Default: that of the host, 15 s. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Default 64 KiB. */
  maxResponseBytes?: number;
};

/** Calls of one bot. Never throws. */
export type Api = (call: ApiCall) => Promise<ApiResult>;

const SECOND_MS = 1000;
const LONGEST_WAIT_S = 24 * 3600;
const MAX_TEXT_LENGTH = 500;

/** A base URL without the slashes at its end. */
export const baseOf = (url: string): string => withoutTrailing(url, "/");

/**
 * The client of one bot: https://core.telegram.org/bots/api#making-requests. The token is in the path, so neither URLs
 * nor texts about them are passed on. `http.trusted`, because the operator names the base URL.
 */
export const apiOf =
  (http: Pick<Http, "trusted">, url: string, token: string): Api =>
  async ({ method, fields = {}, body, timeoutMs, signal, maxResponseBytes }) => {
    const request: HttpRequest = {
      method: "POST",
      url: `${baseOf(url)}/bot${token}/${method}`,
      headers: { "content-type": body?.contentType ?? "application/json" },
      body: body?.content ?? JSON.stringify(fields),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal ? { signal } : {}),
      ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
    };
    const answer = await http.trusted(request);
    if (!answer.ok)
      return {
        ok: false,
        fault: {
          kind: "silence",
          failure: answer.failure,
          mayHaveArrived: answer.mayHaveArrived && (body?.isWhole() ?? true),
        },
      };
    return resultOf(answer, { method, token });
  };

/** The call that an answer is for; no text has its token. */
type Called = { method: string; token: string };

const resultOf = ({ status, body }: HttpAnswer, called: Called): ApiResult => {
  const json = parseRecord(new TextDecoder().decode(body)); // a cut answer is not JSON
  if (json?.["ok"] === true && "result" in json) return { ok: true, result: json["result"] };
  const code = numberOf(json?.["error_code"]) ?? (status >= 400 && status < 500 ? status : undefined);
  if (code === undefined) return { ok: false, fault: { kind: "unreadable", status } };
  return { ok: false, fault: errorOf(code, recordOf(json), called) };
};

const errorOf = (code: number, json: Json, { method, token }: Called): Fault => {
  const parameters = recordOf(json["parameters"]);
  const [retryAfter, migratedTo] = [numberOf(parameters["retry_after"]), numberOf(parameters["migrate_to_chat_id"])];
  const text = (textOf(json["description"]) ?? `HTTP ${code}`).replaceAll(token, "[token]").slice(0, MAX_TEXT_LENGTH);
  return {
    kind: "error",
    method,
    code,
    text: `(#${code}) ${text}`,
    ...(retryAfter === undefined
      ? {}
      : { retryAfterMs: Math.min(Math.max(retryAfter, 1), LONGEST_WAIT_S) * SECOND_MS }),
    ...(migratedTo === undefined ? {} : { migratedTo: String(migratedTo) }),
  };
};
