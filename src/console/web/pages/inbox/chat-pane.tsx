import { useEffect, useState } from "preact/hooks";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, refreshInTurn } from "../../frame/requests/query.ts";
import { ownTurn } from "../../frame/requests/tabs.ts";
import { may } from "../../frame/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { useCapabilities } from "../../parts/phones/phones.tsx";
import { Failure, Skeleton } from "../../parts/states.tsx";
import { ChatHead } from "./chat-head.tsx";
import { Composer } from "./composer/composer.tsx";
import { type Chat, type LoggedMessage, useChat, useHistory } from "./data.ts";
import { Details } from "./details.tsx";
import { History } from "./history/history.tsx";
import { opened } from "./keys.ts";
import { usePresence } from "./presence.ts";
import { inboxTexts } from "./texts.ts";

/** Marks an open chat as read when somebody has turned to it. */
const useReading = (chat: Chat | undefined, onRead: () => void): (() => void) => {
  const [isTurnedTo, setTurnedTo] = useState(opened.peek() === chat?.id);
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const onVisibility = (): void => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, []);
  const isOpened = isTurnedTo || (chat !== undefined && opened.value === chat.id);
  const unread = chat?.unreadCount ?? 0;
  useEffect(() => {
    if (!chat || unread === 0 || !isOpened || !isVisible || !may("chats.write")) return undefined;
    let isOver = false;
    const read = async (): Promise<void> => {
      await ownTurn(); // a busy chat is not marked with each of its messages
      if (isOver) return;
      await gateway.chats.read(chat.id);
      refreshInTurn("chats/");
      onRead();
    };
    read().catch(() => undefined); // it stays unread, and is marked with the next message
    return () => void (isOver = true);
  }, [chat?.id, unread, isOpened, isVisible]);
  return () => setTurnedTo(true);
};

/** `listed`: the list's row of the chat. `onChange`, `onRead`: load the list again, at once or in its turn. */
type PaneProps = { id: string; listed: Chat | undefined; back: string; onChange: () => void; onRead: () => void };

/** One chat: its history, the answer, and the details of the person. */
export const ChatPane = ({ id, listed, back, onChange, onRead }: PaneProps) => {
  const t = inboxTexts();
  const chat = useChat(id, listed);
  const history = useHistory(id);
  const capabilities = useCapabilities(chat.data?.phoneId ?? "");
  const [quoted, setQuoted] = useState<LoggedMessage | undefined>(undefined);
  const [hasDetails, setDetails] = useState(matchMedia("(min-width: 1400px)").matches);
  const turnTo = useReading(chat.data, onRead);
  const presence = usePresence(chat.data);
  const changed = (): void => {
    chat.reload();
    history.reload();
    refresh("chats/");
    onChange();
  };
  if (chat.data === undefined)
    return (
      <section class="chat-pane" aria-label={t.chat}>
        {chat.error === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <div class="chat-fault">
            <Failure error={chat.error} onAgain={chat.reload} />
            <ButtonLink path={back}>{t.back}</ButtonLink>
          </div>
        )}
      </section>
    );
  return (
    <>
      <section class="chat-pane" aria-label={t.chat} onPointerDown={turnTo} onFocusIn={turnTo}>
        <ChatHead
          chat={chat.data}
          back={back}
          presence={presence}
          hasDetails={hasDetails}
          onDetails={() => setDetails(!hasDetails)}
          onChange={changed}
        />
        <History
          history={history}
          chat={chat.data}
          capabilities={capabilities}
          onQuote={setQuoted}
          onChange={changed}
        />
        <Composer
          key={id}
          chat={chat.data}
          capabilities={capabilities}
          lastReceived={history.rows.find(({ direction }) => direction === "inbound")}
          quoted={quoted}
          onQuote={setQuoted}
          onChange={changed}
        />
      </section>
      {hasDetails && <Details chat={chat.data} onClose={() => setDetails(false)} onChange={changed} />}
    </>
  );
};
