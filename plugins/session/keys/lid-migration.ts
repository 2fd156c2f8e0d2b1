import { isHostedLidUser, isHostedPnUser, isLidUser, isPnUser, jidDecode } from "@whiskeysockets/baileys";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { numberAddress, underLid } from "./addresses.ts";
import type { Repository } from "./key-transactions.ts";
import type { ChannelKeys } from "./keys.ts";
import { readKeys } from "./rows.ts";

/** The number of devices to remember as already migrated. */
const MOST_REMEMBERED = 1000;

type Migration = { of: string; to: string };

/**
 * Migrates the sessions of a number's devices under its LID, once it is known; never over a session that was begun
 * there meanwhile.
 */
export const createLidMigration = ({ keyStore, withLocks }: ChannelKeys): Repository["migrateSession"] => {
  const done = new Set<string>();

  return async (from, to) => {
    const { user = "", device = 0 } = jidDecode(from) ?? {};
    const lid = jidDecode(to)?.user ?? "";
    if (!isNumber(from) || !isLid(to) || done.has(from)) return { migrated: 0, skipped: 0, total: 0 };
    const { [user]: devices = [] } = await readKeys(keyStore.read, "device-list", [user]);
    const migrations = [...new Set([...devices, String(device)])].map(
      (one): Migration => ({ of: numberAddress(user, one), to: underLid(numberAddress(user, one), lid) }),
    );
    const migrated = await withLocks(bothOf(migrations), () => migrateSessions(keyStore, migrations));
    if (done.size >= MOST_REMEMBERED) done.clear();
    done.add(from);
    return { migrated, skipped: migrations.length - migrated, total: migrations.length };
  };
};

const isNumber = (jid: string): boolean => Boolean(isPnUser(jid) || isHostedPnUser(jid));
const isLid = (jid: string): boolean => Boolean(isLidUser(jid) || isHostedLidUser(jid));
const bothOf = (migrations: readonly Migration[]): string[] => migrations.flatMap(({ of, to }) => [of, to]);

const migrateSessions = async (keyStore: KeyStore, migrations: readonly Migration[]): Promise<number> => {
  const sessions = await keyStore.read("session", bothOf(migrations));
  const due = migrations.filter(({ of, to }) => sessions.has(of) && !sessions.has(to));
  const rows = due.flatMap(({ of, to }) => [
    { kind: "session", id: to, value: sessions.get(of) ?? null },
    { kind: "session", id: of, value: null },
  ]);
  if (rows.length > 0) await keyStore.write({ rows });
  return due.length;
};
