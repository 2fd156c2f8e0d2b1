import { AlarmClock, Bot, CircleUserRound, PencilLine } from "lucide-preact";
import { href } from "../../../frame/base.ts";
import { dateMinute, number, shortTime } from "../../../frame/texts/format.ts";
import { Avatar } from "../../../parts/people/avatar.tsx";
import { nameOf } from "../../../parts/people/contact-names.ts";
import { PhoneName } from "../../../parts/phones/phones.tsx";
import { cannedTexts } from "../composer/canned/texts.ts";
import { keptDraft } from "../composer/drafts.ts";
import type { Chat } from "../data.ts";
import { StatusMark } from "../status.tsx";
import { inboxTexts } from "../texts.ts";
import { colleagueIn } from "../work/colleagues.ts";
import { workTexts } from "../work/texts.ts";

type RowProps = {
  chat: Chat;
  isCurrent: boolean;
  search: string;
  onOpen: (id: string) => void;
  /** Whether a row names the phone of its chat. */
  hasPhone: boolean;
};

export const Row = ({ chat, isCurrent, search, onOpen, hasPhone }: RowProps) => {
  const t = inboxTexts();
  const w = workTexts();
  const colleague = colleagueIn(chat.id);
  const name = nameOf(chat, t.deletedContact);
  const draft = isCurrent ? "" : keptDraft(chat.id);
  return (
    <a
      class={`chat-row ${chat.unreadCount > 0 ? "unread" : ""}`}
      href={`${href(`/inbox/${chat.id}`)}${search}`}
      {...(isCurrent ? { "aria-current": "true" as const } : {})}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(chat.id);
      }}
    >
      <Avatar name={name} of={chat.contact?.id ?? chat.id} />
      <span class="chat-name" dir="auto">
        {name}
      </span>
      <time dateTime={chat.lastMessageAt}>{shortTime(chat.lastMessageAt)}</time>
      <span class="chat-preview">{draft === "" ? <Preview chat={chat} /> : <Draft text={draft} />}</span>
      <span class="chat-marks">
        {colleague !== undefined && (
          <PencilLine class="answering" size={15} role="img" aria-label={w.answering(colleague || w.somebody)} />
        )}
        {chat.snoozedUntil && <AlarmClock size={15} role="img" aria-label={w.snoozed(dateMinute(chat.snoozedUntil))} />}
        {chat.leader === "agent" && <Bot size={15} role="img" aria-label={t.ledByAgent} />}
        {chat.assignee && <CircleUserRound size={15} role="img" aria-label={t.assignedTo(chat.assignee.name)} />}
        {chat.unreadCount > 0 && (
          <span class="count" role="img" aria-label={t.unread(chat.unreadCount)}>
            {number(chat.unreadCount)}
          </span>
        )}
      </span>
      {hasPhone && (
        <span class="chat-phone">
          <PhoneName id={chat.phoneId} />
        </span>
      )}
    </a>
  );
};

/** A begun answer in one line. */
const Draft = ({ text }: { text: string }) => (
  <>
    <span class="chat-draft">{cannedTexts().draft}</span> <bdi>{text}</bdi>
  </>
);

/** The newest message in one line. */
const Preview = ({ chat: { lastMessage } }: { chat: Chat }) => {
  const t = inboxTexts();
  if (!lastMessage) return <span class="soft">{t.noMessages}</span>;
  return (
    <>
      {lastMessage.direction === "outbound" && lastMessage.deletedAt === null && (
        <StatusMark status={lastMessage.status} />
      )}
      <bdi>{lastMessage.deletedAt !== null ? t.deleted : (lastMessage.text ?? t.kindOf(lastMessage.type))}</bdi>
    </>
  );
};
