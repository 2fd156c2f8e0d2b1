import {
  type AuthenticationCreds,
  makeWASocket,
  type SignalDataSet,
  type SignalDataTypeMap,
} from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { hasEndedWithin } from "../../../src/kernel/async.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import type { SocketRoute } from "../client/route.ts";
import { isPaired, readCreds } from "../keys/keys.ts";
import { decode, encode } from "../keys/rows.ts";
import { disconnectOf } from "./disconnects.ts";
import { endSocket, unlink } from "./ends.ts";
import { socketOptions } from "./socket.ts";

/** The row of the key store of identities that still have to be unlinked, because the network could not be reached. */
const [KIND, ID] = ["unlink", "old"];
/** The maximum number of identities to keep, however often the owner resets while the network is away. */
const MOST = 5;
const OPENS_WITHIN_MS = 15 * SECOND_MS;

type KeyStoreReader = Pick<KeyStore, "read">;

const oldIn = async (keyStore: KeyStoreReader): Promise<AuthenticationCreds[]> => {
  const text = (await keyStore.read(KIND, [ID])).get(ID);
  return text === undefined ? [] : (decode(text) as AuthenticationCreds[]); // written by `rowOf` alone
};

const rowOf = (old: readonly AuthenticationCreds[]): KeyRow => ({
  kind: KIND,
  id: ID,
  value: old.length === 0 ? null : encode(old),
});

/**
 * The remainder after a wipe of the key store: the identities that must still be unlinked. The key store's own is one
 * of them, unless the network has just unlinked it.
 */
export const remainderOf = async (
  keyStore: KeyStoreReader,
  { isUnlinked }: { isUnlinked: boolean },
): Promise<KeyRow[]> => {
  const own = isUnlinked ? undefined : await readCreds(keyStore);
  const old = [...(await oldIn(keyStore)), ...(own && isPaired(own) ? [own] : [])];
  return old.length === 0 ? [] : [rowOf(old.slice(-MOST))];
};

/** Unlinks all of them, one after the other, until one fails. Resolves to true when none is left. */
export const unlinkOld = async (host: ChannelHost, route: SocketRoute, keyStore: KeyStore): Promise<boolean> => {
  let left = await oldIn(keyStore);
  for (let [oldest] = left; oldest; [oldest] = left) {
    if (!(await isTakenBack(host, route, oldest))) return false;
    left = left.slice(1);
    await keyStore.write({ rows: [rowOf(left)] });
  }
  return true;
};

/**
 * Logs in once more with an identity, to have it unlinked. It reads nothing: its keys are gone. True also if the owner
 * has unlinked it before.
 */
const isTakenBack = async (
  { clock, log }: ChannelHost,
  route: SocketRoute,
  creds: AuthenticationCreds,
): Promise<boolean> => {
  const sock = makeWASocket({
    ...socketOptions(log, route),
    auth: { creds, keys: NO_KEYS },
    shouldIgnoreJid: () => true,
  });
  const { promise: opened, resolve } = Promise.withResolvers<"open" | "gone" | "away">();
  sock.ev.on("connection.update", ({ connection, lastDisconnect }) => {
    if (connection === "open") resolve("open");
    if (connection === "close")
      resolve(disconnectOf(lastDisconnect?.error, creds, 0).is === "logged-out" ? "gone" : "away");
  });
  await hasEndedWithin(clock, OPENS_WITHIN_MS, opened);
  resolve("away");
  const came = await opened;
  const isUnlinked = came === "gone" || (came === "open" && (await unlink(sock, clock)));
  await endSocket(sock, clock);
  return isUnlinked;
};

const NO_KEYS = {
  get: async <T extends keyof SignalDataTypeMap>(
    _kind: T,
    _ids: string[],
  ): Promise<{ [id: string]: SignalDataTypeMap[T] }> => ({}),
  set: async (_data: SignalDataSet): Promise<void> => {},
};
