import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number, shortTime } from "../../frame/texts/format.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { nameOf } from "../../parts/people/contact-names.ts";
import { overviewTexts } from "./texts.ts";

/** The number of chats that the card shows. The inbox has the rest. */
const SHOWN = 5;

/**
 * The chats with unread messages, the newest first, each one click from its answer. Without such a chat the card is
 * missing.
 */
export const WaitingCard = () => {
  const t = overviewTexts();
  const chats = useQuery(
    "overview/unread",
    (signal) => gateway.chats.list({ unread: true, limit: String(SHOWN) }, { signal }).page(),
    { on: ["message:", "agent:", "conversation:"] },
  );
  const shown = chats.data?.items ?? [];
  if (shown.length === 0) return null;
  return (
    <Card
      title={t.unanswered}
      hint={t.unansweredHint}
      actions={<ButtonLink path="/inbox?view=unread">{t.unansweredAll}</ButtonLink>}
    >
      <ul class="overview-chats">
        {shown.map((chat) => {
          const name = nameOf(chat, t.deletedContact);
          return (
            <li key={chat.id}>
              <a href={href(`/inbox/${chat.id}`)}>
                <Avatar name={name} of={chat.contact?.id ?? chat.id} />
                <b dir="auto">{name}</b>
                <time class="small soft" dateTime={chat.lastMessageAt}>
                  {shortTime(chat.lastMessageAt)}
                </time>
                <bdi class="soft">{chat.lastMessage?.text ?? t.withoutText}</bdi>
                <span class="count" role="img" aria-label={t.unread(chat.unreadCount)}>
                  {number(chat.unreadCount)}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};
