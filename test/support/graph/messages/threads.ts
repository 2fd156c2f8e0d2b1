import { type Call, type Effect, ok, requireProduct, senderOf } from "../call.ts";
import { badParameter, GraphError } from "../errors.ts";
import { newWamid } from "../ids.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { type PhoneNumber, type Recipient, recipientOf, type State } from "../state.ts";
import { contactOf, idsOf, numberChange, secondsOf } from "../values.ts";
import type { InboundApi } from "../webhooks/inbound.ts";
import type { Delivery } from "../webhooks/webhooks.ts";

const keyOf = (phoneNumberId: string, { userId }: Recipient): string => `${phoneNumberId}:${userId}`;

/** Throws 131070 for a free message into a conversation that another app leads; Recado's role `escalation` takes it. */
export const requireThread = (state: State, phoneNumberId: string, recipient: Recipient, type: string): void => {
  const { leaders, role } = state.threads;
  const leader = leaders.get(keyOf(phoneNumberId, recipient));
  if (type === "template" || leader === undefined || leader === "us") return;
  if (role === "escalation") leaders.set(keyOf(phoneNumberId, recipient), "us");
  else throw new GraphError(131070, { details: "The thread is controlled by another app." });
};

/** `POST /{number}/thread_control`: pass and release by the leader alone, take by the role `escalation` alone. */
export const threadControl = (call: Call): Effect => {
  const number = senderOf(call);
  requireProduct(call);
  const { state, body } = call;
  const { action, to, recipient: userId, metadata } = body;
  if ((to === undefined) === (userId === undefined)) throw badParameter("Exactly one of to and recipient is required.");
  if (metadata !== undefined && (typeof metadata !== "string" || metadata.length > 2000))
    throw badParameter("Param metadata must be at most 2000 characters long.");
  const recipient = recipientOf(state, textOf(to ?? userId));
  if (!recipient) throw badParameter("Param recipient is not known to this business.");
  const leader = leaderAfter(state, number, recipient, body);
  const { phoneNumberId } = number.seed;
  const run = () => {
    const key = keyOf(phoneNumberId, recipient);
    if (leader === undefined) state.threads.leaders.delete(key);
    else state.threads.leaders.set(key, leader);
    return ok({ messaging_product: "whatsapp", request_id: `request.${textOf(action)}` });
  };
  return { operation: `thread.${textOf(action)}`, phoneNumberId, recipient, run };
};

const leaderAfter = (state: State, number: PhoneNumber, recipient: Recipient, body: Fields): string | undefined => {
  const { leaders, role } = state.threads;
  const isOurs = leaders.get(keyOf(number.seed.phoneNumberId, recipient)) === "us";
  switch (body["action"]) {
    case "pass":
    case "release":
      if (!isOurs) throw new GraphError(131070, { details: "Only the owner of the thread may do this." });
      if (body["action"] === "release") return undefined;
      return textOf(fieldsOf(body["control_pass"])["target_role"]) || "escalation";
    case "take":
      if (role !== "escalation")
        throw new GraphError(100, { subcode: 2494191, message: "(#100) Only the escalation role may take a thread." });
      return "us";
    default:
      throw badParameter("Param action must be one of {PASS, RELEASE, TAKE}.");
  }
};

type Said = { to: string; from: string; text: string; wamid?: string; at?: number };

/** The acts of other apps on the conversations of a shared number. */
export type ThreadsApi = {
  /** The role of this app: `escalation` unless a test says otherwise. */
  role(role: string): void;
  /** The leader of a conversation: `us`, the role of another app, or nobody (undefined). */
  leader(to: string, from: string): string | undefined;
  /** Another app leads the conversation, in which a person writes: it comes on `standby`. Gives its wamid. */
  standby(said: Said): Promise<string>;
  /** The other app answers. `more`: further parts of the echo. Gives its wamid. */
  echo(said: Said, more?: Fields): Promise<string>;
  /** A `standby` with nothing in it. */
  empty(to: string): Promise<Delivery>;
  /** Control is passed to this app, or taken from it. `withRoles`: with the fields that may be missing. */
  handover(
    type: "control_passed" | "control_taken",
    where: { to: string; from: string; at?: number; withRoles?: boolean },
  ): Promise<Delivery>;
};

export const createThreads = (state: State, inbound: Pick<InboundApi, "field">): ThreadsApi => {
  const personOf = (from: string): Recipient => {
    const person = recipientOf(state, from);
    if (!person) throw new Error(`there is no user ${from}`);
    return person;
  };
  const post = (to: string, standby: Fields) => inbound.field(numberChange(state, to, "standby", { standby }));
  return {
    role: (role) => void (state.threads.role = role),
    leader: (to, from) => state.threads.leaders.get(keyOf(to, personOf(from))),
    async standby({ to, from, text, at = state.clock.now(), ...said }) {
      const person = personOf(from);
      const id = said.wamid ?? newWamid(state.random, person.waId, "inbound");
      state.threads.leaders.set(keyOf(to, person), "ai_agent");
      const { waId, userId } = idsOf(state, person);
      const message = {
        from: waId,
        from_user_id: userId,
        id,
        timestamp: secondsOf(at),
        type: "text",
        text: { body: text },
      };
      await post(to, { contacts: [contactOf(state, person)], messages: [message] });
      return id;
    },
    async echo({ to, from, text, at = state.clock.now(), ...said }, more = {}) {
      const person = personOf(from);
      const id = said.wamid ?? newWamid(state.random, person.waId, "outbound");
      const message = { messaging_product: "whatsapp", to: person.waId, type: "text", text: { body: text } };
      await post(to, { message_echoes: [{ id, timestamp: secondsOf(at), message, ...more }] });
      return id;
    },
    empty: (to) => post(to, {}),
    handover(type, { to, from, at = state.clock.now(), withRoles = true }) {
      const person = personOf(from);
      state.threads.leaders.set(keyOf(to, person), type === "control_passed" ? "us" : "escalation");
      return inbound.field(handoverChange(state, type, { to, person, at, withRoles }));
    },
  };
};

/** There is no `metadata` in it: the number is the recipient. */
const handoverChange = (
  state: State,
  type: "control_passed" | "control_taken",
  { to, person, at, withRoles }: { to: string; person: Recipient; at: number; withRoles: boolean },
) => {
  const { metadata, ...value } = numberChange(state, to, "messaging_handovers", {}).value;
  const roles =
    type === "control_passed"
      ? { previous_owner_role: "ai_agent", new_owner_role: "escalation" }
      : { previous_owner_role: "customer_service", new_owner_role: "escalation" };
  return {
    ...numberChange(state, to, "messaging_handovers", {}),
    value: {
      ...value,
      sender: { phone_number: person.waId },
      recipient: metadata,
      type,
      timestamp: secondsOf(at),
      [type]: { ...(withRoles ? roles : {}), metadata: "customer_request" },
    },
  };
};
