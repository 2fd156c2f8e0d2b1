import type { proto } from "@whiskeysockets/baileys";
import type { ChannelEvent } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyChanges } from "../../../src/contract/ports/key-store.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { createKeyedMutex } from "../../../src/kernel/async.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { type ActiveSocket, type Attach, childrenOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, refusal } from "../ask.ts";
import { turnsOf } from "../inbound/chat-turns.ts";
import type { MediaPlace } from "../inbound/inbox.ts";
import {
  COLLECTIONS,
  type Collection,
  Damaged,
  isCollection,
  KeyMissing,
  NOTHING,
  type Written,
  writePatch,
} from "./patches.ts";
import { collectionOf, errorIn, questionFor } from "./questions.ts";
import { askForKey, createReader } from "./read.ts";
import {
  dueOf,
  dueRow,
  forgottenRows,
  keyFinder,
  macReader,
  newestKey,
  patchedRows,
  sharedKeyRows,
  versionOf,
} from "./rows.ts";

/** What an account's devices share about its chats: read when it changes, and changed. */
export type AppState = {
  readonly attach: Attach;
  /** The changes by a message of the owner's phone that shares keys; none for another message. */
  keysIn(message: proto.IMessage): KeyChanges;
  /** Sets values, after everything that came before is read. @throws Ended, and what `make` throws */
  set(active: ActiveSocket, name: Collection, make: Make): Promise<void>;
  /** Forgets everything, and reads it again. @throws Ended */
  resync(active: ActiveSocket): Promise<void>;
  close(): void;
};

/**
 * Gives what is set, and the events that are ingested with it. Called in the collection's turn: after everything that
 * came before is read, and again after another device was faster.
 */
export type Make = () => Promise<{ written: readonly Written[]; events?: readonly ChannelEvent[] }>;

/** How often a value is written again, because another device was faster. */
const MOST_CONFLICTS = 3;
const CONFLICT = 409;
/** A collection that could not be read is tried again after this time, at the next connect, or when it changes. */
const RETRY_MS = 5 * MINUTE_MS;

export const createAppState = (host: ChannelHost, { mediaPlace }: { mediaPlace: MediaPlace }): AppState => {
  const mutex = createKeyedMutex();
  const reader = createReader(host, mediaPlace);
  const changes = createChanges();
  let cancelRetry = () => {};

  /** Reads a collection to its end, unless the network has named it again meanwhile. */
  const read = async (active: ActiveSocket, name: Collection): Promise<void> => {
    const isDue = changes.since(name);
    await reader.read(active, name);
    await active.keyStore.write({ rows: [dueRow(name, isDue())] });
  };
  const readDue = async (active: ActiveSocket, name: Collection): Promise<void> => {
    try {
      await read(active, name);
    } catch (thrown) {
      if (thrown instanceof KeyMissing) return askForKey(host, active, thrown.keyId);
      if (thrown instanceof Damaged) return; // it is in the log
      host.log.info({ collection: name, reason: reasonOf(thrown) }, "a part of the app state could not be read");
      cancelRetry();
      cancelRetry = host.clock.timer(RETRY_MS, () => sync(active));
    }
  };
  const readAll = async (active: ActiveSocket): Promise<void> => {
    if ((await keyIdOf(active)) === undefined) return;
    for (const name of await dueOf(active.keyStore))
      if (active.isCurrent()) await mutex.run([name], () => readDue(active, name));
  };
  /** Reads what is due. Never throws. */
  const sync = (active: ActiveSocket): void => {
    if (!active.isCurrent()) return;
    readAll(active).catch((thrown: unknown) => {
      host.log.warn({ reason: reasonOf(thrown) }, "the app state could not be read");
    });
  };

  const write = createWriter(host, { changes, read });

  return {
    attach: (active) => listen(active, { changes, sync }),
    keysIn(message) {
      const rows = sharedKeyRows(message);
      return rows.length > 0 ? { rows } : {};
    },
    set: (active, name, make) =>
      mutex.run([name], () => write(active, name, make)).catch((thrown: unknown) => endWith(host, active, thrown)),
    async resync(active) {
      reader.forgive();
      for (const name of COLLECTIONS)
        await mutex.run([name], async () => {
          await active.keyStore.write({ rows: [...forgottenRows(name), dueRow(name, true)] });
          await readDue(active, name);
        });
    },
    close: () => cancelRetry(),
  };
};

/** `read` reads a collection to its end. */
type WriterParts = { changes: Changes; read(active: ActiveSocket, name: Collection): Promise<void> };

/** Writes values, again after a faster device. @throws Ended, Damaged, KeyMissing */
const createWriter = (host: ChannelHost, { changes, read }: WriterParts): AppState["set"] => {
  /** Adds a patch to the newest version. False if another device was faster. @throws Ended, Damaged, KeyMissing */
  const add = async (active: ActiveSocket, name: Collection, make: Make): Promise<boolean> => {
    const { sock, keyStore } = active;
    const keyId = await keyIdOf(active);
    if (keyId === undefined) throw new Ended(unavailable("the owner's phone has not shared the keys of its chats yet"));
    if ((await dueOf(keyStore)).includes(name)) await read(active, name);
    const isDue = changes.since(name);
    const { written, events = [] } = await make();
    const before = (await versionOf(keyStore, name)) ?? NOTHING;
    const ports = { readMacs: macReader(keyStore, name), find: keyFinder(keyStore) };
    const made = await writePatch(name, written, { before, keyId, ...ports });
    // without an answer nobody knows which version the network has
    await keyStore.write({ rows: [dueRow(name, true)] });
    const code = errorIn(collectionOf(await ask(sock, questionFor(name, before, false, made.patch)), name));
    if (code === CONFLICT) return false;
    if (code !== undefined) throw new Ended(refusal(`the network refused the change (${code})`, code));
    const rows = await patchedRows(keyStore, name, made);
    await keyStore.write({ rows: [...rows, dueRow(name, isDue())], events });
    return true;
  };

  return async (active: ActiveSocket, name: Collection, make: Make): Promise<void> => {
    for (let attempt = 0; attempt < MOST_CONFLICTS; attempt++) {
      if (await add(active, name, make)) return;
      host.log.info({ collection: name }, "another device changed the app state first: it is read, and changed again");
    }
    throw new Ended(unavailable("other devices change the chats all the time"));
  };
};

/** `sync` reads what is due. */
type Listening = { changes: Changes; sync(active: ActiveSocket): void };

/** Listens for what the network names, for keys of the phone, and for the connect. */
const listen = (active: ActiveSocket, { changes, sync }: Listening): void => {
  const { sock, keyStore } = active;
  // before Baileys' own listener, which would read the collection in its own way: it finds no collection
  sock.ws.prependListener("CB:notification,type:server_sync", (stanza: Stanza) => {
    const names = collectionsIn(stanza);
    changes.note(names);
    stanza.content = [];
    void sock.notificationMutex
      .mutex(async () => {
        if (active.isCurrent()) await keyStore.write({ rows: names.map((name) => dueRow(name, true)) });
      })
      .then(() => sync(active))
      .catch(() => void sock.end(undefined));
  });
  // after Baileys' own listener has taken its turn: the keys in a message of the phone are on disk then
  sock.ws.on("CB:message", (stanza: Stanza) => {
    if (stanza.attrs["category"] === "peer") void turnsOf(sock, stanza).mutex(async () => sync(active));
  });
  // of the listeners for one event there may be ten
  sock.ev.process(({ "connection.update": update }) => {
    if (update?.connection === "open") sync(active);
  });
};

type Changes = ReturnType<typeof createChanges>;

/** Counts how often the network has named each collection, so that a change in the middle of a reading is not lost. */
const createChanges = () => {
  const counts = new Map<Collection, number>();
  return {
    note(names: readonly Collection[]): void {
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    /** Gives whether the collection was named since this call. */
    since(name: Collection): () => boolean {
      const before = counts.get(name);
      return () => counts.get(name) !== before;
    },
  };
};

const collectionsIn = (stanza: Stanza): Collection[] =>
  childrenOf(stanza).flatMap(({ tag, attrs: { name } }) => (tag === "collection" && isCollection(name) ? [name] : []));

/** Ends a change with what hindered it. @throws Ended */
const endWith = async (host: ChannelHost, active: ActiveSocket, thrown: unknown): Promise<never> => {
  if (thrown instanceof Damaged) throw new Ended(unavailable("the phone's chats cannot be read at the moment"));
  if (!(thrown instanceof KeyMissing)) throw thrown;
  await askForKey(host, active, thrown.keyId);
  throw new Ended(unavailable("the owner's phone has not shared a key of its chats yet"));
};

/** The id of the key to write with: the newest that the phone has shared. */
const keyIdOf = async ({ sock, keyStore }: ActiveSocket): Promise<string | undefined> =>
  (await newestKey(keyStore)) ?? sock.authState.creds.myAppStateKeyId;
