import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { liveState, onEvent } from "./live.ts";
import { account } from "./session.ts";

/** What is known of a question to the server. `data` stays while it is asked again. */
export type Query<Data> = {
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
};

type Entry = { state: Signal<Query<unknown>>; users: number; ask: () => void };

/**
 * `on`: the beginnings of the event types after which the answer is asked for again. `waitMs`: how long after the first
 * event of a burst, for what the server itself knows later. `everyMs`: for what has no event; only while the page is
 * seen.
 */
export type QueryOptions = { on?: readonly string[]; waitMs?: number; everyMs?: number };

const MOST_KEPT = 200;
/** Events come in bursts: one question follows all of them. */
const BURST_MS = 300;
/** While the stream is cut, what it would have brought is asked for. */
const CUT_EVERY_MS = 10_000;

const entries = new Map<string, Entry>();

/** Answers that nobody shows are forgotten, the oldest first. */
const forgetSome = (): void => {
  for (const [key, { users }] of entries) {
    if (entries.size <= MOST_KEPT) return;
    if (users === 0) entries.delete(key);
  }
};

const entryOf = (key: string, ask: (signal: AbortSignal) => Promise<unknown>): Entry => {
  const found = entries.get(key);
  if (found) return found;
  let current: AbortController | undefined;
  const run = (): void => {
    current?.abort();
    const controller = new AbortController();
    current = controller;
    const settle = (change: Partial<Query<unknown>>): void => {
      if (current === controller) state.value = { ...state.peek(), ...change, isLoading: false };
    };
    state.value = { ...state.peek(), isLoading: true };
    ask(controller.signal).then(
      (data) => settle({ data, error: undefined }),
      (error: unknown) => settle({ error }),
    );
  };
  const state: Signal<Query<unknown>> = signal({ data: undefined, error: undefined, isLoading: true, reload: run });
  const entry = { state, users: 0, ask: run };
  entries.set(key, entry);
  forgetSome();
  return entry;
};

/** Asks again for every answer that is shown and whose key begins so; those that are not shown are forgotten. */
export const refresh = (prefix: string): void => {
  for (const [key, entry] of entries) {
    const [, name = ""] = key.split("\n");
    if (!name.startsWith(prefix)) continue;
    if (entry.users > 0) entry.ask();
    else entries.delete(key);
  }
};

/**
 * The answer to a question, asked once for all who show it under the same key in the chosen account. It is asked again
 * when the key changes, after the events of `on`, and every `everyMs`.
 */
export const useQuery = <Data>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Data>,
  { on, waitMs = BURST_MS, everyMs }: QueryOptions = {},
): Query<Data> => {
  const fullKey = `${account.value?.id ?? ""}\n${key}`;
  const entry = useMemo(() => entryOf(fullKey, ask), [fullKey]);
  useEffect(() => {
    entry.users += 1;
    entry.ask();
    return () => void (entry.users -= 1);
  }, [entry]);
  const types = on?.join(" ") ?? "";
  useEffect(
    () => refreshing(entry, { on: types === "" ? [] : types.split(" "), waitMs, everyMs }),
    [entry, types, waitMs, everyMs],
  );
  return entry.state.value as Query<Data>;
};

/** Asks again by events and by time. Returns what ends that. */
const refreshing = (
  entry: Entry,
  { on: types, waitMs, everyMs }: { on: readonly string[]; waitMs: number; everyMs: number | undefined },
): (() => void) => {
  let burst: ReturnType<typeof setTimeout> | undefined;
  const askSoon = (): void => {
    burst ??= setTimeout(() => {
      burst = undefined;
      entry.ask();
    }, waitMs);
  };
  const stopEvents =
    types.length > 0
      ? onEvent(({ type }) => {
          if (type === "gap" || types.some((beginning) => type.startsWith(beginning))) askSoon();
        })
      : undefined;
  const timer = setInterval(() => {
    const isDue = everyMs !== undefined || (types.length > 0 && liveState.peek() === "cut");
    if (isDue && !document.hidden) entry.ask();
  }, everyMs ?? CUT_EVERY_MS);
  return () => {
    stopEvents?.();
    clearInterval(timer);
    clearTimeout(burst);
  };
};

export { type Act, useAct } from "./act.ts";
