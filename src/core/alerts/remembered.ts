import { type Clock, MINUTE_MS } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { Random } from "../../kernel/random.ts";
import type { Tx } from "../../store/engine/db.ts";
import { insertTrouble, listOpenTroubles, updateTroubles } from "../../store/tables/troubles.ts";
import type { Notice, Sending } from "./sending.ts";

/** A trouble that comes back within this time is the same trouble: nothing is announced in between. */
export const GONE_MS = 10 * MINUTE_MS;
const MOST_OPEN = 10_000;

/**
 * A trouble that was announced to the operator while nothing could be stored. `unsent`: the ways that have not taken
 * the message yet. `isStored`: whether a row records it.
 */
export type Remembered = {
  kind: "disk-full" | "database-away";
  openedAt: number;
  seenAt: number;
  isStored: boolean;
  unsent: readonly Sending[];
  notice: Notice;
};

/** At most one of each kind. */
export type RememberedAlerts = Map<Remembered["kind"], Remembered>;

type RememberingEnv = { clock: Clock; random: Random; rememberedAlerts: RememberedAlerts };

/**
 * Stores the troubles that were announced from memory, so that each is announced only once and its end is announced
 * too.
 */
export const keepRemembered = async (env: RememberingEnv, tx: Tx): Promise<void> => {
  const all = [...env.rememberedAlerts.values()].filter(({ isStored }) => !isStored);
  if (all.length === 0) return;
  const open = await listOpenTroubles(tx, MOST_OPEN);
  for (const one of all) {
    const { kind, openedAt, seenAt, notice } = one;
    const row = open.find((known) => known.kind === kind && known.subject === "");
    if (row) await updateTroubles(tx, [row.id], { seenAt, announcedAt: row.announcedAt ?? openedAt });
    else {
      const { text, localText } = notice;
      await insertTrouble(tx, {
        id: newId(env),
        kind,
        subject: "",
        text,
        localText,
        openedAt,
        seenAt,
        announcedAt: openedAt,
        closedAt: null,
      });
    }
    tx.atCommit(() => {
      one.isStored = true;
    });
  }
};
