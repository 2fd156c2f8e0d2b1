import { jidDecode } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyRow, RestoredKeyStore } from "../../../src/contract/ports/key-store.ts";
import { addressOf } from "./addresses.ts";
import { credsRow, readCreds } from "./keys.ts";

/**
 * Kinds whose rows are deleted. `session`: its ratchet has moved on since, so it would encrypt with used keys and could
 * not read new messages. `sender-key-memory`: the people who have our key of a group. `device-list`: the devices of a
 * person at that time.
 */
const OUTDATED = ["session", "sender-key-memory", "device-list"];

/**
 * The numbers of pre-keys have three bytes. New ones begin somewhere in the middle, a range that neither the time since
 * the backup nor another restore has used.
 */
const [FIRST_NUMBER, LAST_NUMBER] = [2 ** 20, 2 ** 23];

/**
 * Makes the key store of a restored backup safe to use. The identity stays, so the phone stays linked. Sessions are
 * deleted: the next message to a person begins a new one, and a contact that writes in an old one is asked to send
 * again, in a new one. Our own group keys are deleted; those of others only decrypt, and stay. Pre-keys stay, because
 * the network may still hand them out, but it does not get them again: it gets new ones at the next login, and with
 * them the present signed pre-key.
 */
export const mendRestored = async (
  keyStore: RestoredKeyStore,
  { random }: Pick<ChannelHost, "random">,
): Promise<void> => {
  const creds = await readCreds(keyStore);
  if (!creds) return;
  const next = Math.floor(FIRST_NUMBER + random.float() * (LAST_NUMBER - FIRST_NUMBER));
  const own = [creds.me?.id, creds.me?.lid].flatMap((jid) =>
    jid && jidDecode(jid) ? `::${addressOf(jid).replace(".", "::")}` : [],
  );
  const outdated = await Promise.all(OUTDATED.map(async (kind) => rowsOf(kind, await keyStore.idsOf(kind))));
  const senderKeys = (await keyStore.idsOf("sender-key")).filter((id) => own.some((end) => id.endsWith(end)));
  const rows = [...outdated.flat(), ...rowsOf("sender-key", senderKeys)];
  await keyStore.write({ rows: [...rows, credsRow({ ...creds, nextPreKeyId: next, firstUnuploadedPreKeyId: next })] });
};

/** Rows to delete. */
const rowsOf = (kind: string, ids: readonly string[]): KeyRow[] => ids.map((id) => ({ kind, id, value: null }));
