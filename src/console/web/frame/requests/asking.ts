// When a question is asked again. Nothing here knows the browser: `tabs.ts` gives it time, turns and the other tabs.

/** An answer, with the moment before which everything that has happened is in it. */
export type Answer = { data: unknown; askedAt: number };

/** What a question needs of its surroundings. */
export type Surroundings = {
  now(): number;
  /** Calls once after so many milliseconds. Returns what cancels that. */
  after(ms: number, then: () => void): () => void;
  /** Whether somebody sees the page. Hidden pages ask nothing. */
  isShown(): boolean;
  /** Takes the next turn of all questions of this person. Returns how long to wait for it, in milliseconds. */
  takeTurn(isByTime: boolean): number;
  /** Runs one after the other what has the same key, also in other tabs. */
  alone(key: string, run: () => Promise<void>): Promise<void>;
  /** Gives an answer to the other tabs. */
  share(key: string, answer: Answer): void;
};

export type Settled = { data: unknown } | { error: unknown };

/** A question to the server that is asked again when something came. */
export type Question = {
  /** Somebody begins to look at the answer: asks now, unless it is being asked. */
  begin(): void;
  /** Asks now; where an older asking is under way, once more when that has ended. */
  askNow(): void;
  /** Something came: asks after so many milliseconds, when it is this question's turn. */
  askSoon(waitMs: number): void;
  /** Asks in turn where the last answer is older than this. */
  askIfOlder(ms: number): void;
  /** The page is seen again: asks for what came meanwhile. */
  shown(): void;
  /** Takes the answer that another tab got. */
  take(answer: Answer): void;
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

type Asked = { key: string; ask: () => Promise<unknown>; onStart?: () => void; onSettled: (settled: Settled) => void };

/** What is known of an answer: when it was asked for, since when it may be out of date, how often that failed. */
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
    /** Where it is under way, once more when that has ended. */
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
 * A question that is never asked twice at a time: what comes while it is under way is asked for once, afterwards. Each
 * asking for events and by time waits for its turn, and longer after each failure. What another tab was answered
 * meanwhile is not asked for again.
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
    if (!isDue()) return; // another tab was answered meanwhile
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
      if (isDue()) plan(waitMs); // what comes while it is under way is asked for afterwards
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

/** How often the tabs of a person ask for events, all together: 109 times a minute. */
const TURN_MS = 550;
/** How often they ask by time: 46 times a minute. */
const TURN_BY_TIME_MS = 1300;
/** How many turns may be taken at once after a rest. */
const BURST = 3;

/** When the next turns are, by the clock that all tabs have. */
export type Turns = { next: number; nextByTime: number };

/** Takes a turn. Returns the turns after it, and how long to wait for this one. */
export const turnTaken = (turns: Turns, now: number, isByTime: boolean): { turns: Turns; waitMs: number } => {
  // what was written when the clock stood elsewhere counts no longer than the longest queue
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
