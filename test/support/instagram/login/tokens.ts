import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type Call, type Effect, json, requireScope } from "../call.ts";
import { invalid, refusal } from "../errors.ts";
import { newToken } from "../ids.ts";
import { BASIC } from "../seeds.ts";
import { addToken, type State, type Token } from "../state.ts";

const LEAST_AGE_MS = DAY_MS;

/** `GET /access_token?grant_type=ig_exchange_token`: a token of an hour for one of 60 days. */
export const exchangeToken = ({ state, query, token }: Call): Effect => {
  requireGrant(query, "ig_exchange_token");
  const secret = query.get("client_secret");
  if (!secret) throw invalid("The parameter client_secret is required");
  // code 1 of graph.facebook.com, because Instagram's own is not documented
  if (secret !== state.apps.get(token.appId)?.appSecret)
    throw refusal(1, { message: "Error validating client secret.", httpStatus: 400 });
  if (token.kind !== "short") throw invalid("The access token is not a short-lived one");
  requireScope(token, BASIC);
  const run = () => json(grantOf(state, longLived(state, token)));
  return { operation: "token.exchange", igUserId: token.igUserId, run };
};

/**
 * `GET /refresh_access_token?grant_type=ig_refresh_token`: a new token of 60 days for one of at least 24 hours, which
 * holds until its own time is over.
 */
export const refreshToken = ({ state, query, token }: Call): Effect => {
  requireGrant(query, "ig_refresh_token");
  if (token.kind !== "long") throw invalid("The access token is not a long-lived one");
  if (state.clock.now() - token.issuedAt < LEAST_AGE_MS)
    throw invalid("The access token must be at least 24 hours old to be refreshed");
  requireScope(token, BASIC);
  const run = () => json({ ...grantOf(state, longLived(state, token)), permissions: token.scopes.join(",") });
  return { operation: "token.refresh", igUserId: token.igUserId, run };
};

const requireGrant = (query: URLSearchParams, grant: string): void => {
  if (query.get("grant_type") !== grant) throw invalid(`The parameter grant_type must be ${grant}`);
};

const longLived = (state: State, { igUserId, appId, scopes }: Token): Token =>
  addToken(state, { token: newToken(state.random), igUserId, appId, kind: "long", scopes: [...scopes] });

const grantOf = ({ clock }: State, { value, expiresAt }: Token) => ({
  access_token: value,
  token_type: "bearer",
  expires_in: Math.floor((expiresAt - clock.now()) / 1000),
});
