import type { Restriction } from "../../../../src/contract/abilities/restriction.ts";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { createGroupLimits } from "../../groups/group-limits.ts";
import { createBans } from "../../lifecycle/ban.ts";
import { createNewsletterLimits } from "../../newsletters/newsletter-limits.ts";
import { createRecentStatuses } from "../../statuses/recent-statuses.ts";
import { createAllowance } from "./allowance.ts";
import { createDailyCap, type DailyCapSettings } from "./daily-cap.ts";
import { createPace } from "./pace.ts";
import { createNetworkQuota } from "./quota.ts";
import { createTimelock } from "./timelock.ts";

/** The kind of the key store's rows of limits. */
const KIND = "limit";

/**
 * A limit whose state is kept over restarts: `state` is a JSON value, and `recall` restores it. The limits of an
 * identity without rows are recalled with undefined, if that differs from a new state.
 */
export type Lasting = { state(): unknown; recall(state: unknown): void };

/**
 * The limits of a session's requests to its network: the pace of its sends, the numbers that it may look up, the time
 * until it may write to strangers, and the number of chats it may begin. A process that starts again would otherwise
 * begin with a full burst, which the network takes for a machine.
 */
export type Limits = {
  readonly pace: ReturnType<typeof createPace>;
  readonly allowance: ReturnType<typeof createAllowance>;
  readonly timelock: ReturnType<typeof createTimelock>;
  readonly quota: ReturnType<typeof createNetworkQuota>;
  readonly dailyCap: ReturnType<typeof createDailyCap>;
  /** The present restriction by the network. */
  restriction(): Restriction | undefined;
  readonly groups: ReturnType<typeof createGroupLimits>;
  readonly newsletters: ReturnType<typeof createNewsletterLimits>;
  readonly statuses: ReturnType<typeof createRecentStatuses>;
  readonly ban: ReturnType<typeof createBans>;
  /** Restores the state from the key store. */
  recall(keyStore: Pick<KeyStore, "read">): Promise<void>;
  /** The row of a limit's present state, for the write that it belongs to. */
  rowOf(name: Name): KeyRow;
};

const NAMES = [
  "pace",
  "allowance",
  "timelock",
  "quota",
  "dailyCap",
  "groups",
  "newsletters",
  "statuses",
  "ban",
] as const;
type Name = (typeof NAMES)[number];
/** The limits that belong to one identity: another identity begins without them. */
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
    newsletters: createNewsletterLimits(host.clock),
    statuses: createRecentStatuses(host.clock),
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
