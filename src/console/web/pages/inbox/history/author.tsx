import { Bot, CalendarClock, KeyRound, type LucideIcon, MessagesSquare, Send, Smartphone } from "lucide-preact";
import type { SentBy } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../../frame/base.ts";
import { may } from "../../../frame/session.ts";
import { authorTexts } from "../../../parts/messages/author-texts.ts";
import { authorName, keyOfAuthor } from "../../../parts/messages/authors.ts";
import type { LoggedMessage } from "../data.ts";
import { inboxTexts } from "../texts.ts";

/** TABLE: the sign of senders that are no people. */
const ICONS: Readonly<Partial<Record<SentBy["kind"], LucideIcon>>> = {
  agent: Bot,
  key: KeyRound,
  batch: Send,
  schedule: CalendarClock,
  phone: Smartphone,
  chatwoot: MessagesSquare,
};

/**
 * Who wrote a message: shown above the first of a group, for screen readers at each. The name leads to all messages of
 * the sender in the chat.
 */
export const Author = ({ message, isFirst }: { message: LoggedMessage; isFirst: boolean }) => {
  const t = inboxTexts();
  const texts = authorTexts();
  const { direction, sentBy, chatId } = message;
  if (direction === "inbound" || sentBy === null)
    return <span class="visually-hidden">{direction === "inbound" ? t.theyWrote : t.youWrote}</span>;
  const name = authorName(sentBy);
  if (!isFirst) return <span class="visually-hidden">{texts.wrote(name)}</span>;
  const Icon = ICONS[sentBy.kind];
  const query = new URLSearchParams({ chat: chatId ?? "", sentBy: keyOfAuthor(sentBy) }).toString();
  return (
    <p class="message-author">
      {Icon && <Icon size={13} aria-hidden="true" />}
      {chatId !== null && may("messages.read") ? (
        <a href={`${href("/messages")}?${query}`} title={texts.ofAuthor(name)}>
          <bdi>{name}</bdi>
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}
    </p>
  );
};
