import type { ReachoutTimelockState } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { HOUR_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import { completed, namesOf, personOf, WARM } from "../inbound/people.ts";
import type { Limits } from "./limits.ts";

/** How long a restriction counts of which the network did not say when it ends. */
const UNNAMED_MS = HOUR_MS;

export type Restriction = {
  readonly attach: Attach;
  /** Asks the network whether the account is restricted, because it just refused somebody. Never throws. */
  check(activeSocket: ActiveSocket): Promise<void>;
  /** Whether writing to somebody would be reaching out to a stranger while the account may not. */
  forbids(activeSocket: ActiveSocket, jid: string): Promise<boolean>;
};

/**
 * The network restricts accounts that write to too many strangers: for a while they may only answer people who wrote
 * first. Every attempt in that time prolongs it.
 */
export const createRestriction = (
  { clock, log, channelId }: Pick<ChannelHost, "clock" | "log" | "channelId">,
  limits: Pick<Limits, "timelock" | "rowOf">,
): Restriction => {
  const { timelock } = limits;
  const learn = async (
    { keyStore }: ActiveSocket,
    { isActive, timeEnforcementEnds }: ReachoutTimelockState,
  ): Promise<void> => {
    const before = timelock.until;
    timelock.set(isActive ? (timeEnforcementEnds?.getTime() ?? clock.now() + UNNAMED_MS) : 0);
    if (isActive) log.warn({ channelId, until: timelock.until }, "the account may not write to strangers for a while");
    else if (clock.now() < before) log.info({ channelId }, "the account may write to strangers again");
    if (timelock.until === before) return;
    await keyStore.write({ rows: [limits.rowOf("timelock")] }).catch((thrown: unknown) => {
      log.warn(
        { channelId, error: reasonOf(thrown) },
        "the account's restriction could not be written: a restart forgets it",
      );
    });
  };
  return {
    attach(activeSocket) {
      activeSocket.sock.ev.on("connection.update", ({ reachoutTimeLock }) => {
        if (reachoutTimeLock && activeSocket.isCurrent()) void learn(activeSocket, reachoutTimeLock);
      });
    },
    async check(activeSocket) {
      try {
        await learn(activeSocket, await activeSocket.sock.fetchAccountReachoutTimelock());
      } catch (thrown) {
        log.warn({ channelId, error: reasonOf(thrown) }, "the network did not say whether the account is restricted");
        await learn(activeSocket, { isActive: true });
      }
    },
    async forbids(activeSocket, jid) {
      if (clock.now() >= timelock.until || isGroup(jid)) return false;
      return !(await isWarm(activeSocket, jid));
    },
  };
};

/** Whether somebody has written to us, under this address or their other one. */
const isWarm = async ({ keyStore }: ActiveSocket, jid: string): Promise<boolean> => {
  const names = namesOf(await completed(keyStore, personOf(jid)));
  return (await keyStore.read(WARM, names)).size > 0;
};
