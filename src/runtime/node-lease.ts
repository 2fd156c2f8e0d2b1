import { createThrottle } from "../kernel/async.ts";
import { SECOND_MS } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db } from "../store/engine/db.ts";
import { renewNode } from "../store/tables/nodes.ts";
import { faultText } from "./faults.ts";

/** Events of a node's lease. */
export type LeaseEvents = {
  /**
   * The lease was not renewed for 24 s, so that others may take over soon: the links of channels must be closed now.
   */
  onFenced(): Promise<void>;
  /** The lease was renewed after `onFenced`, before another node took over. */
  onBack(): Promise<void>;
  /** Another node has taken over: this process no longer owns anything and must restart. */
  onLost(): void;
};

/** The lease of one node. */
export type NodeLease = {
  begin(nowMs: number): void;
  /** Renews the lease every 10 s, and fences the node after 24 s without renewal. Call it twice a second. */
  look(nowMs: number): void;
  /** Whether no other process can have taken over. */
  isSafe(): boolean;
  /**
   * Whether an expired lease shows that its node is dead. False for 30 s after this node was fenced: the other nodes
   * need that time to renew theirs, too.
   */
  mayRemoveDead(nowMs: number): boolean;
  end(): void;
};

/** How long a lease lasts, by the clock of the database. A node fences itself earlier, before others take over. */
export const LEASE_MS = 30 * SECOND_MS;
const FENCE_AFTER_MS = 24 * SECOND_MS;
const RENEW_AFTER_MS = 10 * SECOND_MS;
const RETRY_EVERY_MS = 2 * SECOND_MS;

/** `elapsedMs`: a monotonic clock. */
type Ports = { db: Db; log: Log; processId: string; elapsedMs(): number; events: LeaseEvents };

export const createNodeLease = ({ db, log, processId, elapsedMs, events }: Ports): NodeLease => {
  let stage: "out" | "in" | "fenced" | "lost" = "out";
  let heldFrom = 0;
  let backAt = -Infinity;
  const failed = (what: string) => (error: unknown) => log.error({ processId, error: faultText(error) }, what);

  const isSafe = (): boolean => stage === "in" && elapsedMs() - heldFrom < FENCE_AFTER_MS;
  const renew = async (): Promise<void> => {
    const from = elapsedMs();
    const isHeld = await db.write((tx) => renewNode(tx, processId, LEASE_MS), { isDurable: false });
    if (stage === "out") return;
    if (!isHeld) {
      stage = "lost";
      return events.onLost();
    }
    heldFrom = from;
    if (stage === "fenced") await comeBack();
  };
  const comeBack = async (): Promise<void> => {
    stage = "in";
    backAt = elapsedMs();
    log.warn({ processId }, "the lease of this node is renewed; its links are opened");
    await events.onBack();
  };
  const fence = (): void => {
    stage = "fenced";
    log.error({ processId }, "the lease of this node could not be renewed; its links are closed until it can be");
    events.onFenced().catch(failed("the links of a node without a lease could not be closed"));
  };
  const renewing = createThrottle(renew, RETRY_EVERY_MS, failed("the lease of this node could not be renewed"));

  return {
    begin(nowMs) {
      stage = "in";
      heldFrom = nowMs;
    },
    look(nowMs) {
      if (stage === "out" || stage === "lost") return;
      if (stage === "in" && !isSafe()) fence();
      if (nowMs - heldFrom >= RENEW_AFTER_MS) renewing(nowMs);
    },
    isSafe,
    mayRemoveDead: (nowMs) => nowMs - backAt >= LEASE_MS,
    end() {
      stage = "out";
    },
  };
};
