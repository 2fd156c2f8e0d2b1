import { createThrottle } from "../kernel/async.ts";
import { SECOND_MS } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db } from "../store/db.ts";
import { renewNode } from "../store/nodes.ts";
import { faultOf } from "./faults.ts";

/** What becomes of a node's lease. */
export type LeaseEvents = {
  /** It could not be renewed for so long that others may take over soon: whatever must not be had twice ends now. */
  onFenced(): Promise<void>;
  /** It has been renewed after all, before anybody took over. */
  onBack(): Promise<void>;
  /** Others have taken over: nothing that this process still believes to hold is its own. It has to start anew. */
  onLost(): void;
};

/** A node's claim on what it holds; `elapsedMs` is asked for its whole life, and never jumps. */
export type NodeLease = {
  begin(nowMs: number): void;
  /**
   * Renews it when it is time, and fences the node when it was not possible for too long. To be called twice a second.
   */
  look(nowMs: number): void;
  /** Whether no other process can have taken over. */
  isSafe(): boolean;
  /**
   * Whether a lease of another that has run out says that it is dead: it has had as much time as we to renew it after
   * the database was away.
   */
  mayRemoveDead(nowMs: number): boolean;
  end(): void;
};

/** A lease lasts for so long by the time of the database. Ours ends earlier, so that we stop before another begins. */
export const LEASE_MS = 30 * SECOND_MS;
const FENCE_AFTER_MS = 24 * SECOND_MS;
const RENEW_AFTER_MS = 10 * SECOND_MS;
const RETRY_EVERY_MS = 2 * SECOND_MS;

type Ports = { db: Db; log: Log; processId: string; elapsedMs(): number; events: LeaseEvents };

export const createNodeLease = ({ db, log, processId, elapsedMs, events }: Ports): NodeLease => {
  let stage: "out" | "in" | "fenced" | "lost" = "out";
  let heldFrom = 0;
  let backAt = -Infinity;
  const failed = (what: string) => (error: unknown) => log.error({ processId, error: faultOf(error) }, what);

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
    log.warn({ processId }, "the lease of this node is renewed after all; it goes on");
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
