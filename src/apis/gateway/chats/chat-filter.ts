import { type Static, Type } from "@sinclair/typebox";
import { CHAT_LEADERS } from "../../../core/ai/conversations/chat-leads.ts";
import { CHAT_ORDERS, type ChatFilter } from "../../../core/conversations/chats.ts";
import { CONVERSATION_STATUSES } from "../../../core/conversations/conversations.ts";
import { HOUR_MS } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, issue, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { Cursor } from "../../shared/fields.ts";
import { QueryText } from "../schemas.ts";

const LONGEST_WAIT_HOURS = 720;
export const ChatQuery = Type.Object({
  phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
  state: Type.Optional(OneOf(CONVERSATION_STATUSES, { description: "Only entries in this state" })),
  unread: Type.Optional(
    OneOf(["true", "false"], { description: "Only chats with unread messages, or only chats without" }),
  ),
  archived: Type.Optional(
    OneOf(["true", "false"], { description: "Only chats that the phone's own app has archived, or only others" }),
  ),
  label: Type.Optional(Text(1, 200, "Only chats with this label of WhatsApp Business, by its id")),
  leader: Type.Optional(OneOf(CHAT_LEADERS, { description: "Who leads the chat: another app, the agent or a person" })),
  assignee: Type.Optional(Text(1, 60, "The id of a member, or `nobody`")),
  contactId: Type.Optional(described(Uuid(), "Only entries with this contact")),
  q: Type.Optional(Text(1, 200, "Words of the contact's name, e-mail and tags, or four digits of the number")),
  tag: Type.Optional(Text(1, 50, "Only chats whose contact has exactly this tag")),
  snoozed: Type.Optional(OneOf(["true", "false"], { description: "Only snoozed chats, or only others" })),
  waitingHours: Type.Optional(
    described(
      Type.String(describedAs({ type: "integer", minimum: 1, maximum: LONGEST_WAIT_HOURS })),
      "Only open chats whose contact has waited for an answer for so many hours, up to 720",
    ),
  ),
  sort: Type.Optional(
    OneOf(CHAT_ORDERS, {
      description: "`activity`: the newest message first. `waiting`: only chats that wait, the longest wait first",
    }),
  ),
  limit: described(QueryText, "How many at most; 50 by default, up to 200"),
  cursor: Type.Optional(Cursor(Text(1, 60))),
});

/** @throws AppError VALIDATION for what is no whole number from 1 to 720 */
const hoursIn = (text: string): number => {
  const hours = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (hours < 1 || hours > LONGEST_WAIT_HOURS)
    throw invalid(issue("waitingHours", "pattern", `must be a whole number from 1 to ${LONGEST_WAIT_HOURS}`));
  return hours;
};

/** The filter of a list of chats, but for the leader. @throws AppError VALIDATION */
export const chatFilter = (query: Static<typeof ChatQuery>, nowMs: number): ChatFilter => {
  const { phoneId, state, unread, archived, label, assignee, contactId, q, limit, cursor } = query;
  const { tag, snoozed, waitingHours, sort } = query;
  return {
    tag,
    isSnoozed: isTrue(snoozed),
    waitingUntil: waitingHours === undefined ? undefined : nowMs - hoursIn(waitingHours) * HOUR_MS,
    order: sort,
    channelId: phoneId,
    status: state,
    isUnread: isTrue(unread),
    isArchived: isTrue(archived),
    labelId: label,
    assignee: assignee === "nobody" ? null : assignee,
    contactId,
    q,
    cursor,
    limit: gatewayLimit(limit),
  };
};

const isTrue = (word: "true" | "false" | undefined): boolean | undefined => word && word === "true";
