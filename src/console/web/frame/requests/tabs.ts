import { keepForAll, keptForAll } from "../kept.ts";
import { account, session } from "../session.ts";
import { type Answer, type Question, questionOf, type Settled, type Surroundings, turnTaken } from "./asking.ts";

// The tabs of one person share their questions: one tab asks, and all get the answer. Browsers have Web Locks on https
// and on the machine itself. Elsewhere each tab asks for itself, in the same turns.

const TURNS = "turns";

const takeTurn = (isByTime: boolean): number => {
  const [next = 0, nextByTime = 0] = (keptForAll(TURNS) ?? "").split(" ").map(Number);
  const { turns, waitMs } = turnTaken({ next, nextByTime }, Date.now(), isByTime);
  keepForAll(TURNS, `${turns.next} ${turns.nextByTime}`);
  return waitMs;
};

/** Waits for a turn, for a question that no person has started. */
export const ownTurn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, takeTurn(false)));

/** The person and the account of these tabs. They share nothing with others. */
export const sharedName = (name: string): string =>
  `recado ${session.peek()?.person.id ?? ""} ${account.peek()?.id ?? ""} ${name}`;

/** Runs a function. No other tab of this browser runs one with the same name meanwhile. */
export const alone = async (name: string, run: () => Promise<void>, signal?: AbortSignal): Promise<void> => {
  // undefined on plain http, whatever its type says
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return run();
  await locks.request(name, signal ? { signal } : {}, run);
};

type Shared = { key: string; answer: Answer };
const channel = new BroadcastChannel("recado-answers");
const questions = new Map<string, Set<Question>>();
channel.addEventListener("message", ({ data }: MessageEvent<Shared>) => {
  for (const question of questions.get(data.key) ?? []) question.take(data.answer);
});

/** The time in which the other tabs take an answer, before they may ask themselves. */
const TAKING_MS = 50;
const taken = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, TAKING_MS));

const surroundings: Surroundings = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  isShown: () => !document.hidden,
  takeTurn,
  alone: (key, run) =>
    alone(key, async () => {
      await run();
      await taken();
    }),
  share: (key, answer) => channel.postMessage({ key, answer } satisfies Shared),
};

/** A question that the tabs share by its name. `end`: it takes no more answers of other tabs. */
export const sharedQuestion = (
  name: string,
  ask: () => Promise<unknown>,
  on: { start?: () => void; settled: (settled: Settled) => void },
): Question & { end(): void } => {
  const key = sharedName(name);
  const question = questionOf(
    { key, ask, onSettled: on.settled, ...(on.start ? { onStart: on.start } : {}) },
    surroundings,
  );
  const others = questions.get(key) ?? new Set();
  questions.set(key, others.add(question));
  return {
    ...question,
    end() {
      others.delete(question);
      if (others.size === 0) questions.delete(key);
    },
  };
};
