import { isHostedLidUser, isHostedPnUser, isLidUser, isPnUser, jidDecode } from "@whiskeysockets/baileys";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { numberAddress, underLid } from "./addresses.ts";
import type { Repository } from "./key-transactions.ts";
import type { ChannelKeys } from "./keys.ts";
import { readKeys } from "./rows.ts";

/** The number of devices to remember as already moved. */
const MOVED_MAX = 1000;

type Move = { of: string; to: string };

/**
 * Moves the sessions of a number's devices under its LID, once it is known; never over a session that was begun there
 * meanwhile.
 */
export const createMoving = ({ keyStore, withLocks }: ChannelKeys): Repository["migrateSession"] => {
  const moved = new Set<string>();

  return async (from, to) => {
    const { user = "", device = 0 } = jidDecode(from) ?? {};
    const lid = jidDecode(to)?.user ?? "";
    if (!isNumber(from) || !isLid(to) || moved.has(from)) return { migrated: 0, skipped: 0, total: 0 };
    const { [user]: devices = [] } = await readKeys(keyStore.read, "device-list", [user]);
    const moves = [...new Set([...devices, String(device)])].map(
      (one): Move => ({ of: numberAddress(user, one), to: underLid(numberAddress(user, one), lid) }),
    );
    const migrated = await withLocks(bothOf(moves), () => moveSessions(keyStore, moves));
    if (moved.size >= MOVED_MAX) moved.clear();
    moved.add(from);
    return { migrated, skipped: moves.length - migrated, total: moves.length };
  };
};

const isNumber = (jid: string): boolean => Boolean(isPnUser(jid) || isHostedPnUser(jid));
const isLid = (jid: string): boolean => Boolean(isLidUser(jid) || isHostedLidUser(jid));
const bothOf = (moves: readonly Move[]): string[] => moves.flatMap(({ of, to }) => [of, to]);

const moveSessions = async (keyStore: KeyStore, moves: readonly Move[]): Promise<number> => {
  const sessions = await keyStore.read("session", bothOf(moves));
  const due = moves.filter(({ of, to }) => sessions.has(of) && !sessions.has(to));
  const rows = due.flatMap(({ of, to }) => [
    { kind: "session", id: to, value: sessions.get(of) ?? null },
    { kind: "session", id: of, value: null },
  ]);
  if (rows.length > 0) await keyStore.write({ rows });
  return due.length;
};
