import { type ChannelEvent, isKnown } from "../../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../../meta/json.ts";
import { type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./change.ts";
import { contactIdentity, identityOf, numberFrom, userIdFrom } from "./people.ts";

/** Users whose ids have changed. */
export const userIdsOf: ChangeReader = ({ at, value }) =>
  listOf(value["user_id_update"]).map((update) => userIdEvent(recordOf(update), at));

const userIdEvent = (update: Json, at: number): ChannelEvent => {
  const [ids, parents] = [pairOf(update["user_id"]), pairOf(update["parent_user_id"])];
  const identity = identityOf({ pn: numberFrom(update["wa_id"]), bsuid: ids.current, parentBsuid: parents.current });
  const before = identityOf({ bsuid: ids.previous, parentBsuid: parents.previous });
  const changedAt = millisecondsOf(update["timestamp"]) || at;
  return isKnown(identity)
    ? { kind: "known", at: changedAt, identity, ...(isKnown(before) ? { before } : {}) }
    : unknownEvent(changedAt, "user id update of nobody");
};

/** An id with the previous one, or an id alone. */
const pairOf = (value: unknown): { previous: string | undefined; current: string | undefined } => {
  const { previous, current } = recordOf(value);
  return { previous: userIdFrom(previous), current: userIdFrom(current) ?? userIdFrom(value) };
};

/**
 * Preferences of users about marketing messages: `unknown` events, because no API shows them yet. The users' ids become
 * `known` events.
 */
export const preferencesOf: ChangeReader = ({ at, value, contacts }) => [
  ...contacts.flatMap((contact): ChannelEvent[] => {
    const [identity, name] = [contactIdentity(contact), textOf(recordOf(contact["profile"])["name"])];
    return isKnown(identity) ? [{ kind: "known", at, identity, ...(name === undefined ? {} : { name }) }] : [];
  }),
  ...listOf(value["user_preferences"]).map((one) => {
    const { category, value: wish, timestamp } = recordOf(one);
    return unknownEvent(millisecondsOf(timestamp) || at, `preference ${nameOf(category)} ${nameOf(wish)}`);
  }),
];
