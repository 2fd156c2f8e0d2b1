import { type Cancel, MINUTE_MS, SECOND_MS } from "../kernel/clock.ts";
import type { LinkReport } from "./events.ts";
import type { ChannelHost } from "./plugin.ts";

const RETRY_DELAYS_MS = [2, 10, 30, 120].map((seconds) => seconds * SECOND_MS);
const LAST_RETRY_DELAY_MS = 5 * MINUTE_MS;

/** The report of a link whose token was refused. */
export const EXPIRED: LinkReport = { state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" };

/** The health of a link that holds no connection open. */
export type Asking = {
  connect(): void;
  close(): Promise<void>;
  /** Reports the state that a call has shown; ignored if the link was connected again or closed since `begun`. */
  report(begun: number, report: LinkReport): void;
  /** The value for `report` of a call that begins now. */
  readonly generation: number;
};

/**
 * Connecting means asking the network whether the credentials are good, again after 2, 10, 30, 120 s and then every 5
 * minutes until it answers clearly (`ask` gives a report). `connect` and `close` begin a new generation; answers of an
 * earlier generation are ignored.
 */
export const createAsking = (
  host: Pick<ChannelHost, "clock" | "report">,
  ask: () => Promise<LinkReport | undefined>,
): Asking => {
  let generation = 0;
  let cancelRetry: Cancel = () => {};

  const begin = (): number => {
    cancelRetry();
    generation += 1;
    return generation;
  };
  const report = (begun: number, update: LinkReport): void => {
    if (begun !== generation) return;
    host.report(update);
  };
  const check = async (mine: number, tries: number): Promise<void> => {
    const answer = await ask();
    if (answer) report(mine, answer);
    else if (mine === generation)
      cancelRetry = host.clock.timer(RETRY_DELAYS_MS[tries] ?? LAST_RETRY_DELAY_MS, () => void check(mine, tries + 1));
  };

  return {
    get generation() {
      return generation;
    },
    connect: () => void check(begin(), 0),
    close: async () => void begin(),
    report,
  };
};
