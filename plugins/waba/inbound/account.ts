import type { ChannelEvent, HealthChanged } from "../../../src/contract/events.ts";
import { iso } from "../../../src/kernel/clock.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../../meta/json.ts";
import { limitProfile } from "../number.ts";
import { type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./change.ts";

type Health = Omit<HealthChanged, "kind" | "at">;

const ended = (reason: string): Health => ({ state: "DISCONNECTED", reason });

/** The account works again, or possibly: the network is asked. */
const inDoubt = (): Health => ({ isInDoubt: true });

/**
 * Why a partner lost an account; the network gives more details about a number that is shared with the business app.
 */
const removalOf = (value: Json): Health =>
  ended(textOf(recordOf(value["disconnection_info"])["reason"])?.slice(0, 60) ?? "PARTNER_REMOVED");

/** The state came as a list once. A scheduled disabling ends nothing yet. */
const banOf = (value: Json): Health => {
  const { waba_ban_state: states, waba_ban_date: date } = recordOf(value["ban_info"]);
  const state = textOf(states) ?? textOf(listOf(states)[0]);
  if (state === "REINSTATE") return inDoubt();
  return state === "SCHEDULE_FOR_DISABLE" ? { profile: { wabaDisabledFrom: textOf(date) ?? null } } : ended("BANNED");
};

const restrictionsOf = (value: Json): Health => {
  const restrictions = listOf(value["restriction_info"]).map((one) => {
    const { restriction_type: type, expiration } = recordOf(one);
    const until = millisecondsOf(expiration);
    return { type: textOf(type) ?? null, until: until > 0 ? iso(until) : (textOf(expiration) ?? null) };
  });
  return { profile: { wabaRestrictions: restrictions } };
};

/** TABLE: the meaning of an account's events for its channels. Missing events mean nothing for them. */
const ACCOUNT_EVENTS: ReadonlyMap<unknown, (value: Json) => Health> = new Map<string, (value: Json) => Health>([
  ["PARTNER_REMOVED", removalOf],
  ["ACCOUNT_DELETED", () => ended("ACCOUNT_DELETED")],
  ["ACCOUNT_OFFBOARDED", () => ended("ACCOUNT_OFFBOARDED")],
  ["DISABLED_UPDATE", banOf],
  ["ACCOUNT_RECONNECTED", inDoubt],
  ["PARTNER_ADDED", inDoubt],
  ["PARTNER_APP_INSTALLED", inDoubt],
  ["PARTNER_APP_UNINSTALLED", inDoubt],
  ["ACCOUNT_RESTRICTION", restrictionsOf],
  [
    "ACCOUNT_VIOLATION",
    (value) => ({ profile: { wabaViolation: textOf(recordOf(value["violation_info"])["violation_type"]) ?? null } }),
  ],
]);

export const accountUpdateOf: ChangeReader = ({ at, value }) => {
  const read = ACCOUNT_EVENTS.get(value["event"]);
  return [read ? { kind: "health", at, ...read(value) } : unknownEvent(at, `account_update ${nameOf(value["event"])}`)];
};

const profileEvent = (at: number, profile: Record<string, unknown>, isInDoubt = false): ChannelEvent[] => [
  { kind: "health", at, profile, ...(isInDoubt ? { isInDoubt } : {}) },
];

/**
 * The throughput, or the number of conversations that the owner may begin. The webhook does not contain the rating, so
 * the network is asked.
 */
export const qualityOf: ChangeReader = ({ at, value }) => {
  const limit = textOf(value["max_daily_conversations_per_business"]) ?? textOf(value["current_limit"]);
  const profile = {
    ...(limit === undefined ? {} : limitProfile(limit)),
    ...(value["event"] === "THROUGHPUT_UPGRADE" ? { wabaThroughputLevel: "HIGH" } : {}),
  };
  return profileEvent(at, profile, true);
};

/** The decision about a name that the owner requested. */
export const nameDecisionOf: ChangeReader = ({ at, value }) => {
  const [decision, name] = [textOf(value["decision"]) ?? null, textOf(value["requested_verified_name"])];
  const isTaken = decision === "APPROVED" && name !== undefined;
  return profileEvent(at, {
    wabaNameDecision: decision,
    wabaNameRejection: textOf(value["rejection_reason"]) ?? null,
    ...(isTaken ? { wabaVerifiedName: name } : {}),
  });
};

/** The present limit of the business: a number here, elsewhere the name of a tier. */
export const capabilityOf: ChangeReader = ({ at, value }) => {
  const limit = textOf(value["max_daily_conversations_per_business"]);
  return profileEvent(at, limit === undefined ? {} : limitProfile(limit));
};

export const reviewOf: ChangeReader = ({ at, value }) =>
  profileEvent(at, { wabaReviewDecision: textOf(value["decision"]) ?? null });

/** The number's own username; without one after it is given up. */
export const ownUsernameOf: ChangeReader = ({ at, value }) =>
  profileEvent(at, { wabaUsername: textOf(value["username"]) ?? null });
