import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Call, type Effect, ok } from "../call.ts";
import { GraphError } from "../errors.ts";
import { type Fields, textOf } from "../shape.ts";
import { addToken, type SignupCode, type State } from "../state.ts";
import type { SignupCodeSeed } from "./seeds.ts";

const CODE_TTL_MS = 30 * SECOND_MS;

/** The code is good from now on for 30 seconds, once; its token does not exist until then. Makes the app known too. */
export const addSignupCode = (state: State, seed: SignupCodeSeed): void => {
  state.apps.set(seed.appId, seed.appSecret);
  state.codes.set(seed.code, { seed, issuedAt: state.clock.now(), isUsed: false });
};

/**
 * `GET|POST /oauth/access_token`: the token behind a code of embedded signup. It is the one call without a token of its
 * own.
 */
export const exchangeCode = ({ state, query, body }: Call): Effect => {
  const given = { ...Object.fromEntries(query), ...body };
  checkApp(state, given);
  const code = codeOf(state, given);
  const run = () => {
    code.isUsed = true;
    addToken(state, code.seed);
    return ok({ access_token: code.seed.token, token_type: "bearer" });
  };
  return { operation: "code.exchange", run };
};

const checkApp = (state: State, given: Fields): void => {
  const appId = textOf(given["client_id"]);
  if (appId === "") throw new GraphError(101, { message: "Missing client_id parameter." });
  const secret = state.apps.get(appId);
  if (secret === undefined)
    throw new GraphError(101, { message: "Error validating application. Invalid application ID." });
  if (given["client_secret"] !== secret) throw new GraphError(1, { message: "Error validating client secret." });
};

const codeOf = (state: State, given: Fields): SignupCode => {
  if (textOf(given["code"]) === "") throw new GraphError(1, { message: "Missing authorization code" });
  const code = state.codes.get(textOf(given["code"]));
  if (!code || code.seed.appId !== given["client_id"])
    throw new GraphError(100, { message: "Invalid verification code format." });
  if (code.isUsed) throw new GraphError(100, { subcode: 36009, message: "This authorization code has been used." });
  if (state.clock.now() - code.issuedAt >= CODE_TTL_MS)
    throw new GraphError(100, { subcode: 36007, message: "This authorization code has expired." });
  return code;
};
