import {
  type IExecuteFunctions,
  type IHookFunctions,
  type ILoadOptionsFunctions,
  type Json,
  NodeApiError,
  NodeOperationError,
} from "n8n-workflow";

import { type Call, given, isGiven, isJson } from "./values.ts";

export const CREDENTIAL = "recadoApi";

/** What makes requests: a run of a node, a list of options, or a trigger that is turned on or off. */
export type Caller = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions;

const baseUrlOf = async (caller: Caller): Promise<string> => {
  const { baseUrl } = await caller.getCredentials(CREDENTIAL);
  if (typeof baseUrl !== "string" || baseUrl === "")
    throw new NodeOperationError(caller.getNode(), "The credential has no base URL");
  return baseUrl.replace(/\/+$/, "");
};

/** The answer of any status. @throws NodeApiError where none comes. */
export const answerOf = async (caller: Caller, { method, path, query, body, idempotencyKey }: Call) =>
  caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, {
    method,
    url: `${await baseUrlOf(caller)}${path}`,
    qs: given(query ?? {}),
    ...(body === undefined ? {} : { body }),
    headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  });

const refusalOf = (caller: Caller, statusCode: number, body: unknown, itemIndex?: number): NodeApiError => {
  const error = isJson(body) && isJson(body["error"]) ? body["error"] : {};
  const { code, message, details } = error;
  const options = {
    message: typeof message === "string" ? message : `Recado answered with ${statusCode}`,
    description: typeof code === "string" ? `${code} ${JSON.stringify(details ?? {})}` : "",
    httpCode: String(statusCode),
  };
  return new NodeApiError(caller.getNode(), error, itemIndex === undefined ? options : { ...options, itemIndex });
};

/** The JSON of a 2xx answer; an empty object where it has none. @throws NodeApiError with the code of any other answer. */
export const request = async (caller: Caller, call: Call, itemIndex?: number): Promise<unknown> => {
  const { statusCode, body } = await answerOf(caller, call);
  if (statusCode < 200 || statusCode > 299) throw refusalOf(caller, statusCode, body, itemIndex);
  return isGiven(body) ? body : {};
};

const LONGEST_PAGE = 200;

/** Up to `limit` items of a list, however many pages it has. @throws NodeApiError with the code of a refusal. */
export const listOf = async (caller: Caller, call: Call, limit: number, itemIndex?: number): Promise<Json[]> => {
  const found: Json[] = [];
  let cursor: unknown;
  do {
    const size = Math.min(LONGEST_PAGE, limit - found.length);
    const query = { ...call.query, limit: size, cursor };
    const page = await request(caller, { ...call, query }, itemIndex);
    const items = isJson(page) ? page["items"] : page;
    found.push(...(Array.isArray(items) ? (items as Json[]) : []));
    cursor = isJson(page) ? page["nextCursor"] : undefined;
  } while (isGiven(cursor) && found.length < limit);
  return found.slice(0, limit);
};
