import { Inbox, MessageSquarePlus, Search } from "lucide-preact";
import { useState } from "preact/hooks";
import { href } from "../../../frame/base.ts";
import type { Endless } from "../../../frame/requests/endless.ts";
import { may } from "../../../frame/session.ts";
import { pageNames } from "../../../frame/texts/page-names.ts";
import { ButtonLink, IconButton } from "../../../parts/button.tsx";
import { FilterSearch } from "../../../parts/lists/filters.tsx";
import { WindowList } from "../../../parts/lists/window-list.tsx";
import { PhoneFilter } from "../../../parts/phones/phone-choice.tsx";
import { useHowMany } from "../../../parts/phones/phones.tsx";
import { Empty, Failure, Skeleton } from "../../../parts/states.tsx";
import type { Chat, InboxFilters } from "../data.ts";
import { NewMessage } from "../new-message.tsx";
import { inboxTexts } from "../texts.ts";
import { MoreFilters } from "./more-filters.tsx";
import { Row } from "./row.tsx";
import { Views } from "./views.tsx";

const ROW_HEIGHT = 76;

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
        <MoreFilters filters={filters} change={change} />
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
  const { view: _, ...narrowing } = filters;
  if (Object.values(narrowing).some((value) => value !== ""))
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
