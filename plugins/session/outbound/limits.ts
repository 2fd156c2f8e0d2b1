import type { KeyRow, KeyStore } from "../../../src/contract/key-store.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { createGroupLimits } from "../groups/group-limits.ts";
import { createAllowance } from "./allowance.ts";
import { createPace } from "./pace.ts";

/** The kind of the rows of the key store that hold what follows. */
const KIND = "limit";

/** A limit whose state is kept over restarts: `state` is what JSON can hold, and `recall` takes it back. */
export type Lasting = { state(): unknown; recall(state: unknown): void };

/**
 * What limits a session's requests to its network: the pace of its sends, the numbers that it may look up, and until
 * when it may not write to strangers. A process that starts again would otherwise begin with a full burst, which the
 * network takes for a machine.
 */
export type Limits = {
  readonly pace: ReturnType<typeof createPace>;
  readonly allowance: ReturnType<typeof createAllowance>;
  readonly timelock: ReturnType<typeof createTimelock>;
  readonly groups: ReturnType<typeof createGroupLimits>;
  /** Takes back what the key store holds. */
  recall(keyStore: Pick<KeyStore, "read">): Promise<void>;
  /** A limit as it stands, for the write that it belongs to. */
  rowOf(name: Name): KeyRow;
};

const NAMES = ["pace", "allowance", "timelock", "groups"] as const;
type Name = (typeof NAMES)[number];

export const createLimits = (host: Pick<ChannelHost, "clock" | "random">, perMinute: number): Limits => {
  const limits = {
    pace: createPace(host, perMinute),
    allowance: createAllowance(host.clock),
    timelock: createTimelock(),
    groups: createGroupLimits(host.clock),
  } satisfies Record<Name, Lasting>;
  return {
    ...limits,
    async recall(keyStore) {
      for (const [name, text] of await keyStore.read(KIND, NAMES)) limits[name as Name].recall(JSON.parse(text));
    },
    rowOf: (name) => ({ kind: KIND, id: name, value: JSON.stringify(limits[name].state()) }),
  };
};

/** Until when the account may not write to strangers. */
const createTimelock = () => {
  let until = 0;
  return {
    get until() {
      return until;
    },
    set(untilMs: number): void {
      until = untilMs;
    },
    state: () => until,
    recall(state: unknown): void {
      if (typeof state === "number") until = state;
    },
  };
};
