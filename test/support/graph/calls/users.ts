import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { webhookError } from "../errors.ts";
import { type Operation, operation } from "../operations.ts";
import type { Fields } from "../shape.ts";
import { recipientOf, type State } from "../state.ts";
import { contactOf, envelopeOfChanges, idsOf, numberChange, secondsOf } from "../values.ts";
import type { InboundApi } from "../webhooks/inbound.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";
import { newCallId, PermissionSeed, type SimCall, setPermission } from "./model.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const CallName = Type.Object({ id: Text(1, 200) }, strict);

/** A user calls the number. */
export const OfferOrder = Type.Object({ to: Text(1, 64), from: Text(3, 160), sdp: optional(Text(1, 65_536)) }, strict);
export type OfferOrder = Static<typeof OfferOrder>;
/** A call ends. It reports times and duration if somebody answered. `code`: the error of the end. */
export const EndOrder = Type.Object(
  {
    status: optional(OneOf(["COMPLETED", "FAILED"])),
    durationSeconds: optional(Type.Integer({ minimum: 0 })),
    code: optional(Type.Integer()),
  },
  strict,
);
export type EndOrder = Static<typeof EndOrder>;
/** A user says whether the number may call; `expiresAt` as of a permission. */
export const ReplyOrder = Type.Object(
  {
    to: Text(1, 64),
    from: Text(3, 160),
    response: OneOf(["accept", "reject"]),
    isPermanent: optional(Type.Boolean()),
    expiresAt: optional(Type.Number()),
    at: optional(Type.Number()),
  },
  strict,
);
export type ReplyOrder = Static<typeof ReplyOrder>;

/**
 * The users' side of calls. Each resolves when its webhook was answered with 2xx or given up, and throws for an unknown
 * call.
 */
export type CallUsers = {
  readonly all: ReadonlyMap<string, SimCall>;
  offer(order: OfferOrder): Promise<{ id: string; delivery: Delivery }>;
  /** The user's phone rings: a status. */
  ring(id: string): Promise<Delivery>;
  /** The user's phone answers the offer. */
  answer(id: string, sdp?: string): Promise<Delivery>;
  /** The user answered the call, or rejected it: a status. */
  accept(id: string): Promise<Delivery>;
  reject(id: string): Promise<Delivery>;
  end(id: string, order?: EndOrder): Promise<Delivery>;
  /** From now on the answers to this action are held back, although it is done. `met` resolves with the first one. */
  hold(action: string): { met: Promise<void>; release(): void };
  /** Gives or takes a consent without a webhook. */
  permit(seed: PermissionSeed): void;
  /** The user answers the question for consent: a message. */
  reply(order: ReplyOrder): Promise<Delivery>;
};

export const createCallUsers = (state: State, webhooks: Webhooks, inbound: InboundApi): CallUsers => {
  const callOf = (id: string): SimCall => {
    const call = state.calls.get(id);
    if (!call) throw new Error(`there is no call ${id}`);
    return call;
  };
  const userOf = (key: string) => {
    const user = recipientOf(state, key);
    if (!user) throw new Error(`there is no user ${key}`);
    return user;
  };
  const send = ({ phoneNumberId }: SimCall, parts: Fields): Promise<Delivery> =>
    webhooks.send(envelopeOfChanges([numberChange(state, phoneNumberId, "calls", parts)], "one-change"), {
      phoneNumberId,
    });
  const sendStatus = (call: SimCall, status: string) => send(call, { statuses: [statusOf(state, call, status)] });

  return {
    get all() {
      return state.calls;
    },
    async offer({ to: phoneNumberId, from, sdp: sdpOffer = "v=0\r\no=- an offer of a user\r\n" }) {
      const call: SimCall = {
        id: newCallId(state.random),
        phoneNumberId,
        recipient: userOf(from),
        direction: "USER_INITIATED",
        state: "ringing",
        sdpOffer,
      };
      state.calls.set(call.id, call);
      const event = { ...headOf(state, call, "connect"), session: { sdp_type: "offer", sdp: sdpOffer } };
      return {
        id: call.id,
        delivery: await send(call, { contacts: [contactOf(state, call.recipient)], calls: [event] }),
      };
    },
    ring: (id) => sendStatus(callOf(id), "RINGING"),
    answer(id, sdp = "v=0\r\no=- an answer of a user\r\n") {
      const call = callOf(id);
      return send(call, { calls: [{ ...headOf(state, call, "connect"), session: { sdp_type: "answer", sdp } }] });
    },
    accept(id) {
      const call = callOf(id);
      Object.assign(call, { state: "accepted", startedAt: state.clock.now() });
      return sendStatus(call, "ACCEPTED");
    },
    reject(id) {
      const call = callOf(id);
      call.state = "ended";
      return sendStatus(call, "REJECTED");
    },
    end(id, { status = "COMPLETED", durationSeconds, code } = {}) {
      const call = callOf(id);
      call.state = "ended";
      const event = { ...headOf(state, call, "terminate"), status, ...timesOf(state, call, durationSeconds) };
      return send(call, { calls: [event], ...(code === undefined ? {} : { errors: [webhookError(code)] }) });
    },
    hold(action) {
      const met = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      state.callHold = { action, meet: met.resolve, released: released.promise };
      const release = () => {
        state.callHold = undefined;
        released.resolve();
      };
      return { met: met.promise, release };
    },
    permit: ({ phoneNumberId, user, ...permission }) => setPermission(state, phoneNumberId, userOf(user), permission),
    async reply({ to, from, response, isPermanent = false, expiresAt, at }) {
      const ends = expiresAt === undefined ? {} : { expiresAt };
      setPermission(
        state,
        to,
        userOf(from),
        response === "reject"
          ? { status: "no_permission" }
          : isPermanent
            ? { status: "permanent" }
            : { status: "temporary", ...ends },
      );
      const said = {
        response,
        response_source: "user_action",
        ...(isPermanent ? { is_permanent: true } : {}),
        ...(expiresAt === undefined ? {} : { expiration_timestamp: secondsOf(expiresAt) }),
      };
      const content = { type: "call_permission_reply", call_permission_reply: said };
      return (await inbound.other({ to, from, type: "interactive", content, ...(at === undefined ? {} : { at }) }))
        .delivery;
    },
  };
};

/** The fields of every webhook about a call, incoming or outgoing. */
const headOf = (state: State, call: SimCall, event: "connect" | "terminate"): Fields => {
  const { waId, userId } = idsOf(state, call.recipient);
  const own = state.numbers.get(call.phoneNumberId)?.seed.displayPhoneNumber.replace(/\D/g, "");
  const isOurs = call.direction === "BUSINESS_INITIATED";
  const [from, to] = isOurs ? [own, waId] : [waId, own];
  return {
    id: call.id,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(userId === undefined ? {} : { [isOurs ? "to_user_id" : "from_user_id"]: userId }),
    event,
    timestamp: secondsOf(state.clock.now()),
    direction: call.direction,
    ...opaqueOf(call),
  };
};

const opaqueOf = ({ bizOpaque }: SimCall): Fields =>
  bizOpaque === undefined ? {} : { biz_opaque_callback_data: bizOpaque };

const timesOf = (state: State, { startedAt }: SimCall, durationSeconds: number | undefined): Fields => {
  if (startedAt === undefined) return {};
  const endedAt = durationSeconds === undefined ? state.clock.now() : startedAt + durationSeconds * 1000;
  return {
    start_time: secondsOf(startedAt),
    // of whole seconds like its two times, so that they agree with the duration
    end_time: secondsOf(Math.floor(startedAt / 1000) * 1000 + Math.floor((endedAt - startedAt) / 1000) * 1000),
    duration: String(Math.floor((endedAt - startedAt) / 1000)),
  };
};

const statusOf = (state: State, call: SimCall, status: string): Fields => {
  const { waId, userId } = idsOf(state, call.recipient);
  return {
    id: call.id,
    type: "call",
    status,
    timestamp: secondsOf(state.clock.now()),
    ...(waId === undefined ? {} : { recipient_id: waId }),
    ...(userId === undefined ? {} : { recipient_user_id: userId }),
    ...opaqueOf(call),
  };
};

/** The users' side over HTTP. */
export const callOperations = ({ calls }: { calls: CallUsers }): Record<string, Operation> => ({
  "calls/offer": operation(OfferOrder, (order) => calls.offer(order)),
  "calls/ring": operation(CallName, ({ id }) => calls.ring(id)),
  "calls/answer": operation(
    Type.Composite([CallName, Type.Object({ sdp: optional(Text(1, 65_536)) })], strict),
    ({ id, sdp }) => calls.answer(id, sdp),
  ),
  "calls/accept": operation(CallName, ({ id }) => calls.accept(id)),
  "calls/reject": operation(CallName, ({ id }) => calls.reject(id)),
  "calls/end": operation(Type.Composite([CallName, EndOrder], strict), ({ id, ...order }) => calls.end(id, order)),
  "calls/permit": operation(PermissionSeed, (seed) => calls.permit(seed)),
  "calls/reply": operation(ReplyOrder, (order) => calls.reply(order)),
  "journal/calls": operation(Type.Object({}, strict), () => [...calls.all.values()]),
});
