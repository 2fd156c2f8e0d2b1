import { type Static, Type } from "@sinclair/typebox";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import type { Random } from "../../../../src/kernel/random.ts";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { GraphError } from "../errors.ts";
import type { Recipient, State } from "../state.ts";

const optional = Type.Optional;

/** A call of the network. `prepared` and `answer`: the business's bodies for an incoming call. */
export type SimCall = {
  id: string;
  phoneNumberId: string;
  recipient: Recipient;
  direction: "USER_INITIATED" | "BUSINESS_INITIATED";
  state: "ringing" | "accepted" | "ended";
  sdpOffer: string;
  prepared?: string;
  answer?: string;
  bizOpaque?: string;
  /** When somebody answered it. */
  startedAt?: number;
};

export const PERMISSIONS = ["no_permission", "temporary", "permanent"] as const;
export type CallPermission = { status: (typeof PERMISSIONS)[number]; expiresAt?: number };

/** A user's consent that a test sets. A consent that is not permanent lasts 7 days by default. */
export const PermissionSeed = Type.Object(
  { phoneNumberId: Text(1, 64), user: Text(3, 160), status: OneOf(PERMISSIONS), expiresAt: optional(Type.Number()) },
  { additionalProperties: false },
);
export type PermissionSeed = Static<typeof PermissionSeed>;

/** Answers to one action that are held back, although it was done. */
export type Hold = { action: string; meet(): void; released: Promise<void> };

export const newCallId = (random: Random): string => `wacid.${Buffer.from(random.bytes(24)).toString("base64")}`;

const keyOf = (phoneNumberId: string, { userId }: Recipient): string => `${phoneNumberId}:${userId}`;

/** Gives a user's consent, or takes it. */
export const setPermission = (
  state: State,
  phoneNumberId: string,
  recipient: Recipient,
  { status, expiresAt }: CallPermission,
): void => {
  const ends = status === "temporary" ? { expiresAt: expiresAt ?? state.clock.now() + 7 * DAY_MS } : {};
  state.callPermissions.set(keyOf(phoneNumberId, recipient), { status, ...ends });
};

/** The present consent, without an expired one. */
export const permissionOf = (state: State, phoneNumberId: string, recipient: Recipient): CallPermission => {
  const said = state.callPermissions.get(keyOf(phoneNumberId, recipient));
  return !said || (said.expiresAt ?? Number.POSITIVE_INFINITY) <= state.clock.now()
    ? { status: "no_permission" }
    : said;
};

const requestsOf = (state: State, phoneNumberId: string, recipient: Recipient): number[] =>
  (state.permissionRequests.get(keyOf(phoneNumberId, recipient)) ?? []).filter(
    (at) => state.clock.now() - at < 7 * DAY_MS,
  );

/** The number of requests of the last day, and of the last week; one and two are allowed. */
export const requestUsage = (
  state: State,
  phoneNumberId: string,
  recipient: Recipient,
): { day: number; week: number } => {
  const requests = requestsOf(state, phoneNumberId, recipient);
  return { day: requests.filter((at) => state.clock.now() - at < 24 * HOUR_MS).length, week: requests.length };
};

/** Throws 138009 for one request too many. */
export const checkRequest = (state: State, phoneNumberId: string, recipient: Recipient): void => {
  const { day, week } = requestUsage(state, phoneNumberId, recipient);
  if (day >= 1 || week >= 2)
    throw new GraphError(138009, { details: "Limit for call permission requests to this user has been reached." });
};

export const noteRequest = (state: State, phoneNumberId: string, recipient: Recipient): void =>
  void state.permissionRequests.set(keyOf(phoneNumberId, recipient), [
    ...requestsOf(state, phoneNumberId, recipient),
    state.clock.now(),
  ]);
