import { useEffect, useRef, useState } from "preact/hooks";
import { type EndlessPage, withFirstPage } from "./endless-page.ts";
import { liveState, onEvent } from "./live.ts";
import { account } from "./session.ts";

/** A list that grows while somebody scrolls. `isDone`: its end is there. */
export type Endless<Row> = {
  rows: readonly Row[];
  isDone: boolean;
  isLoading: boolean;
  error: unknown;
  more(): void;
  reload(): void;
};

type Options<Row> = {
  keyOf: (row: Row) => string;
  isOlder: (row: Row, than: Row) => boolean;
  /** The beginnings of the event types after which the first page is asked for again. */
  on: readonly string[];
};

type Ask<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<EndlessPage<Row>>;
type State<Row> = { key: string; page: EndlessPage<Row> | undefined; error: unknown };

/** Events come in bursts: one question follows all of them. */
const BURST_MS = 300;
/** While the stream is cut, what it would have brought is asked for. */
const CUT_EVERY_MS = 10_000;

/** Keeps a list that is loaded page by page, and renewed from its beginning by events. A new `key` begins a new list. */
export const useEndless = <Row>(name: string, ask: Ask<Row>, options: Options<Row>): Endless<Row> => {
  const key = `${account.value?.id ?? ""}\n${name}`;
  const [kept, setState] = useState<State<Row>>({ key, page: undefined, error: undefined });
  const state: State<Row> = kept.key === key ? kept : { key, page: undefined, error: undefined };
  const [isMore, setMore] = useState(false);
  const latest = useRef({ ask, options, key });
  latest.current = { ask, options, key };
  const busy = useRef(false);

  const load = (cursor: string | undefined, signal: AbortSignal): Promise<void> =>
    latest.current.ask(cursor, signal).then(
      (page) =>
        setState((before) => {
          if (signal.aborted || latest.current.key !== key) return before;
          const known = before.key === key ? before.page : undefined;
          return { key, page: joined(known, page, cursor, latest.current.options), error: undefined };
        }),
      (error: unknown) => {
        if (!signal.aborted)
          setState((before) => ({ ...(before.key === key ? before : { key, page: undefined }), error }));
      },
    );

  const controller = useRef(new AbortController());
  useEffect(() => {
    controller.current = new AbortController();
    busy.current = false;
    void load(undefined, controller.current.signal);
    return () => controller.current.abort();
  }, [key]);
  const reload = (): void => void load(undefined, controller.current.signal);
  useEffect(() => renewing(options.on, reload), [key, options.on.join(" ")]);
  const more = (): void => {
    const cursor = state.page?.nextCursor;
    if (!cursor || busy.current) return;
    busy.current = true;
    setMore(true);
    void load(cursor, controller.current.signal).finally(() => {
      busy.current = false;
      setMore(false);
    });
  };
  const { page, error } = state;
  return {
    rows: page?.items ?? [],
    isDone: page !== undefined && page.nextCursor === null,
    isLoading: (page === undefined && error === undefined) || isMore,
    error,
    more,
    reload,
  };
};

const joined = <Row>(
  known: EndlessPage<Row> | undefined,
  page: EndlessPage<Row>,
  cursor: string | undefined,
  options: Options<Row>,
): EndlessPage<Row> => {
  if (known === undefined) return page;
  if (cursor === undefined) return withFirstPage(known, page, options);
  if (known.nextCursor !== cursor) return known; // the list was renewed meanwhile
  const keys = new Set(known.items.map(options.keyOf));
  return {
    items: [...known.items, ...page.items.filter((row) => !keys.has(options.keyOf(row)))],
    nextCursor: page.nextCursor,
  };
};

/** Calls `reload` after events, and from time to time while the stream is cut. Returns what ends that. */
const renewing = (types: readonly string[], reload: () => void): (() => void) => {
  let burst: ReturnType<typeof setTimeout> | undefined;
  const stop = onEvent(({ type }) => {
    if (type !== "gap" && !types.some((beginning) => type.startsWith(beginning))) return;
    burst ??= setTimeout(() => {
      burst = undefined;
      reload();
    }, BURST_MS);
  });
  const timer = setInterval(() => {
    if (liveState.peek() === "cut" && !document.hidden) reload();
  }, CUT_EVERY_MS);
  return () => {
    stop();
    clearTimeout(burst);
    clearInterval(timer);
  };
};
