import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { account } from "../session.ts";
import { BURST_MS, renewing } from "./renewing.ts";
import { sharedQuestion } from "./tabs.ts";

/** The state of a question to the server. `data` stays while it is asked again. */
export type Query<Data> = {
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
};

type Entry = { state: Signal<Query<unknown>>; users: number; question: ReturnType<typeof sharedQuestion> };

/**
 * `on`: the beginnings of the event types after which the answer is asked for again. `waitMs`: how long after the first
 * event of a burst, for data that the server itself gets later. `everyMs`: for data without events; only while the page
 * is seen.
 */
export type QueryOptions = { on?: readonly string[]; waitMs?: number; everyMs?: number };

const MOST_KEPT = 200;

/** All parts that show the answer share it, in all tabs, so that none of them aborts the request. */
const UNENDING = new AbortController().signal;

const entries = new Map<string, Entry>();

/** Answers that no part shows are dropped, the oldest first. */
const forgetSome = (): void => {
  for (const [key, { users }] of entries) {
    if (entries.size <= MOST_KEPT) return;
    if (users === 0) forget(key);
  }
};

const forget = (key: string): void => {
  entries.get(key)?.question.end();
  entries.delete(key);
};

const entryOf = (key: string, ask: (signal: AbortSignal) => Promise<unknown>): Entry => {
  const found = entries.get(key);
  if (found) return found;
  const change = (changed: Partial<Query<unknown>>): void => void (state.value = { ...state.peek(), ...changed });
  const [, name = ""] = key.split("\n");
  const question = sharedQuestion(name, () => ask(UNENDING), {
    start: () => change({ isLoading: true }),
    settled: (settled) => change({ error: undefined, ...settled, isLoading: false }),
  });
  const state: Signal<Query<unknown>> = signal({
    data: undefined,
    error: undefined,
    isLoading: true,
    reload: question.askNow,
  });
  const entry = { state, users: 0, question };
  entries.set(key, entry);
  forgetSome();
  return entry;
};

/** The same question, with its answer in another form. */
export const inForm = <Data, Form>(query: Query<Data>, form: (data: Data) => Form): Query<Form> => ({
  ...query,
  data: query.data === undefined ? undefined : form(query.data),
});

/** Asks again for every shown answer whose key begins so, and drops the others. */
export const refresh = (prefix: string): void => {
  for (const [key, entry] of entries) {
    const [, name = ""] = key.split("\n");
    if (!name.startsWith(prefix)) continue;
    if (entry.users > 0) entry.question.askNow();
    else forget(key);
  }
};

/** The same for the shown answers, each in its turn, as after an event. */
export const refreshInTurn = (prefix: string): void => {
  for (const [key, { question, users }] of entries) {
    const [, name = ""] = key.split("\n");
    if (users > 0 && name.startsWith(prefix)) question.askSoon(0);
  }
};

/**
 * The answer to a question. It is asked once for all parts that show it under the same key in the chosen account. It is
 * asked again when the key changes, after the events of `on`, and every `everyMs`. An asking is never aborted: the next
 * one follows its end.
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
    entry.question.begin();
    return () => void (entry.users -= 1);
  }, [entry]);
  const types = on?.join(" ") ?? "";
  useEffect(
    () => renewing(entry.question, { on: types === "" ? [] : types.split(" "), waitMs, everyMs }),
    [entry, types, waitMs, everyMs],
  );
  return entry.state.value as Query<Data>;
};

export { type Act, useAct } from "./act.ts";
