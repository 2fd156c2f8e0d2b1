import type { Restriction } from "../../../../src/contract/abilities/restriction.ts";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { createGroupLimits } from "../../groups/group-limits.ts";
import { createBans } from "../../lifecycle/ban.ts";
import { createAllowance } from "./allowance.ts";
import { createDailyCap, type DailyCapSettings } from "./daily-cap.ts";
import { createPace } from "./pace.ts";
import { createNetworkQuota } from "./quota.ts";
import { createTimelock } from "./timelock.ts";

/** The kind of the rows of the key store that hold what follows. */
const KIND = "limit";

/**
 * A limit whose state is kept over restarts: `state` is what JSON can hold, and `recall` takes it back. The limits of
 * an identity that has no rows are recalled with undefined, where that is not the same as new.
 */
export type Lasting = { state(): unknown; recall(state: unknown): void };

/**
 * What limits a session's requests to its network: the pace of its sends, the numbers that it may look up, until when
 * it may not write to strangers, and how many chats it may begin. A process that starts again would otherwise begin
 * with a full burst, which the network takes for a machine.
 */
export type Limits = {
  readonly pace: ReturnType<typeof createPace>;
  readonly allowance: ReturnType<typeof createAllowance>;
  readonly timelock: ReturnType<typeof createTimelock>;
  readonly quota: ReturnType<typeof createNetworkQuota>;
  readonly dailyCap: ReturnType<typeof createDailyCap>;
  /** What the network forbids at the moment. */
  restriction(): Restriction | undefined;
  readonly groups: ReturnType<typeof createGroupLimits>;
  readonly ban: ReturnType<typeof createBans>;
  /** Takes back what the key store holds. */
  recall(keyStore: Pick<KeyStore, "read">): Promise<void>;
  /** A limit as it stands, for the write that it belongs to. */
  rowOf(name: Name): KeyRow;
};

const NAMES = ["pace", "allowance", "timelock", "quota", "dailyCap", "groups", "ban"] as const;
type Name = (typeof NAMES)[number];
/** Those that belong to one identity: another one begins without them. */
const OF_IDENTITY: readonly Name[] = ["timelock", "quota", "dailyCap", "ban"];

export const createLimits = (
  host: Pick<ChannelHost, "clock" | "random">,
  perMinute: number,
  caps: DailyCapSettings = {},
): Limits => {
  const limits = {
    pace: createPace(host, perMinute),
    allowance: createAllowance(host.clock),
    timelock: createTimelock(),
    quota: createNetworkQuota(host.clock),
    dailyCap: createDailyCap(host.clock, caps),
    groups: createGroupLimits(host.clock),
    ban: createBans(),
  } satisfies Record<Name, Lasting>;
  return {
    ...limits,
    restriction() {
      const { timelock, quota } = limits;
      if (host.clock.now() < timelock.until)
        return { reason: timelock.reason, until: timelock.until, allows: "replies" };
      const cappedUntil = quota.cappedUntil();
      return cappedUntil === undefined
        ? undefined
        : { reason: "NEW_CHAT_QUOTA", until: cappedUntil, allows: "replies" };
    },
    async recall(keyStore) {
      const rows = await keyStore.read(KIND, NAMES);
      for (const name of OF_IDENTITY) if (!rows.has(name)) limits[name].recall(undefined);
      for (const [name, text] of rows) limits[name as Name].recall(JSON.parse(text));
      if (!rows.has("dailyCap") && rows.size > 0) limits.dailyCap.linkedLongAgo();
    },
    rowOf: (name) => ({ kind: KIND, id: name, value: JSON.stringify(limits[name].state()) }),
  };
};
