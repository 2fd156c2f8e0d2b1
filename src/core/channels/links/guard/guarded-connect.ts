import type { LinkReport } from "../../../../contract/events.ts";
import type { ChannelHost, ChannelLink, ConnectOptions } from "../../../../contract/plugin.ts";
import { type Cancel, MINUTE_MS, SECOND_MS } from "../../../../kernel/clock.ts";
import { reasonOf } from "../../../../kernel/errors.ts";
import { atOnce, type NoteFault } from "./faults.ts";
import type { GuardedHost } from "./guarded-host.ts";

/**
 * The `stateReason` of a FAILED channel whose adapter could not open its link, or did not report a result. It is also
 * the code of a send or operation that the adapter did not answer by the contract.
 */
export const ADAPTER_FAULT = "ADAPTER_FAULT";

/** A connecting link has reported the next state by then, or waits for its network through its host. */
const CONNECT_MS = 60 * SECOND_MS;
const FIRST_RETRY_MS = MINUTE_MS;
const LONGEST_RETRY_MS = 15 * MINUTE_MS;

/** Connects a link; `close` ends its deadline and its retries. */
export type GuardedConnect = { connect(connectOptions?: ConnectOptions): void; close(): void };

/**
 * Guards `connect`. A channel is FAILED with ADAPTER_FAULT when its adapter throws, reports nonsense instead of a
 * state, or is silent for a minute without a timer or a request of its host; CONNECTING is no end of its silence. The last
 * two are tried again, after a minute at first, and less and less often until every 15 minutes. Any other report of the
 * adapter ends that.
 */
export const guardConnect = (
  link: Pick<ChannelLink, "connect">,
  host: ChannelHost,
  guarded: GuardedHost,
  note: NoteFault,
): GuardedConnect => {
  let isClosed = false;
  let cancel: Cancel = () => {};
  let retryMs = FIRST_RETRY_MS;
  const after = (delayMs: number, then: () => void) => {
    cancel();
    cancel = host.clock.timer(delayMs, then);
  };
  const fail = () => {
    if (!isClosed) host.report({ state: "FAILED", reason: ADAPTER_FAULT });
  };
  /** Whether the next report decides: the link connects. */
  let isDue = false;
  const heard = (report: LinkReport | undefined): void => {
    if (!report) return isDue ? failForNow() : undefined;
    if (report.state === "CONNECTING") return expectReport();
    isDue = false;
    cancel();
    retryMs = FIRST_RETRY_MS;
  };
  const expectReport = () => {
    isDue = true;
    after(CONNECT_MS, watch);
  };
  const failForNow = () => {
    fail();
    after(retryMs, () => begin({ isAsked: false }));
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
  };
  const watch = () => {
    if (guarded.isWaiting) return after(CONNECT_MS, watch);
    note("hung", "connect", `no report, timer or request within ${CONNECT_MS} ms`);
    failForNow();
  };
  const threw = (detail: string) => {
    cancel();
    note("threw", "connect", detail);
    fail();
  };
  const begin = (connectOptions?: ConnectOptions) => {
    if (isClosed) return;
    guarded.onReport(heard);
    expectReport();
    const connected = atOnce(note.measuring("connect", () => ignoring(link.connect(connectOptions), threw)));
    if (connected.is === "fault") threw(connected.detail);
  };
  return {
    connect: begin,
    close() {
      isClosed = true;
      cancel();
    },
  };
};

/** Starts a call without waiting for it. A rejection is recorded as a fault instead of ending the process. */
const ignoring = (value: unknown, onFault: (detail: string) => void): void => {
  if (value instanceof Promise) value.catch((thrown: unknown) => onFault(reasonOf(thrown)));
};
