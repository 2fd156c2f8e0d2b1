/** TABLE: the events of this API, by the names that webhooks/set takes. */
export const EVENT_NAMES = {
  MESSAGES_SET: "messages.set",
  MESSAGES_UPSERT: "messages.upsert",
  MESSAGES_EDITED: "messages.edited",
  MESSAGES_UPDATE: "messages.update",
  MESSAGES_DELETE: "messages.delete",
  SEND_MESSAGE: "send.message",
  CONTACTS_UPSERT: "contacts.upsert",
  PRESENCE_UPDATE: "presence.update",
  GROUPS_UPSERT: "groups.upsert",
  CONNECTION_UPDATE: "connection.update",
  QRCODE_UPDATED: "qrcode.updated",
} as const;
export type EventName = keyof typeof EVENT_NAMES;
export type EventType = (typeof EVENT_NAMES)[EventName];

/** Evolution's other names. A webhook may ask for them, but gets nothing: Recado publishes no such events. */
const SILENT_NAMES = [
  "APPLICATION_STARTUP",
  "SEND_MESSAGE_UPDATE",
  "CONTACTS_SET",
  "CONTACTS_UPDATE",
  "CHATS_SET",
  "CHATS_UPSERT",
  "CHATS_UPDATE",
  "CHATS_DELETE",
  "GROUP_UPDATE",
  "GROUPS_UPDATE",
  "GROUP_PARTICIPANTS_UPDATE",
  "LABELS_EDIT",
  "LABELS_ASSOCIATION",
  "CALL",
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
