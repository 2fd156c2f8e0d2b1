import { MessagesSquare } from "lucide-preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useFilters } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import type { PageProps } from "../../frame/routes.tsx";
import { account } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Empty } from "../../parts/states.tsx";
import { ChatPane } from "./chat-pane.tsx";
import { type Chat, type InboxFilters, NO_FILTERS, useChats } from "./data.ts";
import { answering, isTyping, opened } from "./keys.ts";
import { ChatList } from "./list/chat-list.tsx";
import { inboxTexts } from "./texts.ts";
import { useColleagues } from "./work/colleagues.ts";

/** TABLE: the keys that go through the list. */
const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** The width from which the list and a chat stand side by side. */
const WIDE = "(min-width: 901px)";

/** The chat that is next to the open one in the list. */
const neighbour = (chats: readonly Chat[], id: string | undefined, step: number): string | undefined => {
  const index = chats.findIndex((chat) => chat.id === id);
  if (index < 0) return chats[0]?.id;
  return chats[index + step]?.id;
};

/** The keys of the inbox: j and k, or the arrows, go through the list; r goes to the answer. */
const useKeys = (chats: readonly Chat[], id: string | undefined, open: (id: string) => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const step = STEPS[event.key];
      if (step !== undefined) {
        const next = neighbour(chats, id, step);
        if (next === undefined) return;
        event.preventDefault();
        open(next);
      }
      if (event.key === "r") {
        event.preventDefault();
        document.querySelector<HTMLTextAreaElement>(".composer textarea")?.focus();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [chats, id]);
};

/** The conversations of the account: the list, and the open one beside it. Narrow windows show one of the two. */
export const InboxPage = ({ id }: PageProps) => {
  const t = inboxTexts();
  const [filters, change] = useFilters<InboxFilters>(NO_FILTERS);
  const { route, url } = useLocation();
  const chats = useChats(filters);
  useColleagues();
  const search = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const open = (chatId: string): void => {
    opened.value = chatId;
    answering.value = undefined;
    route(`${href(`/inbox/${chatId}`)}${search}`);
  };
  useKeys(chats.rows, id, open);
  // a wide window shows the newest chat beside the list, and marks it as read only after somebody turns to it
  const first = chats.rows[0]?.id;
  useEffect(() => {
    if (id === undefined && first !== undefined && matchMedia(WIDE).matches)
      route(`${href(`/inbox/${first}`)}${search}`, true);
  }, [id, first]);
  useEffect(() => {
    document.title = `${pageNames().inbox} · Recado`;
  }, [id]);
  return (
    <div class={`inbox ${id === undefined ? "" : "has-chat"}`} key={account.value?.id}>
      <h1 class="visually-hidden" tabIndex={-1}>
        {pageNames().inbox}
      </h1>
      <ChatList
        chats={chats}
        filters={filters}
        change={change}
        current={id}
        search={search}
        onOpen={(chatId) => {
          open(chatId);
          answering.value = chatId;
        }}
      />
      {id === undefined ? (
        <section class="chat-none" aria-label={t.noChat}>
          <Empty icon={MessagesSquare} title={t.noChat} hint={t.noChatHint} />
        </section>
      ) : (
        <ChatPane
          key={id}
          id={id}
          listed={chats.rows.find((chat) => chat.id === id)}
          back={`/inbox${search}`}
          onChange={chats.reload}
          onRead={chats.reloadInTurn}
        />
      )}
    </div>
  );
};
