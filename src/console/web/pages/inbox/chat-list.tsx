import { Bot, CircleUserRound, Inbox, MessageSquarePlus, Search } from "lucide-preact";
import { useState } from "preact/hooks";
import { href } from "../../frame/base.ts";
import type { Endless } from "../../frame/requests/endless.ts";
import { account, may, session } from "../../frame/session.ts";
import { number, shortTime } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { ButtonLink, IconButton } from "../../parts/button.tsx";
import { FilterSearch } from "../../parts/lists/filters.tsx";
import { WindowList } from "../../parts/lists/window-list.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { nameOf } from "../../parts/people/contact-names.ts";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName, useHowMany } from "../../parts/phones/phones.tsx";
import { Empty, Failure, Skeleton } from "../../parts/states.tsx";
import { type Chat, type InboxFilters, useAssignees, useCounts, VIEWS, type View } from "./data.ts";
import { NewMessage } from "./new-message.tsx";
import { StatusMark } from "./status.tsx";
import { inboxTexts } from "./texts.ts";

const ROW_HEIGHT = 76;
/** A count is exact below this number. */
const COUNTED_UP_TO = 1000;

type ListProps = {
  chats: Endless<Chat>;
  filters: InboxFilters;
  change: (changed: Partial<InboxFilters>) => void;
  current: string | undefined;
  search: string;
  onOpen: (id: string) => void;
};

/** The chats of a view, with its tabs, search and filter. */
export const ChatList = ({ chats, filters, change, current, search, onOpen }: ListProps) => {
  const t = inboxTexts();
  const phones = useHowMany();
  const [isNew, setNew] = useState(false);
  return (
    <section class="chat-list" aria-label={t.list}>
      <header>
        <h2>{pageNames().inbox}</h2>
        {may("messages.write") && (phones === "one" || phones === "several") && (
          <IconButton label={t.newMessage} icon={MessageSquarePlus} onClick={() => setNew(true)} />
        )}
      </header>
      <Views view={filters.view} onView={(view) => change({ view })} />
      <div class="chat-filters" role="search">
        <FilterSearch isBare label={t.search} value={filters.q} onChange={(q) => change({ q })} />
        <PhoneFilter value={filters.phone} onChange={(phone) => change({ phone })} />
        {filters.q !== "" && may("messages.read") && (
          <a class="small" href={`${href("/messages")}?${new URLSearchParams({ q: filters.q }).toString()}`}>
            {t.searchMessages}
          </a>
        )}
      </div>
      {chats.error !== undefined && <Failure error={chats.error} onAgain={chats.reload} />}
      {chats.rows.length === 0 ? (
        <Nothing chats={chats} filters={filters} hasPhones={phones !== "none"} />
      ) : (
        <WindowList
          label={t.list}
          rows={chats.rows}
          rowHeight={ROW_HEIGHT}
          keyOf={({ id }) => id}
          onEnd={chats.more}
          current={current}
        >
          {(chat) => (
            <Row
              chat={chat}
              isCurrent={chat.id === current}
              search={search}
              onOpen={onOpen}
              hasPhone={phones === "several"}
            />
          )}
        </WindowList>
      )}
      {isNew && <NewMessage onClose={() => setNew(false)} onOpen={onOpen} />}
    </section>
  );
};

const Nothing = ({
  chats,
  filters,
  hasPhones,
}: {
  chats: Endless<Chat>;
  filters: InboxFilters;
  hasPhones: boolean;
}) => {
  const t = inboxTexts();
  if (chats.isLoading) return <Skeleton lines={8} />;
  if (chats.error !== undefined) return null;
  if (filters.q !== "" || filters.phone !== "")
    return <Empty icon={Search} title={t.nothingFound} hint={t.foundHint} />;
  if (filters.view !== "open") return <Empty icon={Inbox} title={t.emptyView} hint={t.emptyViewHint} />;
  return (
    <Empty icon={Inbox} title={t.empty} hint={hasPhones ? t.emptyHint : t.emptyNoPhone}>
      {!hasPhones && may("phones.write") && (
        <ButtonLink path="/phones" tone="primary">
          {t.addPhone}
        </ButtonLink>
      )}
    </Empty>
  );
};

/** The tabs of the inbox with their counts. Accounts with a team have the tabs of assignments. */
const Views = ({ view, onView }: { view: string; onView: (view: View) => void }) => {
  const t = inboxTexts();
  const counts = useCounts();
  const hasTeam = useAssignees().length > 0;
  const isMember = session.value?.person.kind === "member";
  const numbers: Partial<Record<View, number>> = counts
    ? { open: counts.open, unread: counts.unread, mine: counts.assigned, unassigned: counts.unassigned }
    : {};
  const shown = VIEWS.filter((one) => (one === "mine" ? hasTeam && isMember : one === "unassigned" ? hasTeam : true));
  return (
    <div class="views" role="group" aria-label={t.views} key={account.value?.id}>
      {shown.map((one) => (
        <button type="button" key={one} aria-pressed={one === view} onClick={() => onView(one)}>
          {t.view[one]}
          {(numbers[one] ?? 0) > 0 && <span class="count">{countText(numbers[one] ?? 0)}</span>}
        </button>
      ))}
    </div>
  );
};

const countText = (count: number): string => (count >= COUNTED_UP_TO ? `${number(COUNTED_UP_TO - 1)}+` : number(count));

type RowProps = {
  chat: Chat;
  isCurrent: boolean;
  search: string;
  onOpen: (id: string) => void;
  /** Whether a row names the phone of its chat. */
  hasPhone: boolean;
};

const Row = ({ chat, isCurrent, search, onOpen, hasPhone }: RowProps) => {
  const t = inboxTexts();
  const name = nameOf(chat, t.deletedContact);
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
      <span class="chat-preview">
        <Preview chat={chat} />
      </span>
      <span class="chat-marks">
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
