import type { Answer } from "../graph/requests/answers.ts";
import type { Fields } from "../graph/shape.ts";
import { invalid, refusal, unknownObject, unsupported } from "./errors.ts";
import { BASIC, type MESSAGES } from "./seeds.ts";
import type { Account, State, Token } from "./state.ts";

/** An authenticated request to graph.instagram.com with its parsed path: `/{version}/{node}/{edge}`. */
export type Call = { state: State; method: string; node: string; query: URLSearchParams; body: Fields; token: Token };

/** An answer. `after` runs once the answer is sent, as webhooks do. */
export type Reply = Answer & { after?: () => void };

/** The names of requests in orders of failures. */
export const OPERATIONS = [
  "authorize",
  "code.exchange",
  "token.exchange",
  "token.refresh",
  "account.get",
  "subscription.add",
  "subscription.list",
  "subscription.remove",
  "message.send",
  "message.get",
  "action.send",
  "attachment.add",
  "user.get",
  "media.get",
  "profile.get",
  "profile.put",
  "profile.clear",
] as const;

/**
 * The effect of a request. A handler checks first and throws a refusal; nothing happens before `run`. In between a
 * test's failure applies, which may let it run and lose the answer.
 */
export type Effect = {
  operation: (typeof OPERATIONS)[number];
  igUserId?: string;
  igsid?: string;
  run(): Reply | Promise<Reply>;
};

export type Handler = (call: Call) => Effect;

/** 200 and JSON. A text is JSON already. */
export const json = (body: object | string): Reply => ({
  status: 200,
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json; charset=UTF-8" },
});

/**
 * The token of a request: from `Authorization: Bearer` or `?access_token=`. Throws 104 (2500 if no object is named)
 * without a token, 190 for an unknown, withdrawn or expired token, and 100 if its account may not be used at all.
 */
export const authenticate = (
  state: State,
  headers: Headers,
  { method, node, query }: Pick<Call, "method" | "node" | "query">,
): Token => {
  const value = /^Bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? query.get("access_token") ?? "";
  if (value === "") throw refusal(/^\d+$/.test(node) ? 104 : 2500);
  const token = state.tokens.get(value);
  if (!token) throw refusal(190);
  if (token.invalidSubcode !== undefined) throw refusal(190, { subcode: token.invalidSubcode });
  if (token.expiresAt <= state.clock.now())
    throw refusal(190, {
      subcode: 463,
      message: `Error validating access token: Session has expired on ${new Date(token.expiresAt).toUTCString()}.`,
    });
  if (state.accounts.get(token.igUserId)?.seed.isAuthorised === false) throw unsupported(method);
  return token;
};

/** Throws 10 if the token lacks the scope. */
export const requireScope = (token: Token, scope: typeof BASIC | typeof MESSAGES): void => {
  if (!token.scopes.includes(scope)) throw refusal(10);
};

/**
 * The account a call names by `me` or its id. Throws 100/33 if it does not exist or is not this token's; the app-scoped
 * id names nothing.
 */
export const accountOf = (
  { state, method, node, token }: Call,
  scope: typeof BASIC | typeof MESSAGES = BASIC,
): Account => {
  const account = state.accounts.get(token.igUserId);
  if (!account || (node !== "me" && node !== token.igUserId)) throw unknownObject(method, node);
  requireScope(token, scope);
  return account;
};

/** The fields of `?fields=a,b`, and always `id`. Throws 100 for a field that the object does not have. */
export const selected = (query: URLSearchParams, fields: Record<string, unknown>): Fields => {
  const names = (query.get("fields") ?? "").split(",").map((name) => name.trim());
  const wanted = names.filter((name) => name !== "");
  for (const name of wanted) if (!(name in fields)) throw invalid(`Tried accessing nonexisting field (${name})`);
  return Object.fromEntries(["id", ...wanted].map((name) => [name, fields[name]]));
};
