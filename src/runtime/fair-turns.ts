import { AppError } from "../kernel/errors.ts";

/** Runs tasks, so many at once; the sources whose tasks wait have their turns one after the other, whatever each has waiting. */
export type FairTurns = {
  /** Throws OVERLOADED when too many tasks wait: of this source, or of all, and none has more waiting than this one. */
  run<Result>(source: string, task: () => Promise<Result>): Promise<Result>;
};

type Waiting = { begin(): void; refuse(reason: AppError): void };

const RETRY_AFTER_SECONDS = 2;

/** `refusal`: what is said to whom a place is refused. */
type Limits = { atOnce: number; perSource: number; inAll: number; refusal: string };

export const createFairTurns = ({ atOnce, perSource, inAll, refusal }: Limits): FairTurns => {
  const crowded = () => new AppError("OVERLOADED", { message: refusal, retryAfterSeconds: RETRY_AFTER_SECONDS });
  /** In the order of their turns. */
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  /** Sends away the last of the longest line, if that is longer than the line that grows. */
  const makesRoom = (length: number): boolean => {
    const longest = [...lines.values()].reduce((found, line) => (line.length > found.length ? line : found), []);
    if (longest.length <= length + 1) return false;
    waiting--;
    longest.pop()?.refuse(crowded());
    return true;
  };

  const enter = async (source: string): Promise<void> => {
    if (running < atOnce) return void running++;
    const line = lines.get(source) ?? [];
    if (line.length >= perSource || (waiting >= inAll && !makesRoom(line.length))) throw crowded();
    waiting++;
    lines.set(source, line);
    await new Promise<void>((begin, refuse) => void line.push({ begin, refuse }));
  };

  /** Hands the place on to the source whose turn it is, which then comes last. */
  const leave = (): void => {
    const [next] = lines;
    if (!next) return void running--;
    const [source, line] = next;
    lines.delete(source);
    waiting--;
    line.shift()?.begin();
    if (line.length > 0) lines.set(source, line);
  };

  return {
    async run(source, task) {
      await enter(source);
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
};
