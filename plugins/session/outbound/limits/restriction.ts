import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { KeyRow } from "../../../../src/contract/ports/key-store.ts";
import { type Cancel, DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { reasonOf } from "../../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach } from "../../active-socket.ts";
import { askMex, onMex, timeOf, wordOf } from "../mex.ts";
import type { Limits } from "./limits.ts";
import { createRefusalCauses, type RefusalCauses } from "./refusal-causes.ts";
import type { Timelock } from "./timelock.ts";

/** The duration of a restriction without an end: in an answer, and in a push. */
const UNNAMED_MS = HOUR_MS;
const UNNAMED_PUSH_MS = MINUTE_MS;
/** The minimum time between two questions after refusals. */
const ASK_EVERY_MS = MINUTE_MS;
/** The longest single timer: the platform's own are limited to 24 days. */
const LONGEST_TIMER_MS = DAY_MS;

const QUESTION = { queryId: "23983697327930364", variables: {}, field: "xwa2_fetch_account_reachout_timelock" };
const PUSH = { operation: "NotificationUserReachoutTimelockUpdate", field: "xwa2_notify_account_reachout_timelock" };

export type RestrictionWatch = RefusalCauses & {
  readonly attach: Attach;
  /** Ends all waits. */
  close(): void;
};

type Ports = {
  host: Pick<ChannelHost, "clock" | "log" | "channelId">;
  limits: Pick<Limits, "timelock" | "rowOf">;
  /** Called after the restriction has changed, or its end has passed. */
  changed(): void;
};

/**
 * The network restricts accounts that write to too many strangers: for a while they may only answer people who wrote
 * first. Every attempt in that time prolongs it. The network is asked when a socket is open, after a refusal, and at
 * the end; it also sends reports itself. Only its activity and its end count, because unknown kinds of restrictions are
 * added (W26 §7.3.2).
 */
export const createRestriction = ({ host, limits, changed }: Ports): RestrictionWatch => {
  const { clock, log, channelId } = host;
  const { timelock } = limits;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<"answered" | "silent"> = Promise.resolve("answered");
  let isAsking = false;
  let cancel: Cancel = () => {};
  const isRestricted = (): boolean => clock.now() < timelock.until;

  const learn = async (activeSocket: ActiveSocket, said: Record<string, unknown>, unnamedMs: number): Promise<void> => {
    const before = { until: timelock.until, reason: timelock.reason };
    const isActive = said["is_active"] === true || said["is_active"] === "true";
    const until = timeOf(said["time_enforcement_ends"]) ?? clock.now() + unnamedMs;
    timelock.set(isActive ? { until, reason: wordOf(said["enforcement_type"], "DEFAULT") } : undefined);
    logChange(host, before, timelock);
    watchEnd(activeSocket);
    if (timelock.until === before.until && timelock.reason === before.reason) return;
    changed();
    await keep(host, activeSocket, limits.rowOf("timelock"));
  };
  const ask = (activeSocket: ActiveSocket): Promise<"answered" | "silent"> => {
    askedAt = clock.now();
    isAsking = true;
    asking = answerOn(activeSocket).finally(() => {
      isAsking = false;
    });
    return asking;
  };
  const answerOn = async (activeSocket: ActiveSocket): Promise<"answered" | "silent"> => {
    try {
      const said = await askMex(activeSocket.sock, QUESTION);
      if (activeSocket.isCurrent()) await learn(activeSocket, said, UNNAMED_MS);
      return "answered";
    } catch (thrown) {
      log.warn({ channelId, error: reasonOf(thrown) }, "the network did not say whether the account is restricted");
      return "silent";
    }
  };
  /** At its end the restriction is over by the clock; the network is asked whether it was prolonged. */
  const watchEnd = (activeSocket: ActiveSocket): void => {
    cancel();
    if (!isRestricted()) return;
    cancel = clock.timer(Math.min(timelock.until - clock.now(), LONGEST_TIMER_MS), () => {
      if (!activeSocket.isCurrent()) return;
      if (isRestricted()) return watchEnd(activeSocket);
      changed();
      void ask(activeSocket);
    });
  };

  const causes = createRefusalCauses(clock, {
    isRestricted,
    ask,
    isNewer: (than) => isAsking || askedAt >= than,
    answer: () => asking,
    waitMs: () => askedAt + ASK_EVERY_MS - clock.now(),
    // a network that only refuses may mean the account: it gets no further strangers for an hour
    unconfirmed: (activeSocket) =>
      learn(activeSocket, { is_active: true, enforcement_type: "UNCONFIRMED" }, UNNAMED_MS),
  });

  return {
    attach(activeSocket) {
      onMex(activeSocket, PUSH, (said) => void learn(activeSocket, said, UNNAMED_PUSH_MS));
      activeSocket.sock.ev.on("connection.update", ({ connection }) => {
        if (connection !== "open" || !activeSocket.isCurrent()) return;
        watchEnd(activeSocket);
        void ask(activeSocket);
      });
    },
    ...causes,
    close: () => cancel(),
  };
};

const logChange = ({ clock, log, channelId }: Ports["host"], before: Timelock, { until, reason }: Timelock): void => {
  if (clock.now() < until) log.warn({ channelId, until, reason }, "the account may not write to strangers for a while");
  else if (clock.now() < before.until) log.info({ channelId }, "the account may write to strangers again");
};

const keep = async (
  { log, channelId }: Ports["host"],
  { keyStore }: Pick<ActiveSocket, "keyStore">,
  row: KeyRow,
): Promise<void> => {
  await keyStore.write({ rows: [row] }).catch((thrown: unknown) => {
    log.warn(
      { channelId, error: reasonOf(thrown) },
      "the account's restriction could not be written: a restart forgets it",
    );
  });
};
