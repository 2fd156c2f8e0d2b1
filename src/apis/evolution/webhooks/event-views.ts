import type { EventOf } from "../../../core/events/definitions/index.ts";
import { iso, SECOND_MS } from "../../../kernel/clock.ts";
import { groupJidOf, jidOf, jidOfKey } from "../../shared/compatible/addresses.ts";
import type { EventContext } from "../../shared/compatible/event-context.ts";
import { personJid, withPeople } from "../group-views.ts";

export const newChatData = ({ conversation, chat }: EventOf<"conversation.created">, { id }: EventContext) => [
  { remoteJid: jidOfKey(chat), instanceId: id, unreadMessages: conversation.unreadCount },
];

/** Evolution names the chat alone. The rest is what WhatsApp's own clients call it. */
export const changedChatData = (
  { chat, isArchived, isPinned, isMarkedUnread, mutedUntil }: EventOf<"chat.changed">,
  { id }: EventContext,
) => [
  {
    remoteJid: jidOf(chat),
    instanceId: id,
    archived: isArchived,
    pinned: isPinned,
    markedAsUnread: isMarkedUnread,
    muteEndTime: mutedUntil === null ? null : Math.floor(mutedUntil / SECOND_MS),
  },
];

export const isGone = ({ changed }: EventOf<"chat.changed">): boolean => changed.includes("deleted");

export const changedContactData = ({ contact, chat }: EventOf<"contact.updated">, { id }: EventContext) => [
  { remoteJid: jidOfKey(chat), pushName: contact.name, profilePicUrl: null, instanceId: id },
];

export const labelData = ({ label, isDeleted }: EventOf<"label.changed">, { label: instance }: EventContext) => ({
  ...label,
  deleted: isDeleted,
  instance,
});

export const labelledData = (
  { chat, label, isLabelled }: EventOf<"chat.labelled">,
  { label: instance }: EventContext,
) => ({
  instance,
  type: isLabelled ? "add" : "remove",
  chatId: jidOf(chat),
  labelId: label.id,
});

export const newGroupData = (_: EventOf<"group.lifecycle">, { group }: EventContext) => group && [withPeople(group)];

const authorOf = ({ by }: { by?: string }) => (by === undefined ? {} : { author: personJid(by) });

export const groupData = (event: EventOf<"group.settings">, { group }: EventContext) => {
  const { subject, description, inviteLink, joinApprovalMode, rules = {} } = event;
  const given = Object.entries({
    subject,
    desc: description,
    inviteCode: inviteLink?.slice(inviteLink.lastIndexOf("/") + 1),
    joinApprovalMode: joinApprovalMode && joinApprovalMode === "APPROVAL_REQUIRED",
    restrict: rules.onlyAdminsEdit,
    announce: rules.onlyAdminsSend,
    memberAddMode: rules.onlyAdminsAdd === undefined ? undefined : !rules.onlyAdminsAdd,
  }).filter(([, value]) => value !== undefined);
  return group && [{ id: groupJidOf(group), ...authorOf(event), ...Object.fromEntries(given) }];
};

/** TABLE: the words of phones for changes of people. */
const ACTIONS = { join: "add", leave: "remove", remove: "remove", promote: "promote", demote: "demote" } as const;

export const participantsData = (event: EventOf<"group.participants">, { group }: EventContext) => {
  const participants = event.waIds.map(personJid);
  return (
    group && {
      id: groupJidOf(group),
      ...authorOf(event),
      participants,
      participantsData: participants.map((jid) => ({
        jid,
        ...(jid.endsWith("@lid") ? {} : { phoneNumber: jid }),
      })),
      action: ACTIONS[event.action],
    }
  );
};

type Ring = EventOf<"call.offer"> | EventOf<"call.changed">;

/** TABLE: the words of phones for the progress of a call. */
const CALL_WORDS = {
  RINGING: "offer",
  ACCEPTED: "accept",
  IN_PROGRESS: "accept",
  COMPLETED: "terminate",
  REJECTED: "reject",
  MISSED: "timeout",
  FAILED: "terminate",
} as const;

/** Whether somebody calls the instance. Evolution shows no other calls. */
export const isIncoming = (event: Ring): boolean => !("direction" in event) || event.direction === "INBOUND";

export const callData = (event: Ring, { call }: EventContext) => {
  if (!call) return null;
  const from = jidOfKey(call.peer);
  const { group, isVideo } = event.type === "call.changed" ? event : { group: undefined, isVideo: false };
  const groupJid = group && groupJidOf({ upstreamGroupId: group });
  return {
    id: event.upstreamCallId ?? event.callId,
    chatId: groupJid ?? from,
    from,
    isGroup: groupJid !== undefined,
    ...(groupJid === undefined ? {} : { groupJid }),
    ...(isVideo === undefined ? {} : { isVideo }),
    date: iso(call.startedAt ?? call.createdAt),
    offline: false,
    status: CALL_WORDS[event.type === "call.changed" ? event.status : "RINGING"],
  };
};

export const historyData = ({ percent, imported }: EventOf<"history.progressed">) => ({
  messageCount: imported,
  progress: percent,
});
