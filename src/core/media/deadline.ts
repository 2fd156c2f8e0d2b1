import type { Clock } from "../../kernel/clock.ts";

/** A moment by our clock after which nobody waits any more. What is not waited for goes on until its own limits end it. */
export type Deadline = {
  /** The work's result, or `late`; one that comes after that is given to `letGo`. Rejects as the work does. */
  wait<Result>(work: Promise<Result>, letGo: (tooLate: Result) => void): Promise<Result | "late">;
  /** The body as far as it comes in time; reading it throws after that. */
  cut(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Lets go of the timer. */
  end(): void;
};

export const deadlineIn = (clock: Clock, ms: number): Deadline => {
  let isLate = false;
  let giveUp = () => {};
  const cancel = clock.timer(ms, () => {
    isLate = true;
    giveUp();
  });

  const wait: Deadline["wait"] = (work, letGo) =>
    new Promise((resolve, reject) => {
      let isGivenUp = false;
      // no Promise.race with one promise for all: it would keep what every wait gave until the last has ended
      giveUp = () => {
        isGivenUp = true;
        resolve("late");
      };
      work.then((result) => (isGivenUp ? letGo(result) : resolve(result)), reject);
      if (isLate) giveUp();
    });

  async function* cut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reading = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await wait(reading.next(), () => undefined);
        if (next === "late") throw new Error(`not all of it came within ${ms} ms`);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // not awaited: it waits for a read that may hang
      reading.return?.().catch(() => undefined);
    }
  }
  return { wait, cut, end: cancel };
};
