import { type Call, type Effect, numberOf, ok, SUCCESS } from "../call.ts";
import { badParameter, GraphError } from "../errors.ts";
import { textOf } from "../shape.ts";
import type { PhoneNumber, State } from "../state.ts";

/** The code that the simulator sends to every number. */
export const SENT_CODE = "482913";

/** `POST /{number}/request_code`: refused with 136024 to a number that is verified. */
export const requestCode = (call: Call): Effect => {
  const number = numberOf(call);
  const { code_method: method, language } = call.body;
  if (method !== "SMS" && method !== "VOICE") throw badParameter("Param code_method must be one of {SMS, VOICE}.");
  if (textOf(language) === "") throw badParameter("Param language must be a language code.");
  if (number.isVerified) throw new GraphError(136024, { details: "Phone number is already verified." });
  const run = () => {
    number.code = SENT_CODE;
    return SUCCESS;
  };
  return { operation: "number.request-code", phoneNumberId: call.node, run };
};

/** `POST /{number}/verify_code`: refused with 136025 for a code that is not the last one sent. */
export const verifyCode = (call: Call): Effect => {
  const number = numberOf(call);
  if (number.code === undefined || call.body["code"] !== number.code)
    throw new GraphError(136025, { details: "Verify code error." });
  const run = () => {
    number.isVerified = true;
    return SUCCESS;
  };
  return { operation: "number.verify-code", phoneNumberId: call.node, run };
};

/** `GET /{number}/username` */
export const getUsername = (call: Call): Effect => {
  const number = numberOf(call);
  const { username } = number;
  return {
    operation: "username.get",
    phoneNumberId: call.node,
    run: () => ok(username ? { username: username.name, status: username.status } : {}),
  };
};

const holderOf = (state: State, name: string): PhoneNumber | undefined =>
  [...state.numbers.values()].find(({ username }) => username?.name === name);

/**
 * `POST /{number}/username`: 147005 for a name of another number of the account, unless the body asks for its transfer.
 */
export const setUsername = (call: Call): Effect => {
  const number = numberOf(call);
  const { username: name, transfer_action: transfer } = call.body;
  if (typeof name !== "string" || !/^[a-z0-9._]{3,35}$/.test(name)) throw badParameter("Param username is not valid.");
  if (transfer !== "none" && transfer !== "force_transfer")
    throw badParameter("Param transfer_action must be one of {none, force_transfer}.");
  const holder = holderOf(call.state, name);
  const isSibling = holder?.seed.businessAccountId === number.seed.businessAccountId;
  if (holder && holder !== number && !(isSibling && transfer === "force_transfer"))
    throw new GraphError(147005, { details: "The username is in use." });
  const run = () => {
    if (holder) delete holder.username;
    number.username = { name, status: "reserved" };
    return ok({ status: "reserved" });
  };
  return { operation: "username.set", phoneNumberId: call.node, run };
};

/** `DELETE /{number}/username` */
export const removeUsername = (call: Call): Effect => {
  const number = numberOf(call);
  const run = () => {
    delete number.username;
    return SUCCESS;
  };
  return { operation: "username.remove", phoneNumberId: call.node, run };
};

/** `GET /{number}/username_suggestions` */
export const suggestUsernames = (call: Call): Effect => {
  const { verifiedName } = numberOf(call);
  const name = verifiedName.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return {
    operation: "username.suggest",
    phoneNumberId: call.node,
    run: () => ok({ username_suggestions: [name, `${name}.oficial`] }),
  };
};
