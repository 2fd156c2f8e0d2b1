import type { HttpAnswer, HttpSend } from "../../src/contract/http.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { type GraphFault, upstreamText } from "./errors.ts";
import { type Json, listOf, numberOf, parseRecord, recordOf, textOf } from "./json.ts";

export type GraphSettings = { graphUrl: string; graphVersion: string };

/** One call of the Graph API. `path` are the segments after the version; they are encoded here. */
export type GraphCall = { method: "GET" | "POST" | "DELETE"; path: readonly string[]; token: string; fields?: readonly string[]; body?: Json; timeoutMs?: number };

type ErrorFault = Extract<GraphFault, { kind: "error" }>;

export type GraphResult = { ok: true; json: Json } | { ok: false; fault: GraphFault };
export type Graph = (call: GraphCall) => Promise<GraphResult>;

/** The client: bearer token, version and base URL from the settings, every outcome a value. Never throws. */
export const graphClient =
  (send: HttpSend, { graphUrl, graphVersion }: GraphSettings): Graph =>
  async ({ method, path, token, fields, body, timeoutMs }) => {
    const query = fields ? `?fields=${fields.join(",")}` : "";
    const answer = await send({
      method,
      url: `${[graphUrl.replace(/\/+$/, ""), graphVersion, ...path.map(encodeURIComponent)].join("/")}${query}`,
      headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    if (!answer.ok) return { ok: false, fault: { kind: "silence", failure: answer.failure, mayHaveArrived: answer.mayHaveArrived } };
    return resultOf(answer, token);
  };

const resultOf = (answer: HttpAnswer, token: string): GraphResult => {
  const json = parseRecord(new TextDecoder().decode(answer.body)); // one that was cut is no JSON
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && json && !("error" in json)) return { ok: true, json };
  if (isSuccess && !json) return { ok: false, fault: { kind: "unreadable", status: answer.status } };
  return { ok: false, fault: withoutToken(errorOf(answer, recordOf(json?.["error"])), token) };
};

/** Graph repeats a malformed token in its error; ours must not reach a log or a customer. */
const withoutToken = (fault: ErrorFault, token: string): GraphFault => ({ ...fault, text: fault.text.replaceAll(token, "[token]") });

/** The error envelope. Only numbers decide anything; the texts come in the account's language. */
const errorOf = ({ status, headers }: HttpAnswer, error: Json): ErrorFault => {
  const code = numberOf(error["code"]);
  const details = textOf(recordOf(error["error_data"])["details"]) ?? textOf(error["error_user_msg"]);
  const text = code === undefined ? `HTTP ${status}` : upstreamText(code, textOf(error["message"]), details);
  return { kind: "error", status, ...(code === undefined ? {} : { code }), text, regainAccessMs: regainAccessMs(headers["x-business-use-case-usage"]) };
};

/** How long the usage header asks us to wait: the longest of its entries, which are in minutes. 0 where it asks nothing. */
const regainAccessMs = (header: string | undefined): number => {
  const usages = Object.values(parseRecord(header ?? "") ?? {}).flatMap(listOf);
  return Math.max(0, ...usages.map((usage) => numberOf(recordOf(usage)["estimated_time_to_regain_access"]) ?? 0)) * MINUTE_MS;
};
