import type { HttpAnswer, HttpRequest, HttpSend } from "../../src/contract/ports/http.ts";
import type { UpstreamError, UpstreamFailure, UpstreamResult } from "../../src/contract/upstream.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { withoutTrailing } from "../../src/kernel/texts/texts.ts";
import { type GraphFault, upstreamText } from "./fault.ts";
import { numberOf, parseRecord, textOf } from "./json.ts";
import { createProofs, isProofRefused } from "./proof.ts";

/** `appSecrets`: the secrets of the apps whose tokens are used. Each call then proves that it knows the token's app. */
export type GraphSettings = { graphUrl: string; graphVersion: string; appSecrets?: readonly string[] };

/** A body that is not JSON, with its headers. */
export type RawBody = { content: NonNullable<HttpRequest["body"]>; headers: Record<string, string> };

/** One call of the Graph API. `path` are the segments after the version; they and the query are encoded here. */
export type GraphCall = {
  method: "GET" | "POST" | "DELETE";
  path: readonly string[];
  /** Undefined if there is none yet: at the exchange of a code. */
  token: string | undefined;
  fields?: readonly string[];
  query?: Record<string, string>;
  body?: Json;
  raw?: RawBody;
  timeoutMs?: number;
  /** Default 64 KiB: more for lists. */
  maxResponseBytes?: number;
};

type ErrorFault = Extract<GraphFault, { kind: "error" }>;

export type GraphResult = { ok: true; json: Json } | { ok: false; fault: GraphFault };
export type Graph = (call: GraphCall) => Promise<GraphResult>;

/**
 * The client: bearer token, proof of the app, version and base URL from the settings, every outcome a value. Never
 * throws. A refused proof is replaced by the next one, if the body can be sent a second time; else the next call uses
 * that one.
 */
export const graphClient = (send: HttpSend, settings: GraphSettings): Graph => {
  const proofs = createProofs(settings.appSecrets ?? []);
  return async (call) => {
    const { token, raw } = call;
    if (token === undefined) return callOnce(send, settings, call);
    const isStream = typeof raw?.content === "object" && "stream" in raw.content;
    const [first, ...others] = proofs.of(token);
    let proof = first;
    let result = await callOnce(send, settings, withProof(call, proof));
    for (const next of others) {
      if (result.ok || !isProofRefused(result.fault)) break;
      proof = next;
      if (isStream) break;
      result = await callOnce(send, settings, withProof(call, proof));
    }
    proofs.keep(token, proof);
    return result;
  };
};

const withProof = (call: GraphCall, proof: string | undefined): GraphCall =>
  proof === undefined ? call : { ...call, query: { ...call.query, appsecret_proof: proof } };

const callOnce = async (
  send: HttpSend,
  { graphUrl, graphVersion }: GraphSettings,
  { method, path, token, fields, query, body, raw, timeoutMs, maxResponseBytes }: GraphCall,
): Promise<GraphResult> => {
  const asked = new URLSearchParams({ ...query, ...(fields ? { fields: fields.join(",") } : {}) }).toString();
  const content = body ? JSON.stringify(body) : raw?.content;
  const answer = await send({
    method,
    url:
      [withoutTrailing(graphUrl, "/"), graphVersion, ...path.map(encodeURIComponent)].filter(Boolean).join("/") +
      (asked && `?${asked}`),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { "content-type": "application/json" } : raw?.headers),
    },
    ...(content === undefined ? {} : { body: content }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  });
  if (!answer.ok)
    return { ok: false, fault: { kind: "silence", failure: answer.failure, mayHaveArrived: answer.mayHaveArrived } };
  return resultOf(answer, [token, query?.["client_secret"], query?.["appsecret_proof"]]);
};

const resultOf = (answer: HttpAnswer, secrets: readonly (string | undefined)[]): GraphResult => {
  const json = parseRecord(new TextDecoder().decode(answer.body)); // a cut answer is not JSON
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && json && !("error" in json)) return { ok: true, json };
  if (isSuccess && !json) return { ok: false, fault: { kind: "unreadable", status: answer.status } };
  return { ok: false, fault: withoutSecrets(errorOf(answer, recordOf(json?.["error"])), secrets) };
};

/** Graph repeats a malformed token in its error; ours must not reach a log or a customer. */
const withoutSecrets = (fault: ErrorFault, secrets: readonly (string | undefined)[]): GraphFault => {
  const clean = (text: string) =>
    secrets.reduce<string>((cleaned, secret) => (secret ? cleaned.replaceAll(secret, "[token]") : cleaned), text);
  const said = Object.fromEntries(
    Object.entries(fault.said).map(([name, value]) => [name, typeof value === "string" ? clean(value) : value]),
  );
  return { ...fault, text: clean(fault.text), said: said as UpstreamError };
};

/** The error envelope. Only numbers decide anything; the texts come in the account's language. */
const errorOf = ({ status, headers }: HttpAnswer, error: Json): ErrorFault => {
  const code = numberOf(error["code"]);
  const details = textOf(recordOf(error["error_data"])["details"]) ?? textOf(error["error_user_msg"]);
  const text = code === undefined ? `HTTP ${status}` : upstreamText(code, textOf(error["message"]), details);
  const regainMs = regainAccessMs(headers["x-business-use-case-usage"]);
  return {
    kind: "error",
    status,
    ...(code === undefined ? {} : { code }),
    text,
    regainAccessMs: regainMs,
    said: saidOf(error, text),
  };
};

/** The error, with the field names that customers know. */
const saidOf = (error: Json, text: string): UpstreamError => {
  const title = textOf(error["error_user_title"]);
  const explanation = textOf(error["error_user_msg"]) ?? textOf(recordOf(error["error_data"])["details"]);
  return {
    code: numberOf(error["code"]) ?? null,
    error_subcode: numberOf(error["error_subcode"]) ?? null,
    message: textOf(error["message"]) ?? text,
    ...(title ? { error_user_title: title } : {}),
    ...(explanation ? { error_user_msg: explanation } : {}),
  };
};

/** The wait that the usage header asks for: the longest of its entries, which are in minutes. 0 if it asks for none. */
const regainAccessMs = (header: string | undefined): number => {
  const usages = Object.values(parseRecord(header ?? "") ?? {}).flatMap(listOf);
  return Math.ceil(
    Math.max(0, ...usages.map((usage) => numberOf(recordOf(usage)["estimated_time_to_regain_access"]) ?? 0)) *
      MINUTE_MS,
  );
};

/**
 * Turns results of calls into results of the contract. `failureOf`: the meaning of a fault on this network. `read`
 * takes the value from the answer; undefined if it is missing.
 */
export const resultsBy =
  (failureOf: (fault: GraphFault) => UpstreamFailure) =>
  <T>(result: GraphResult, read: (json: Json) => T | undefined): UpstreamResult<T> => {
    if (!result.ok) return failureOf(result.fault);
    const value = read(result.json);
    return value === undefined
      ? { ok: false, kind: "unavailable", reason: "the answer could not be read", mayHaveHappened: true }
      : { ok: true, value };
  };

/** True if the answer says `success`, for calls that return nothing else. */
export const isSuccess = (answer: Json): true | undefined => (answer["success"] === true ? true : undefined);

/** The beginning of the next page; undefined after the last page. */
export const nextPageOf = (answer: Json): string | undefined => {
  const { next, cursors } = recordOf(answer["paging"]);
  return next === undefined ? undefined : textOf(recordOf(cursors)["after"]);
};
