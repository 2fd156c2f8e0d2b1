import { type ChannelEvent, type HolderRole, isKnown } from "../../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../../meta/json.ts";
import { type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./change.ts";
import { messageEvent, messagesOf } from "./messages.ts";
import { addresseeOf, identityOf, numberFrom, userIdFrom } from "./people.ts";

/**
 * Reads the field `standby`: messages in conversations that another app leads, by people and by that app. The value is
 * that of `messages`, one level deeper; an empty value has no event.
 */
export const standbyOf: ChangeReader = (change) => {
  const standby = recordOf(change.value["standby"]);
  const contacts = listOf(standby["contacts"]).map(recordOf);
  const echoes = listOf(standby["message_echoes"]).map((echo) => echoEvent(recordOf(echo), { ...change, contacts }));
  const events = [...messagesOf({ ...change, value: standby, contacts }).map(asHeld), ...echoes];
  return events.length > 0 ? events : [unknownEvent(change.at, "standby with nothing in it")];
};

/** The role of the leading app is not named. */
const asHeld = (event: ChannelEvent): ChannelEvent => (event.kind === "received" ? { ...event, heldBy: {} } : event);

/**
 * A message that the other app sent: the body of its send, in an envelope of its own. A template is named there, and
 * described beside it.
 */
const echoEvent = (
  echo: Json,
  { contacts, own }: { contacts: readonly Json[]; own: ReturnType<typeof identityOf> },
) => {
  const body = recordOf(echo["message"] ?? echo);
  const message = { ...body, id: echo["id"], timestamp: echo["timestamp"] };
  const at = millisecondsOf(echo["timestamp"]);
  const chat = addresseeOf({ ...body, to_user_id: body["to_user_id"] ?? body["recipient"] }, contacts);
  if (!isKnown(chat)) return unknownEvent(at, "standby echo without a recipient");
  const from = isKnown(own) ? own : identityOf({ pn: numberFrom(body["from"]) });
  return asHeld(
    messageEvent(readable(message, echo), { from: isKnown(from) ? from : chat, chat, pushName: null, isOwn: true }),
  );
};

/** A template as the text that people see; other messages are read like received ones. */
const readable = (message: Json, echo: Json): Json => {
  if (message["type"] !== "template") return message;
  const name = textOf(recordOf(message["template"])["name"]) ?? "";
  const body = listOf(recordOf(echo["template"])["components"])
    .map(recordOf)
    .find(({ type }) => textOf(type)?.toUpperCase() === "BODY");
  return { ...message, type: "text", text: { body: textOf(body?.["text"]) ?? `[${name}]` } };
};

/** The roles that the network names, the newer field first. */
const roleOf = (control: Json, whose: "new" | "previous"): HolderRole => {
  const role = textOf(control[`${whose}_owner_role`]) ?? textOf(control[`${whose}_owner_app_role`]);
  return role === undefined ? {} : { role: role.slice(0, 60) };
};

/**
 * Reads the field `messaging_handovers`. `control_passed` comes to the app that leads the conversation now,
 * `control_taken` to the one that no longer does.
 */
export const handoversOf: ChangeReader = ({ at: entryAt, value }) => {
  const type = textOf(value["type"]) ?? "";
  const at = millisecondsOf(value["timestamp"]) || entryAt;
  const sender = recordOf(value["sender"]);
  const chat = identityOf({
    pn: numberFrom(sender["phone_number"] ?? sender["wa_id"]),
    bsuid: userIdFrom(sender["user_id"]),
    parentBsuid: userIdFrom(sender["parent_user_id"]),
  });
  if (type !== "control_passed" && type !== "control_taken") return [unknownEvent(at, `handover ${nameOf(type)}`)];
  if (!isKnown(chat)) return [unknownEvent(at, `${type} without a person`)];
  const control = recordOf(value[type]);
  const note = textOf(control["metadata"])?.slice(0, 2000);
  return [
    {
      kind: "holder",
      at,
      nativeId: [type, chat.bsuid ?? chat.pn, at].join("/"),
      chat,
      heldBy: type === "control_passed" ? null : roleOf(control, "new"),
      ...(note === undefined ? {} : { note }),
    },
  ];
};
