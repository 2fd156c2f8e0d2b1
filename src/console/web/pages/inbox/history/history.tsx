import { ArrowDown } from "lucide-preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PhoneCapabilities } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import type { Endless } from "../../../frame/requests/endless.ts";
import { Button } from "../../../parts/button.tsx";
import { Failure, Skeleton } from "../../../parts/states.tsx";
import type { Chat, LoggedMessage } from "../data.ts";
import { inboxTexts } from "../texts.ts";
import { Bubble } from "./bubble.tsx";
import { historyRows } from "./days.ts";

/** The distance from its end within which a history follows new messages. */
const AT_END_PX = 120;
/** The distance from its beginning within which older messages are loaded. */
const NEAR_BEGINNING_PX = 400;

/**
 * Keeps the visible messages in their place. At its end the history follows a new message. Older messages above push
 * nothing away.
 */
const useScroll = (rows: readonly LoggedMessage[], more: () => void) => {
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const before = useRef({ height: 0, top: 0, newest: "", isAtEnd: true });
  const newest = rows[0]?.id ?? "";
  const oldest = rows.at(-1)?.id ?? "";
  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return;
    const { height, top, isAtEnd: wasAtEnd } = before.current;
    if (wasAtEnd) node.scrollTop = node.scrollHeight;
    else if (newest === before.current.newest) node.scrollTop = top + (node.scrollHeight - height);
    before.current = { ...before.current, height: node.scrollHeight, top: node.scrollTop, newest };
  }, [newest, oldest, rows.length]);
  const onScroll = (): void => {
    const node = box.current;
    if (!node) return;
    const isEnd = node.scrollHeight - node.scrollTop - node.clientHeight < AT_END_PX;
    before.current = { ...before.current, height: node.scrollHeight, top: node.scrollTop, isAtEnd: isEnd };
    setAtEnd(isEnd);
    if (node.scrollTop < NEAR_BEGINNING_PX) more();
  };
  // pictures that load later make the history higher
  useEffect(() => {
    const node = box.current?.firstElementChild;
    if (!node) return undefined;
    const observer = new ResizeObserver(() => {
      if (box.current && before.current.isAtEnd) box.current.scrollTop = box.current.scrollHeight;
    });
    observer.observe(node);
    return () => observer.disconnect();
  }, [rows.length > 0]);
  const toEnd = (): void => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  return { box, isAtEnd, onScroll, toEnd };
};

const dayText = (at: string, t: { today: string; yesterday: string }, locale: string): string => {
  const day = new Date(at);
  const today = new Date();
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (day.toDateString() === today.toDateString()) return t.today;
  if (day.toDateString() === yesterday.toDateString()) return t.yesterday;
  return day.toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
};

type HistoryProps = {
  history: Endless<LoggedMessage>;
  chat: Chat;
  capabilities: PhoneCapabilities | undefined;
  onQuote: (message: LoggedMessage) => void;
  onChange: () => void;
};

/** The messages of a chat, the newest below. Older messages load while somebody scrolls up. */
export const History = ({ history, chat, capabilities, onQuote, onChange }: HistoryProps) => {
  const t = inboxTexts();
  const { box, isAtEnd, onScroll, toEnd } = useScroll(history.rows, history.more);
  const rows = useMemo(() => historyRows(history.rows), [history.rows]);
  const byId = useMemo(() => new Map(history.rows.map((message) => [message.id, message])), [history.rows]);
  return (
    <div class="history-frame">
      <div class="history" ref={box} onScroll={onScroll} role="log" aria-label={t.history} tabIndex={0}>
        <ol>
          {history.isLoading && (
            <li class="history-more">{history.rows.length === 0 ? <Skeleton /> : t.loadingOlder}</li>
          )}
          {history.isDone && history.rows.length === 0 && <li class="day">{t.noMessages}</li>}
          {!history.isDone && !history.isLoading && history.rows.length > 0 && (
            <li class="history-more">
              <Button tone="quiet" onClick={history.more}>
                {t.older}
              </Button>
            </li>
          )}
          {rows.map((row) =>
            row.is === "day" ? (
              <li class="day" key={row.day}>
                <span>{dayText(row.at, t, document.documentElement.lang)}</span>
              </li>
            ) : (
              <Bubble
                key={row.message.id}
                message={row.message}
                isFirst={row.isFirst}
                quoted={byId.get(row.message.quotedMessageId ?? "")}
                chat={chat}
                capabilities={capabilities}
                onQuote={onQuote}
                onChange={onChange}
              />
            ),
          )}
        </ol>
        {history.error !== undefined && <Failure error={history.error} onAgain={history.reload} />}
      </div>
      {!isAtEnd && (
        <button type="button" class="to-end" onClick={toEnd} aria-label={t.toEnd} title={t.toEnd}>
          <ArrowDown size={18} aria-hidden="true" />
        </button>
      )}
    </div>
  );
};
