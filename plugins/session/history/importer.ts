import { proto } from "@whiskeysockets/baileys";
import type { HistoryMode } from "../../../src/contract/abilities/history.ts";
import type { SyncProgress } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyChanges } from "../../../src/contract/ports/key-store.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach } from "../active-socket.ts";
import { createUnknowns } from "../inbound/content/unknown.ts";
import type { MediaPlace } from "../inbound/inbox.ts";
import { addedRows, endedRows, isTaken, listPending, readPiece } from "./pieces.ts";
import { type Taken, takePiece } from "./taking.ts";

/** An unavailable piece is tried again after a minute, then after two, and so on: for almost eight hours. */
const RETRY_MS = MINUTE_MS;
const MOST_TRIES = 30;

type Deps = { mediaPlace: MediaPlace; answered(requestId: string, imported: number): void };

/** Imports earlier messages, one piece after the other, outside the turns of the socket. */
export type Importer = {
  /** The amount to import from now on. */
  mode: HistoryMode;
  readonly attach: Attach;
  /** The changes by the announcement of a piece: they are on disk before the phone learns that it came. */
  announced(active: Pick<ActiveSocket, "keyStore">, id: string, message: proto.IMessage): Promise<KeyChanges>;
  close(): void;
};

export const createImporter = (host: ChannelHost, deps: Deps): Importer => {
  const queue = createQueue();
  const unknowns = createUnknowns(host);
  let active: ActiveSocket | undefined;
  let isRunning = false;
  let cancel = () => {};

  /** Imports the ready pieces. A running import sees pieces that become ready meanwhile. */
  const run = async (): Promise<void> => {
    cancel();
    if (isRunning) return;
    isRunning = true;
    try {
      while (active?.isCurrent() && (await takeNext(active)));
    } catch (thrown) {
      host.log.warn({ error: reasonOf(thrown) }, "a piece of history could not be taken over yet");
      cancel = host.clock.timer(RETRY_MS * queue.mostTries(), () => void run());
    } finally {
      isRunning = false;
    }
  };

  /** An unavailable piece goes behind the others, and is lost in the end. */
  const tried = (id: string, taking: Promise<Taken>): Promise<Taken> =>
    taking.catch((thrown: unknown) => {
      if (queue.postpone(id) < MOST_TRIES) throw thrown;
      host.log.warn({ error: reasonOf(thrown) }, "a piece of history was tried for too long, and is not taken over");
      return LOST;
    });

  /** False when nothing is ready, or the socket was replaced. */
  const takeNext = async (current: ActiveSocket): Promise<boolean> => {
    const id = await queue.next(current);
    if (id === undefined) return false;
    const piece = await readPiece(current.keyStore, id);
    const taken = piece ? await tried(id, takePiece({ host, unknowns, ...deps }, current, { id, piece })) : LOST;
    if (taken.is === "interrupted") return false;
    const events = piece && taken.is === "taken" ? [progressOf(host, piece.announced, taken.imported)] : [];
    await current.keyStore.write({ rows: endedRows(await queue.pending(current), id), events });
    queue.remove(id);
    const requestId = piece?.announced.peerDataRequestSessionId;
    if (requestId && taken.is === "taken") deps.answered(requestId, taken.imported);
    return true;
  };

  const importer: Importer = {
    mode: "none",
    attach(attached) {
      active = attached;
      queue.forget();
      attached.sock.ev.on("connection.update", ({ connection }) => {
        if (connection === "open" && attached.isCurrent()) void run();
      });
    },
    async announced(current, id, { protocolMessage }) {
      const announced = protocolMessage?.historySyncNotification;
      if (!announced || !isTaken(announced, importer.mode)) return {};
      const rows = addedRows(await queue.pending(current), id, announced);
      queue.add(id);
      // after the turn of this message, which ends when its rows are on disk
      void active?.sock.messageMutex.mutex(async () => {
        queue.ready(id);
        void run();
      });
      return { rows };
    },
    close() {
      active = undefined;
      cancel();
    },
  };
  return importer;
};

const LOST: Taken = { is: "lost" };

/** The pieces that wait for import, in their order. They are read from disk once per socket. */
const createQueue = () => {
  let ids: string[] | undefined;
  /** Pieces whose rows are on disk. */
  const onDisk = new Set<string>();
  /** The number of attempts for unavailable pieces. */
  const tries = new Map<string, number>();
  const pending = async ({ keyStore }: Pick<ActiveSocket, "keyStore">): Promise<string[]> => {
    if (ids) return ids;
    const found = await listPending(keyStore);
    for (const id of found) onDisk.add(id);
    ids ??= found;
    return ids;
  };
  return {
    pending,
    next: async (current: ActiveSocket): Promise<string | undefined> =>
      (await pending(current)).find((id) => onDisk.has(id)),
    add: (id: string): void => {
      ids = [...new Set([...(ids ?? []), id])];
    },
    ready: (id: string): void => void onDisk.add(id),
    /** Puts a piece behind the others. Returns its number of attempts. */
    postpone(id: string): number {
      const tried = (tries.get(id) ?? 0) + 1;
      tries.set(id, tried);
      ids = ids && [...ids.filter((one) => one !== id), id];
      return tried;
    },
    /** At least 1. */
    mostTries: (): number => Math.max(1, ...tries.values()),
    remove(id: string): void {
      tries.delete(id);
      ids = ids?.filter((one) => one !== id);
      onDisk.delete(id);
    },
    forget(): void {
      ids = undefined;
      onDisk.clear();
    },
  };
};

/** A piece names the phone's progress. A requested history is complete. */
const progressOf = (
  { clock }: Pick<ChannelHost, "clock">,
  { progress, syncType }: proto.Message.IHistorySyncNotification,
  imported: number,
): SyncProgress => {
  const isAsked = syncType === proto.Message.HistorySyncType.ON_DEMAND;
  const percent = isAsked ? 100 : Math.min(Math.max(progress ?? 0, 0), 100);
  return { kind: "sync", what: "history", at: clock.now(), percent, imported };
};
