import type { Presence } from "../../../contract/abilities/people.ts";
import type { EventResponse } from "../../../contract/events.ts";
import type { Contact, MessageReceived, MessageSent } from "../../../core/domain-event.ts";
import type { EventOf } from "../../../core/events/definitions/index.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { groupJidOf } from "../../shared/compatible/addresses.ts";
import type { EventContext } from "../../shared/compatible/event-context.ts";
import type { ShownGroup } from "../../shared/compatible/groups.ts";
import { chatIdOf, chatIdOfKey, chatIdOfNumber, wahaMessageId } from "../addresses.ts";
import { ACKS, type Ack, messageView } from "../message-views.ts";
import { meOf, type SessionStatus } from "../session-views.ts";

const secondsOf = (ms: number): number => Math.floor(ms / SECOND_MS);

const meIn = (context: EventContext): string | null => meOf(context)?.id ?? null;

/** The author of a message in a group. In a chat of two nobody needs to be named. */
const participantIn = (chat: Contact, author: Contact | null): { participant?: string } =>
  chat.type === "group" && author ? { participant: chatIdOf(author) } : {};

/** The ends of a message, as WAHA names them. */
type Ends = { chat: Contact; messageId: string; author: Contact | null };
const endsOf = ({ chat, messageId: id, author }: Ends, me: string | null) => {
  const [chatId, fromMe] = [chatIdOf(chat), author === null];
  const { participant } = participantIn(chat, author);
  return {
    id: wahaMessageId({ fromMe, chatId, id, participant }),
    from: chatId,
    fromMe,
    to: fromMe || participant !== undefined ? chatId : me,
    participant: participant ?? null,
  };
};

export const receivedData = (received: MessageReceived, context: EventContext) => {
  const { messageId, at, direction, chat, from, pushName, content, media, quotedMessageId } = received;
  const fromMe = direction === "outbound";
  const view = messageView({
    id: messageId,
    chatId: chatIdOf(chat),
    fromMe,
    ...participantIn(chat, fromMe ? null : from),
    me: meIn(context),
    at,
    said: content,
    ack: fromMe ? "SERVER" : "DEVICE",
    pushName,
    quotedId: quotedMessageId,
  });
  // its address is put in with each attempt, because it ends
  return media === null
    ? view
    : { ...view, media: { url: null, mimetype: media.contentType, filename: media.filename, error: null } };
};

export const sentData = ({ to, messageId, said, at }: MessageSent, context: EventContext) =>
  messageView({
    id: messageId,
    chatId: chatIdOf(to),
    fromMe: true,
    me: meIn(context),
    at,
    said,
    ack: "SERVER",
    source: "api",
  });

export const ackData =
  (ackName: Ack) =>
  ({ to: chat, messageId, error }: Pick<MessageSent, "to" | "messageId" | "error">, context: EventContext) => ({
    ...endsOf({ chat, messageId, author: null }, meIn(context)),
    ack: ACKS[ackName],
    ackName,
    ...(error ? { error: error.message } : {}),
  });

export const isInGroup = ({ to }: MessageSent): boolean => to.type === "group";

/** What remains of a message that was deleted for everyone is its place. */
export const revokedData = ({ to: chat, messageId, at }: EventOf<"message.deleted">, context: EventContext) => ({
  after: {
    ...endsOf({ chat, messageId, author: context.author }, meIn(context)),
    timestamp: secondsOf(at),
    body: null,
    hasMedia: false,
  },
  before: null,
  revokedMessageId: messageId,
});

export const editedData = (event: EventOf<"message.edited">, context: EventContext) => {
  const { chat, messageId, from, at, text } = event;
  return {
    ...endsOf({ chat, messageId, author: from }, meIn(context)),
    timestamp: secondsOf(at),
    body: text,
    hasMedia: false,
    editedMessageId: messageId,
  };
};

/** A reaction has an id of its own: programs that keep messages by their ids take another for a repeat. */
export const reactionData = (event: EventOf<"message.reacted">, context: EventContext) => {
  const { chat, messageId, from, at, emoji } = event;
  return {
    ...endsOf({ chat, messageId: context.eventId, author: from }, meIn(context)),
    timestamp: secondsOf(at),
    source: "app",
    reaction: { text: emoji, messageId: endsOf({ chat, messageId, author: context.author }, meIn(context)).id },
  };
};

/** A vote has an id of its own, as a reaction has. */
export const voteData = (event: EventOf<"message.poll_vote">, context: EventContext) => {
  const { chat, messageId, from, at, options, totals } = event;
  return {
    vote: {
      ...endsOf({ chat, messageId: context.eventId, author: from }, meIn(context)),
      selectedOptions: options,
      timestamp: at,
    },
    poll: endsOf({ chat, messageId, author: context.author }, meIn(context)),
    _data: { totals },
  };
};

/** TABLE: WAHA's words for answers to an event. */
const RESPONSES: Record<EventResponse, string> = { going: "GOING", maybe: "MAYBE", not_going: "NOT_GOING" };

export const responseData = (event: EventOf<"message.event_response">, context: EventContext) => {
  const { chat, messageId, from, at, response, extraGuests } = event;
  return {
    ...endsOf({ chat, messageId: context.eventId, author: from }, meIn(context)),
    timestamp: secondsOf(at),
    eventCreationKey: endsOf({ chat, messageId, author: context.author }, meIn(context)),
    eventResponse: { response: RESPONSES[response], timestampMs: at, extraGuestCount: extraGuests },
  };
};

/** TABLE: WAHA's words for presences. */
const PRESENCE_WORDS: Record<Presence, string> = {
  available: "online",
  unavailable: "offline",
  composing: "typing",
  recording: "recording",
  paused: "paused",
};

export const presenceData = ({ contact, chat, state, lastSeenAt }: EventOf<"contact.presence">) => ({
  id: chatIdOf(chat),
  presences: [
    {
      participant: chatIdOf(contact),
      lastKnownPresence: PRESENCE_WORDS[state],
      lastSeen: lastSeenAt === null ? null : secondsOf(lastSeenAt),
    },
  ],
});

const personId = (waId: string): string =>
  waId.startsWith("lid:") ? `${waId.slice("lid:".length)}@lid` : chatIdOfNumber(waId);

const memberOf = (waId: string, role: string) => ({
  id: personId(waId),
  ...(waId.startsWith("lid:") ? {} : { pn: chatIdOfNumber(waId) }),
  role,
});

/** A group in the shape of WAHA's events of groups. */
const groupIn = (group: ShownGroup) => ({
  id: groupJidOf(group),
  subject: group.subject,
  description: group.description,
  membersCanAddNewMember: group.rules ? !group.rules.onlyAdminsAdd : null,
  membersCanSendMessages: group.rules ? !group.rules.onlyAdminsSend : null,
  participants: group.participants.map(({ waId, isAdmin }) => memberOf(waId, isAdmin ? "admin" : "participant")),
});

export const joinedData = (_: EventOf<"group.lifecycle">, { group, publishedAt }: EventContext) =>
  group && { timestamp: secondsOf(publishedAt), group: groupIn(group) };

export const leftData = ({ upstreamGroupId }: EventOf<"group.lifecycle">, { publishedAt }: EventContext) => ({
  timestamp: secondsOf(publishedAt),
  group: { id: groupJidOf({ upstreamGroupId }) },
});

export const groupData = (event: EventOf<"group.settings">, { group, publishedAt }: EventContext) => {
  const { subject, description, inviteLink, joinApprovalMode, rules = {} } = event;
  const given = Object.entries({
    subject,
    description,
    invite: inviteLink,
    membersCanAddNewMember: rules.onlyAdminsAdd === undefined ? undefined : !rules.onlyAdminsAdd,
    membersCanSendMessages: rules.onlyAdminsSend === undefined ? undefined : !rules.onlyAdminsSend,
    newMembersApprovalRequired: joinApprovalMode && joinApprovalMode === "APPROVAL_REQUIRED",
  }).filter(([, value]) => value !== undefined);
  return group && { timestamp: secondsOf(publishedAt), group: { id: groupJidOf(group), ...Object.fromEntries(given) } };
};

/** TABLE: WAHA's words for changes of people, and the role that they have afterwards. */
const CHANGES = {
  join: ["join", "participant"],
  leave: ["leave", "left"],
  remove: ["leave", "left"],
  promote: ["promote", "admin"],
  demote: ["demote", "participant"],
} as const;

export const participantsData = (event: EventOf<"group.participants">, { group, publishedAt }: EventContext) => {
  const [type, role] = CHANGES[event.action];
  return (
    group && {
      group: { id: groupJidOf(group) },
      type,
      timestamp: secondsOf(publishedAt),
      participants: event.waIds.map((waId) => memberOf(waId, role)),
    }
  );
};

/** TABLE: WAHA's words for what becomes of a request to join. */
const REQUESTS = { requested: "created", withdrawn: "revoked", rejected: "rejected" } as const;

/** WAHA has an event for each person. Several who ask at once are in the list beside the first. */
export const joinRequestData = (event: EventOf<"group.join-requests">, { group, publishedAt }: EventContext) => {
  const [waId] = event.waIds;
  if (!group || waId === undefined) return null;
  return {
    group: { id: groupJidOf(group) },
    action: REQUESTS[event.action],
    requesterId: personId(waId),
    requesterPn: waId.startsWith("lid:") ? null : chatIdOfNumber(waId),
    requestMethod: event.way?.replaceAll("-", "_") ?? null,
    timestamp: secondsOf(publishedAt),
    _data: { requesterIds: event.waIds.map(personId) },
  };
};

export const isAboutArchive = ({ changed }: EventOf<"chat.changed">): boolean => changed.includes("archived");

export const archiveData = ({ chat, at, isArchived }: EventOf<"chat.changed">) => ({
  id: chatIdOf(chat),
  archived: isArchived,
  timestamp: at,
});

type Ring = EventOf<"call.offer"> | EventOf<"call.changed">;

/** Whether somebody calls the session. WAHA shows no other calls. */
export const isIncoming = (event: Ring): boolean => !("direction" in event) || event.direction === "INBOUND";

export const callData = (event: Ring, { call }: EventContext) => {
  if (!call) return null;
  const { group, isVideo = false } = event.type === "call.changed" ? event : { group: undefined, isVideo: undefined };
  return {
    id: event.upstreamCallId ?? event.callId,
    from: chatIdOfKey(call.peer),
    timestamp: secondsOf(call.startedAt ?? call.createdAt),
    isVideo,
    isGroup: group !== undefined,
  };
};

export const statusData =
  (status: SessionStatus) =>
  (_: unknown, { label: name, publishedAt }: EventContext) => ({
    name,
    status,
    statuses: [{ status, timestamp: publishedAt }],
  });
