/** TABLE: the events of this API, by the names that webhooks/set takes. Some clients write one of them in another way. */
export const EVENT_NAMES = {
  MESSAGES_SET: "messages.set",
  MESSAGES_UPSERT: "messages.upsert",
  MESSAGES_EDITED: "messages.edited",
  MESSAGES_UPDATE: "messages.update",
  MESSAGES_DELETE: "messages.delete",
  SEND_MESSAGE: "send.message",
  CONTACTS_UPSERT: "contacts.upsert",
  CONTACTS_UPDATE: "contacts.update",
  PRESENCE_UPDATE: "presence.update",
  CHATS_UPSERT: "chats.upsert",
  CHATS_UPDATE: "chats.update",
  CHATS_DELETE: "chats.delete",
  GROUPS_UPSERT: "groups.upsert",
  GROUPS_UPDATE: "groups.update",
  GROUP_UPDATE: "groups.update",
  GROUP_PARTICIPANTS_UPDATE: "group-participants.update",
  LABELS_EDIT: "labels.edit",
  LABELS_ASSOCIATION: "labels.association",
  CALL: "call",
  CONNECTION_UPDATE: "connection.update",
  QRCODE_UPDATED: "qrcode.updated",
  MESSAGING_HISTORY_SET: "messaging-history.set",
} as const;
export type EventName = keyof typeof EVENT_NAMES;
export type EventType = (typeof EVENT_NAMES)[EventName];

/** Evolution's other names. A webhook may ask for them, but gets nothing: Recado publishes no such events. */
const SILENT_NAMES = [
  "APPLICATION_STARTUP",
  "SEND_MESSAGE_UPDATE",
  "CONTACTS_SET",
  "CHATS_SET",
  "TYPEBOT_START",
  "TYPEBOT_CHANGE_STATUS",
  "REMOVE_INSTANCE",
  "LOGOUT_INSTANCE",
  "INSTANCE_CREATE",
  "INSTANCE_DELETE",
  "STATUS_INSTANCE",
] as const;

/** The names that a webhook may ask for. */
export const ASKED_NAMES = [...(Object.keys(EVENT_NAMES) as EventName[]), ...SILENT_NAMES] as const;
