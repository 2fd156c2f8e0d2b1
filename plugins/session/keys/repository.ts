import {
  MISSING_KEYS_ERROR_TEXT,
  type proto,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
} from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import type { Attach, ReadMessage } from "../active-socket.ts";
import { addressOf } from "./addresses.ts";
import { isSignedBy } from "./hardening.ts";
import { createKeyTransactions, type KeyTransactions, makeRepository, type Repository } from "./key-transactions.ts";
import type { ChannelKeys } from "./keys.ts";
import { createLidMigration } from "./lid-migration.ts";
import { createReading, type Reading } from "./reading.ts";
import { readKeys, rowsOf } from "./rows.ts";

type MakeRepository = SocketConfig["makeSignalRepository"];
type Host = Pick<ChannelHost, "channelId" | "log">;

/**
 * One socket's use of the channel's keys: `makeSignalRepository` goes into its configuration, `attach` is called before
 * it connects. The socket's credentials are saved whenever they change. The socket ends with the key store's error when
 * a save fails, and with `KeyStoreLost` when the key store was taken over.
 */
export type Signals = { makeSignalRepository: MakeRepository; attach: Attach };

/**
 * The ciphers of one socket over the channel's keys. Every operation has a key transaction of its own, under the lock
 * of its address or group. The transaction is written as a whole before its result is used. A ciphertext leaves when
 * its ratchet step is on disk, and a message is acknowledged when it is on disk with its events. A failed operation
 * changes nothing. When the key store fails, or another socket has taken over, this socket ends and sends nothing more.
 */
export const createSignals = (host: Host, keys: ChannelKeys, read: ReadMessage): Signals => {
  const reading = createReading(host, keys.keyStore, read);
  return {
    makeSignalRepository: (...given) => repositoryOver(host, keys, reading, given),
    attach(activeSocket) {
      reading.attach(activeSocket);
      keys.onFailure((error) => void activeSocket.sock.end(error));
      // the key store reports the failure itself
      activeSocket.sock.ev.on("creds.update", () => void keys.saveCreds().catch(() => {}));
    },
  };
};

const repositoryOver = (
  { channelId, log }: Host,
  keys: ChannelKeys,
  reading: Reading,
  [{ creds }, logger, askForLids]: Parameters<MakeRepository>,
): Repository => {
  const transactions = createKeyTransactions(keys, creds, logger);
  const { atAddress, begin, change, resolve } = transactions;
  const { keyStore, withLocks } = keys;
  const receive = createReceive({ channelId, log }, keys, { ...transactions, ...reading });
  const { lidMapping, jidToSignalProtocolAddress, close } = makeRepository(
    { creds, keys: mappingsIn(keyStore) },
    logger,
    askForLids,
  );

  return {
    lidMapping,
    jidToSignalProtocolAddress,
    close: () => close?.(),
    encryptMessage: ({ jid, data }) =>
      atAddress(jid, (at) => change((inner) => inner.encryptMessage({ jid: at, data }))),
    decryptMessage: ({ jid, type, ciphertext }) =>
      atAddress(jid, (at) => receive(ciphertext, (inner) => inner.decryptMessage({ jid: at, type, ciphertext }))),
    encryptGroupMessage: (order) => withLocks([order.group], () => change((inner) => inner.encryptGroupMessage(order))),
    decryptGroupMessage: (order) =>
      withLocks([order.group], () => receive(order.msg, (inner) => inner.decryptGroupMessage(order), order.group)),
    getSenderKeyDistributionMessage: (order) =>
      withLocks([order.group], () => change((inner) => inner.getSenderKeyDistributionMessage(order))),
    // it was taken together with its message
    processSenderKeyDistributionMessage: async () => {},
    hasSenderKey: (order) => begin().repository.hasSenderKey(order),
    getSessionInfo: async (jid) => begin().repository.getSessionInfo(await resolve(jid)),
    validateSession: async (jid) => begin().repository.validateSession(await resolve(jid)),
    async injectE2ESession({ jid, session }) {
      if (isSignedBy(session.identityKey, session.signedPreKey))
        await atAddress(jid, (at) => change((inner) => inner.injectE2ESession({ jid: at, session })));
      // not a failure: one lying device must not block messages to a whole group
      else log.warn({ channelId }, "keys of a contact's device are not signed by it");
    },
    async deleteSession(jids) {
      const addresses = (await Promise.all(jids.map(resolve))).map(addressOf);
      await withLocks(addresses, () =>
        keyStore.write({ rows: addresses.map((id) => ({ kind: "session", id, value: null })) }),
      );
    },
    migrateSession: createLidMigration(keys),
  };
};

/**
 * Decrypts a part of a stanza, under the lock of its address or group, reads it, and writes the changes of both.
 * `held`: the group whose lock is held. Groups are locked after addresses and never one inside another. So a key for
 * another group inside a group's message is ignored; honest clients send none.
 */
const createReceive =
  (
    { channelId, log }: Host,
    { withLocks }: ChannelKeys,
    { begin, partOf, messageIn }: Pick<KeyTransactions, "begin"> & Reading,
  ) =>
  async (
    ciphertext: Uint8Array,
    decrypt: (inner: Repository) => Promise<Uint8Array>,
    held?: string,
  ): Promise<Uint8Array> => {
    const part = partOf(ciphertext);
    const { repository, keep } = begin();
    const plaintext = await decrypt(repository).catch(async (error: unknown) => {
      // this text keeps Baileys from asking the sender for a message that was already read
      throw (await part.wasRead()) ? new Error(MISSING_KEYS_ERROR_TEXT) : error;
    });
    const plain = messageIn(plaintext);
    const item = senderKeyIn(plain?.message);

    const finish = async () => keep(plain && (await part.changesOf(plain)));
    const finishWithKey = async (senderKey: proto.Message.SenderKeyDistributionMessage) => {
      await repository
        .processSenderKeyDistributionMessage({ item: senderKey, authorJid: part.author })
        .catch((error: unknown) => {
          log.warn({ channelId, err: error }, "key of a group's member could not be taken");
        });
      await finish();
    };
    if (!item?.groupId || (held && held !== item.groupId)) await finish();
    else if (held) await finishWithKey(item);
    else await withLocks([item.groupId], () => finishWithKey(item));
    return plaintext;
  };

const senderKeyIn = (message: proto.IMessage | undefined) =>
  (message?.deviceSentMessage?.message ?? message)?.senderKeyDistributionMessage as
    | proto.Message.SenderKeyDistributionMessage
    | undefined
    | null;

/** The LID of each number: Baileys writes it when it learns it. */
const mappingsIn = (keyStore: KeyStore): SignalKeyStoreWithTransaction => ({
  get: (kind, ids) => readKeys(keyStore.read, kind, ids),
  set: (data) => keyStore.write({ rows: rowsOf(data) }),
  isInTransaction: () => false,
  transaction: (work) => work(),
});
