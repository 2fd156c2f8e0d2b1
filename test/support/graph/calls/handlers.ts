import { type Call, type Effect, ok, required, requireProduct, SUCCESS, senderOf } from "../call.ts";
import { badParameter, badValue, GraphError } from "../errors.ts";
import { BSUID } from "../ids.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { type PhoneNumber, type Recipient, recipientOf, type State } from "../state.ts";
import { newCallId, permissionOf, requestUsage, type SimCall } from "./model.ts";

const ACTED = { ...SUCCESS, body: { messaging_product: "whatsapp", success: true } };

/** `POST /{number}/calls`: begins a call, or acts on one. */
export const callsHandler = (call: Call): Effect => {
  const effect = effectOf(call);
  const run: Effect["run"] = async (rejection) => {
    const reply = await effect.run(rejection);
    const { callHold } = call.state;
    if (callHold?.action !== call.body["action"]) return reply;
    callHold?.meet();
    await callHold?.released;
    return reply;
  };
  return { ...effect, run };
};

const effectOf = (call: Call): Effect => {
  const number = senderOf(call);
  requireProduct(call);
  switch (call.body["action"]) {
    case "connect":
      return connect(call, number);
    case "pre_accept":
    case "accept":
      return accept(call, call.body["action"]);
    case "reject":
      return end(call, "reject", ({ direction, state }) => direction === "USER_INITIATED" && state === "ringing");
    case "terminate":
      return end(call, "terminate", ({ state }) => state !== "ended");
    default:
      throw badParameter("Param action must be one of {CONNECT, PRE_ACCEPT, ACCEPT, REJECT, TERMINATE}.");
  }
};

/** Refused with 138000 to a number that does not call, with 138006 without the user's consent. */
const connect = ({ state, body }: Call, number: PhoneNumber): Effect => {
  const { phoneNumberId } = number.seed;
  const sdpOffer = sessionOf(body, "offer");
  const bizOpaque = body["biz_opaque_callback_data"];
  if (bizOpaque !== undefined && (typeof bizOpaque !== "string" || bizOpaque.length > 512))
    throw badParameter("Param biz_opaque_callback_data must be at most 512 characters long.");
  const recipient = personOf(state, body["to"], body["recipient"]);
  if (!state.settings.isCallingEnabled)
    throw new GraphError(138000, { details: "Calling API is not enabled for this phone number." });
  if (permissionOf(state, phoneNumberId, recipient).status === "no_permission")
    throw new GraphError(138006, { details: "No approved call permission from the recipient." });
  const run = () => {
    const id = newCallId(state.random);
    const opaque = bizOpaque === undefined ? {} : { bizOpaque };
    state.calls.set(id, {
      id,
      phoneNumberId,
      recipient,
      direction: "BUSINESS_INITIATED",
      state: "ringing",
      sdpOffer,
      ...opaque,
    });
    return ok({ messaging_product: "whatsapp", calls: [{ id }] });
  };
  return { operation: "call.connect", phoneNumberId, recipient, run };
};

/** The session of an accept must be that of the pre_accept before it. */
const accept = (call: Call, action: "pre_accept" | "accept"): Effect => {
  const found = callOf(call);
  const sdp = sessionOf(call.body, "answer");
  if (found.direction !== "USER_INITIATED" || found.state !== "ringing") throw unfit(found);
  if (action === "accept" && found.prepared !== sdp)
    throw badValue("Param session['sdp'] must be the one of the pre_accept.");
  const run = () => {
    if (found.state !== "ringing") throw unfit(found);
    if (action === "pre_accept") found.prepared = sdp;
    else Object.assign(found, { state: "accepted", answer: sdp, startedAt: call.state.clock.now() });
    return ACTED;
  };
  return { operation: `call.${action}`, phoneNumberId: call.node, recipient: found.recipient, run };
};

const end = (call: Call, action: "reject" | "terminate", isFor: (found: SimCall) => boolean): Effect => {
  const found = callOf(call);
  if (!isFor(found)) throw unfit(found);
  const run = () => {
    found.state = "ended";
    return ACTED;
  };
  return { operation: `call.${action}`, phoneNumberId: call.node, recipient: found.recipient, run };
};

const unfit = ({ id, state }: SimCall): GraphError =>
  badParameter(`Call ${id} is ${state}: the action is not possible.`);

const callOf = ({ state, node, body }: Call): SimCall => {
  const id = body["call_id"];
  if (id === undefined) throw required("call_id");
  const found = state.calls.get(textOf(id));
  if (found?.phoneNumberId !== node) throw badParameter("Param call_id is no call of this phone number.");
  return found;
};

const sessionOf = (body: Fields, type: "offer" | "answer"): string => {
  const { sdp_type: given, sdp } = fieldsOf(body["session"]);
  if (body["session"] === undefined) throw required("session");
  if (given !== type) throw badParameter(`Param session['sdp_type'] must be ${type}.`);
  if (typeof sdp !== "string" || sdp === "") throw required("session['sdp']");
  return sdp;
};

const personOf = (state: State, to: unknown, userId: unknown): Recipient => {
  if (to === undefined && userId === undefined) throw required("to");
  const digits = typeof to === "string" ? to.replace(/[+\-() ]/g, "") : "";
  if (to !== undefined && !/^\d{5,20}$/.test(digits)) throw badValue("Param to is not a valid phone number.");
  if (to === undefined && !BSUID.test(textOf(userId)))
    throw badValue("Param recipient is not a valid business-scoped user ID.");
  const recipient = recipientOf(state, to === undefined ? textOf(userId) : digits);
  if (!recipient) throw badValue("Param recipient is not known to this business.");
  return recipient;
};

/**
 * `GET /{number}/call_permissions?user_wa_id=|recipient=`: whether a user may be called, and the remaining acts of the
 * business.
 */
export const callPermissions = (call: Call): Effect => {
  const { phoneNumberId } = senderOf(call).seed;
  const { state, query } = call;
  const recipient = personOf(state, query.get("user_wa_id") ?? undefined, query.get("recipient") ?? undefined);
  const { status, expiresAt } = permissionOf(state, phoneNumberId, recipient);
  const { day, week } = requestUsage(state, phoneNumberId, recipient);
  const limits = [
    { time_period: "PT24H", max_allowed: 1, current_usage: day },
    { time_period: "P7D", max_allowed: 2, current_usage: week },
  ];
  const body = {
    messaging_product: "whatsapp",
    permission: { status, ...(expiresAt === undefined ? {} : { expiration_time: Math.floor(expiresAt / 1000) }) },
    actions: [
      { action_name: "send_call_permission_request", can_perform_action: day < 1 && week < 2, limits },
      { action_name: "start_call", can_perform_action: status !== "no_permission" },
    ],
  };
  return { operation: "call.permission", phoneNumberId, recipient, run: () => ok(body) };
};
