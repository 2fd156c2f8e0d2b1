import { hmacSha256 } from "../../../src/kernel/crypto.ts";
import { GraphError, unknownObject } from "./errors.ts";
import type { Payload } from "./requests/payload.ts";
import type { Fields } from "./shape.ts";
import type { Account, PhoneNumber, Recipient, State, Token } from "./state.ts";

/**
 * An authenticated request with its parsed path: `/{version}/{node}/{edge}`. `body`: the fields of its JSON or form;
 * `payload`: all of it.
 */
export type Call = {
  state: State;
  method: string;
  node: string;
  edge: string;
  query: URLSearchParams;
  headers: Headers;
  body: Fields;
  payload: Payload;
  token: Token;
};

/** An answer: JSON, or bytes with their headers. `after` runs once the answer is sent, as webhooks do. */
export type Reply = { status: number; body: unknown; headers?: Record<string, string>; after?: () => void };

/**
 * The effect of a request. A handler checks first and throws a refusal; nothing happens before `run`. In between a
 * test's failure applies, which may let it run and lose the answer. `operation` is its name there.
 */
export type Effect = {
  operation: string;
  phoneNumberId?: string;
  recipient?: Recipient;
  run(rejection?: Rejection): Reply | Promise<Reply>;
};

/** The reason of a later failure of an accepted message, for its `failed` status. */
export type Rejection = { code: number; details?: string };

export type Handler = (call: Call) => Effect;

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const SUCCESS: Reply = ok({ success: true });

/**
 * The token of a request: from `Authorization: Bearer` (or `OAuth`) or `?access_token=`. Throws 104 (2500 if no object
 * is named) without a token, 190 for an unknown, withdrawn or, with subcode 463, expired token.
 */
export const authenticate = (state: State, headers: Headers, query: URLSearchParams, node: string): Token => {
  const value =
    /^(?:Bearer|OAuth)\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? query.get("access_token") ?? "";
  if (value === "") throw new GraphError(/^\d+$/.test(node) ? 104 : 2500);
  const token = state.tokens.get(value) ?? appToken(state, value);
  if (!token) throw new GraphError(190);
  if (token.isInvalid)
    throw new GraphError(190, {
      subcode: 467,
      message: "Error validating access token: The session is invalid because the user logged out.",
    });
  if (isExpired(state, token))
    throw new GraphError(190, {
      subcode: 463,
      message: `Error validating access token: Session has expired on ${new Date(token.expiresAt).toUTCString()}.`,
    });
  return token;
};

/**
 * Checks the proof that the caller knows the secret of the token's app. Throws 100 for a wrong proof, and for a missing
 * proof if the app demands one.
 */
export const checkProof = (state: State, query: URLSearchParams, { value, appId }: Token): void => {
  const proof = query.get("appsecret_proof");
  const demanded = state.settings.proofSecret;
  const secret = demanded || state.apps.get(appId);
  if (proof === null && demanded !== "")
    throw new GraphError(100, { message: "API calls from the server require an appsecret_proof argument" });
  if (proof !== null && secret !== undefined && proof !== hmacSha256(secret, value, "hex"))
    throw new GraphError(100, { message: "Invalid appsecret_proof provided in the API argument" });
};

/** `<app id>|<app secret>`: an app as itself, which reads no business account. */
const appToken = (state: State, value: string): Token | undefined => {
  const [appId = "", secret] = value.split("|");
  return secret !== undefined && state.apps.get(appId) === secret ? { ...NOBODY, value, appId } : undefined;
};

/** The caller of a route without a token. */
export const NOBODY: Token = {
  value: "",
  appId: "",
  businessAccountIds: new Set(),
  scopes: [],
  issuedAt: 0,
  expiresAt: 0,
  isInvalid: false,
};

export const isExpired = (state: State, token: Token): boolean =>
  token.expiresAt !== 0 && token.expiresAt <= state.clock.now();

/** Throws 10 if the token lacks the scope. */
const requireScope = (token: Token, scope: string): void => {
  if (!token.scopes.includes(scope)) throw new GraphError(10);
};

/** Graph's message about a missing parameter. */
export const required = (param: string): GraphError =>
  new GraphError(100, { message: `(#100) The parameter ${param} is required.` });

/** Throws 100 for a body without the product WhatsApp. */
export const requireProduct = ({ body }: Call): void => {
  if (body["messaging_product"] !== "whatsapp") throw required("messaging_product");
};

const MANAGEMENT = "whatsapp_business_management";
const MESSAGING = "whatsapp_business_messaging";

/** Throws 100/33 if the named object is of an account that the token may not use, 10 if the token lacks the scope. */
export const requireAccount = (
  { method, node, token }: Call,
  businessAccountId: string,
  scope: typeof MANAGEMENT | typeof MESSAGING,
): void => {
  if (!token.businessAccountIds.has(businessAccountId)) throw unknownObject(method, node);
  requireScope(token, scope);
};

/** The number a call names, for reading and managing it. Throws 100/33 if it does not exist or is not this token's. */
export const numberOf = (call: Call, scope: typeof MANAGEMENT | typeof MESSAGING = MANAGEMENT): PhoneNumber => {
  const number = call.state.numbers.get(call.node);
  if (!number) throw unknownObject(call.method, call.node);
  requireAccount(call, number.seed.businessAccountId, scope);
  return number;
};

/** The number a call names, for sending from it. */
export const senderOf = (call: Call): PhoneNumber => numberOf(call, MESSAGING);

/** The business account a call names. Throws 100/33 if it does not exist or is not this token's. */
export const businessAccountOf = (call: Call): Account => {
  const account = call.state.accounts.get(call.node);
  if (!account) throw unknownObject(call.method, call.node);
  requireAccount(call, call.node, MANAGEMENT);
  return account;
};
