import type { ChannelEvent } from "../../src/contract/events.ts";
import type { Route } from "../../src/contract/webhooks.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { parseRecord, textOf } from "../meta/json.ts";
import {
  accountUpdateOf,
  capabilityOf,
  nameDecisionOf,
  ownUsernameOf,
  qualityOf,
  reviewOf,
} from "./inbound/account.ts";
import { callsOf } from "./inbound/calls.ts";
import { type Change, type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./inbound/change.ts";
import { addressBookOf, echoesOf, historyOf } from "./inbound/coexistence.ts";
import { groupsOf } from "./inbound/groups.ts";
import { handoversOf, standbyOf } from "./inbound/handovers.ts";
import { messagesOf } from "./inbound/messages.ts";
import { identityOf, numberFrom } from "./inbound/people.ts";
import { templateChange, withTextIds } from "./inbound/templates.ts";
import { preferencesOf, userIdsOf } from "./inbound/users.ts";

type RoutedEvent = { route: Route; event: ChannelEvent };

const ENVELOPE = "whatsapp_business_account";

/**
 * TABLE: the fields that concern one number and its chats. Without the number, one customer's events would reach every
 * channel of the account.
 */
const CHAT_FIELDS: ReadonlyMap<unknown, ChangeReader> = new Map([
  ["messages", messagesOf],
  ["calls", callsOf],
  ["history", historyOf],
  ["smb_message_echoes", echoesOf],
  ["smb_app_state_sync", addressBookOf],
  ["standby", standbyOf],
  ["messaging_handovers", handoversOf],
  ["user_id_update", userIdsOf],
  ["user_preferences", preferencesOf],
  ["group_lifecycle_update", groupsOf],
  ["group_participants_update", groupsOf],
  ["group_settings_update", groupsOf],
  ["group_status_update", groupsOf],
]);

/** TABLE: the fields that concern an account, or one of its numbers. */
const ACCOUNT_FIELDS: ReadonlyMap<unknown, ChangeReader> = new Map([
  ["account_update", accountUpdateOf],
  ["account_review_update", reviewOf],
  ["business_capability_update", capabilityOf],
  ["business_username_update", ownUsernameOf],
  ["business_username_updates", ownUsernameOf],
  ["phone_number_username_update", ownUsernameOf],
  ["phone_number_quality_update", qualityOf],
  ["phone_number_name_update", nameDecisionOf],
  ["message_template_status_update", templateChange],
  ["message_template_quality_update", templateChange],
  ["message_template_components_update", templateChange],
  ["template_category_update", templateChange],
]);

/** Whether an envelope is this network's; both of Meta's arrive at the same address under the same signature. */
export const isWabaEnvelope = (rawBody: string): boolean => parseRecord(rawBody)?.["object"] === ENVELOPE;

/**
 * Every event of a webhook envelope, in its order, routed by its number or its account. All other changes become an
 * `unknown` event. Never throws.
 */
export const routedEventsOf = (rawBody: string): RoutedEvent[] => {
  const envelope = parseRecord(withTextIds(rawBody));
  if (!envelope) return [{ route: { by: "account", id: "" }, event: unknownEvent(0, "body that is no JSON object") }];
  const entries = listOf(envelope["entry"]).map(recordOf);
  const route: Route = { by: "account", id: textOf(entries[0]?.["id"]) ?? "" };
  if (envelope["object"] !== ENVELOPE)
    return [{ route, event: unknownEvent(0, `object ${nameOf(envelope["object"])}`) }];
  return entries.length > 0
    ? entries.flatMap(entryDetails)
    : [{ route, event: unknownEvent(0, "envelope without entries") }];
};

const entryDetails = (entry: Json): RoutedEvent[] => {
  const changes = listOf(entry["changes"]).map(recordOf);
  if (changes.length > 0) return changes.flatMap((change) => changeDetails(entry, change));
  return [
    {
      route: { by: "account", id: textOf(entry["id"]) ?? "" },
      event: unknownEvent(millisecondsOf(entry["time"]), "entry without changes"),
    },
  ];
};

const changeDetails = (entry: Json, raw: Json): RoutedEvent[] => {
  const value = recordOf(raw["value"]);
  // a handover names the number as the recipient
  const metadata = recordOf(value["metadata"] ?? value["recipient"]);
  const change: Change = {
    field: nameOf(raw["field"] ?? value["field"] ?? entry["field"]), // samples have it in all three places
    at: millisecondsOf(entry["time"]),
    value,
    contacts: listOf(value["contacts"]).map(recordOf),
    own: identityOf({ pn: numberFrom(metadata["display_phone_number"]) }),
  };
  const numberId = textOf(metadata["phone_number_id"]);
  const route: Route = numberId === undefined ? accountRoute(entry, value) : { by: "number", id: numberId };
  return eventsOf(change, numberId !== undefined).map((event) => ({ route, event }));
};

/**
 * Updates of a partnership come under the partner's id and name the account inside; others name one number of the
 * account.
 */
const accountRoute = (entry: Json, value: Json): Route => {
  const id = textOf(recordOf(value["waba_info"])["waba_id"]) ?? textOf(entry["id"]) ?? "";
  const phoneNumber = numberFrom(value["display_phone_number"]) ?? numberFrom(value["phone_number"]);
  return { by: "account", id, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
};

const eventsOf = (change: Change, hasNumber: boolean): ChannelEvent[] => {
  const { field, at, value } = change;
  const ofChats = CHAT_FIELDS.get(field);
  if (ofChats && !hasNumber) return [unknownEvent(at, `${field} without a phone_number_id`)];
  const read = ofChats ?? ACCOUNT_FIELDS.get(field);
  const what = textOf(value["event"]);
  if (!read) return [unknownEvent(at, `field ${field}${what === undefined ? "" : ` ${nameOf(what)}`}`)];
  const events = read(change);
  return events.length > 0 ? events : [unknownEvent(at, `${field} with nothing in it`)];
};
