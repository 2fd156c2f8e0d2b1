// Decides when a question is asked again. This file knows no browser: `tabs.ts` gives it time, turns and the other
// tabs.

/** An answer, and its moment: it contains everything that happened before. */
export type Answer = { data: unknown; askedAt: number };

/** The environment of a question. */
export type Surroundings = {
  now(): number;
  /** Calls once after so many milliseconds. Returns a function that cancels the call. */
  after(ms: number, then: () => void): () => void;
  /** Whether somebody sees the page. Hidden pages ask nothing. */
  isShown(): boolean;
  /** Takes the next turn of all questions of this person. Returns the wait for it, in milliseconds. */
  takeTurn(isByTime: boolean): number;
  /** Runs functions with the same key one after the other, also in other tabs. */
  alone(key: string, run: () => Promise<void>): Promise<void>;
  /** Gives an answer to the other tabs. */
  share(key: string, answer: Answer): void;
};

export type Settled = { data: unknown } | { error: unknown };

/** A question to the server that is asked again after events. */
export type Question = {
  /** Somebody begins to look at the answer: asks now, unless it is being asked. */
  begin(): void;
  /** Asks now. If an older asking is under way: once more after its end. */
  askNow(): void;
  /** After an event: asks after so many milliseconds, when it is this question's turn. */
  askSoon(waitMs: number): void;
  /** Asks in turn if the last answer is older than this. */
  askIfOlder(ms: number): void;
  /** After the page is seen again: asks if an event came meanwhile. */
  shown(): void;
  /** Takes the answer that another tab got. */
  take(answer: Answer): void;
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

type Asked = { key: string; ask: () => Promise<unknown>; onStart?: () => void; onSettled: (settled: Settled) => void };

/** The state of an answer: when it was requested, since when it may be out of date, and how often a request failed. */
const stateOf = (now: () => number) => {
  let wantedSince: number | undefined;
  let isByTime = false;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  return {
    want(isOfTime: boolean): void {
      isByTime = isOfTime && (wantedSince === undefined || isByTime);
      wantedSince = now();
    },
    isWanted: () => wantedSince !== undefined,
    isByTime: () => isByTime,
    asked: () => void (wantedSince = undefined),
    took({ askedAt }: Answer): void {
      answeredAt = Math.max(answeredAt, askedAt);
      if (wantedSince !== undefined && wantedSince <= askedAt) wantedSince = undefined;
      failures = 0;
    },
    failed: () => void (failures += 1),
    isNewer: ({ askedAt }: Answer) => askedAt > answeredAt,
    ageMs: () => now() - answeredAt,
    pauseMs: () => (failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)),
  };
};

type Known = ReturnType<typeof stateOf>;

/** Asks, one after the other. */
const askingOf = ({ key, ask, onStart, onSettled }: Asked, state: Known, around: Surroundings) => {
  let isUnderWay = false;
  let isAgain = false;
  const askOnce = async (): Promise<void> => {
    const askedAt = around.now();
    state.asked();
    isAgain = false;
    onStart?.();
    try {
      const answer = { data: await ask(), askedAt };
      state.took(answer);
      onSettled({ data: answer.data });
      around.share(key, answer);
    } catch (error) {
      state.failed();
      onSettled({ error });
    }
  };
  return {
    isUnderWay: () => isUnderWay,
    /** If an asking is under way: once more after its end. */
    again: () => void (isAgain = isUnderWay),
    async now(): Promise<void> {
      if (isUnderWay) return;
      isUnderWay = true;
      do await askOnce();
      while (isAgain);
      isUnderWay = false;
    },
  };
};

/**
 * A question that is never asked twice at a time. Events during an asking lead to one more asking, afterwards. Each
 * asking after events or by time waits for its turn, and longer after each failure. If another tab got an answer
 * meanwhile, this tab does not ask again.
 */
export const questionOf = (asked: Asked, around: Surroundings): Question => {
  const state = stateOf(around.now);
  const asking = askingOf(asked, state, around);
  let isQueued = false;
  let isPlanned = false;
  const isDue = (): boolean => state.isWanted() && !asking.isUnderWay();
  const askNow = async (): Promise<void> => {
    await asking.now();
    if (isDue()) plan(0);
  };
  const askInTurn = async (): Promise<void> => {
    if (!isDue()) return; // another tab got an answer meanwhile
    const waitMs = around.takeTurn(state.isByTime());
    if (waitMs > 0) await new Promise<void>((resolve) => void around.after(waitMs, resolve));
    if (isDue()) await askNow();
  };
  const queue = async (): Promise<void> => {
    if (isQueued || !isDue() || !around.isShown()) return;
    isQueued = true;
    await around.alone(asked.key, askInTurn);
    isQueued = false;
    if (isDue()) plan(0);
  };
  const plan = (ms: number): void => {
    if (isPlanned) return;
    isPlanned = true;
    around.after(Math.max(ms, state.pauseMs()), () => {
      isPlanned = false;
      void queue();
    });
  };
  return {
    begin: () => void askNow(),
    askNow() {
      state.want(false);
      asking.again();
      void askNow();
    },
    askSoon(waitMs) {
      state.want(false);
      if (isDue()) plan(waitMs); // events during an asking lead to another one afterwards
    },
    askIfOlder(ms) {
      if (asking.isUnderWay() || state.ageMs() < ms) return;
      state.want(true);
      plan(0);
    },
    shown() {
      if (isDue()) plan(0);
    },
    take(answer) {
      if (!state.isNewer(answer)) return;
      state.took(answer);
      asked.onSettled({ data: answer.data });
    },
  };
};

/** The rate at which all tabs of a person ask after events: 109 times a minute. */
const TURN_MS = 550;
/** The rate at which they ask by time: 46 times a minute. */
const TURN_BY_TIME_MS = 1300;
/** The number of turns that may follow at once after a rest. */
const BURST = 3;

/** The times of the next turns, by the clock that all tabs share. */
export type Turns = { next: number; nextByTime: number };

/** Takes a turn. Returns the turns after it, and the wait for this one. */
export const turnTaken = (turns: Turns, now: number, isByTime: boolean): { turns: Turns; waitMs: number } => {
  // a time that was written before a change of the clock counts no longer than the longest queue
  const within = (at: number): number => (at > now + LONGEST_PAUSE_MS ? now : at);
  const rested = Math.max(within(turns.next), now - BURST * TURN_MS);
  const restedByTime = Math.max(within(turns.nextByTime), now - TURN_BY_TIME_MS);
  const at = Math.max(now, rested, isByTime ? restedByTime : now);
  return {
    turns: {
      next: rested + TURN_MS,
      nextByTime: isByTime ? restedByTime + TURN_BY_TIME_MS : turns.nextByTime,
    },
    waitMs: at - now,
  };
};
