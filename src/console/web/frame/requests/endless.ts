import { useEffect, useRef, useState } from "preact/hooks";
import { account } from "../session.ts";
import type { Question } from "./asking.ts";
import { type RowPage, wholeList, withFirstPage } from "./endless-page.ts";
import type { Query } from "./query.ts";
import { renewing } from "./renewing.ts";
import { sharedQuestion } from "./tabs.ts";

/** A list that grows while somebody scrolls. `isDone`: its end is loaded. */
export type Endless<Row> = {
  rows: readonly Row[];
  isDone: boolean;
  isLoading: boolean;
  error: unknown;
  more(): void;
  reload(): void;
  /** Reloads when it is the list's turn, as after an event. */
  reloadInTurn(): void;
};

/** The list as the answer to one question: all rows that are loaded. */
export const loadedRows = <Row>({ rows, isDone, isLoading, error, reload }: Endless<Row>): Query<RowPage<Row>> => ({
  data: rows.length === 0 && !isDone ? undefined : wholeList(rows),
  error,
  isLoading,
  reload,
});

type Options<Row> = {
  keyOf: (row: Row) => string;
  isOlder: (row: Row, than: Row) => boolean;
  /** The beginnings of the event types after which the first page is asked for again. */
  on: readonly string[];
};

type Ask<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<RowPage<Row>>;
type State<Row> = { key: string; page: RowPage<Row> | undefined; error: unknown };

/** Keeps a list that loads page by page, and that events renew from its beginning. A new `key` begins a new list. */
export const useEndless = <Row>(name: string, ask: Ask<Row>, options: Options<Row>): Endless<Row> => {
  const key = `${account.value?.id ?? ""}\n${name}`;
  const [kept, setState] = useState<State<Row>>({ key, page: undefined, error: undefined });
  const state: State<Row> = kept.key === key ? kept : { key, page: undefined, error: undefined };
  const [isMore, setMore] = useState(false);
  const latest = useRef({ options, key });
  latest.current = { options, key };
  const busy = useRef(false);

  const took = (page: RowPage<Row>, cursor: string | undefined): void =>
    setState((before) => {
      if (latest.current.key !== key) return before;
      const known = before.key === key ? before.page : undefined;
      return { key, page: joined(known, page, cursor, latest.current.options), error: undefined };
    });
  const failed = (error: unknown): void =>
    setState((before) => {
      if (latest.current.key !== key) return before;
      return { ...(before.key === key ? before : { key, page: undefined }), error };
    });
  const controller = useRef(new AbortController());
  const first = useRef<Question | undefined>(undefined);
  const types = options.on.join(" ");
  useEffect(() => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    busy.current = false;
    const question = sharedQuestion(name, () => ask(undefined, signal), {
      settled(settled) {
        if (signal.aborted) return; // the person sees another list now
        if ("error" in settled) failed(settled.error);
        else took(settled.data as RowPage<Row>, undefined);
      },
    });
    first.current = question;
    question.begin();
    const end = renewing(question, { on: types.split(" ") });
    return () => {
      end();
      question.end();
      controller.current.abort();
    };
  }, [key, types]);
  const reload = (): void => first.current?.askNow();
  const reloadInTurn = (): void => first.current?.askSoon(0);
  const more = (): void => {
    const cursor = state.page?.nextCursor;
    if (!cursor || busy.current) return;
    busy.current = true;
    setMore(true);
    const { signal } = controller.current;
    void ask(cursor, signal)
      .then((page) => took(page, cursor))
      .catch((error: unknown) => {
        if (!signal.aborted) failed(error);
      })
      .finally(() => {
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
    reloadInTurn,
  };
};

const joined = <Row>(
  known: RowPage<Row> | undefined,
  page: RowPage<Row>,
  cursor: string | undefined,
  options: Options<Row>,
): RowPage<Row> => {
  if (known === undefined) return page;
  if (cursor === undefined) return withFirstPage(known, page, options);
  if (known.nextCursor !== cursor) return known; // the list was renewed meanwhile
  const keys = new Set(known.items.map(options.keyOf));
  return {
    items: [...known.items, ...page.items.filter((row) => !keys.has(options.keyOf(row)))],
    nextCursor: page.nextCursor,
  };
};
