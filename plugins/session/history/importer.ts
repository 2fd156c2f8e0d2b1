import { proto } from "@whiskeysockets/baileys";
import type { SyncProgress } from "../../../src/contract/events.ts";
import type { HistoryMode } from "../../../src/contract/history.ts";
import type { KeyChanges } from "../../../src/contract/key-store.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { MINUTE_MS, othersServed } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach } from "../active-socket.ts";
import type { MediaPlace } from "../inbound/inbox.ts";
import { blobOf } from "./blobs.ts";
import { importedIn, messagesIn, pairsIn } from "./messages.ts";
import { addedRows, advancedRow, endedRows, isTaken, listPending, type Piece, readPiece } from "./pieces.ts";

/** So many messages are one write. Larger ones would hold up the writes of other channels. */
const MESSAGES_PER_WRITE = 100;
const RETRY_MS = MINUTE_MS;

type Deps = { mediaPlace: MediaPlace; answered(requestId: string, imported: number): void };

/** Takes over what was written before, a piece after the other, off the turns of the socket. */
export type Importer = {
  /** How much is taken over from now on. */
  mode: HistoryMode;
  readonly attach: Attach;
  /** What the announcement of a piece changes: it is on disk before the phone learns that it came. */
  announced(active: Pick<ActiveSocket, "keyStore">, id: string, message: proto.IMessage): Promise<KeyChanges>;
  close(): void;
};

export const createImporter = (host: ChannelHost, deps: Deps): Importer => {
  let active: ActiveSocket | undefined;
  let pending: string[] | undefined;
  /** Those of the pending ones whose rows are on disk. */
  const ready = new Set<string>();
  let running: Promise<void> | undefined;
  let cancel = () => {};

  const pendingOf = async ({ keyStore }: Pick<ActiveSocket, "keyStore">): Promise<string[]> => {
    if (pending) return pending;
    pending = await listPending(keyStore);
    for (const id of pending) ready.add(id);
    return pending;
  };

  /** Starts to take over what is pending, unless that is under way. */
  const run = (): void => {
    cancel();
    running ??= runAll()
      .catch((thrown: unknown) => {
        host.log.warn({ error: reasonOf(thrown) }, "a piece of history could not be taken over yet");
        cancel = host.clock.timer(RETRY_MS, run);
      })
      .finally(() => (running = undefined));
  };
  const runAll = async (): Promise<void> => {
    for (;;) {
      const current = active;
      if (!current?.isCurrent()) return;
      const id = (await pendingOf(current)).find((one) => ready.has(one));
      if (id === undefined) return;
      const piece = await readPiece(current.keyStore, id);
      if (piece) await take(current, id, piece);
      else await end(current, id, []);
    }
  };

  const end = async ({ keyStore }: ActiveSocket, id: string, events: readonly SyncProgress[]): Promise<void> => {
    await keyStore.write({ rows: endedRows(pending ?? [], id), events });
    pending = (pending ?? []).filter((one) => one !== id);
    ready.delete(id);
  };

  const take = async (current: ActiveSocket, id: string, piece: Piece): Promise<void> => {
    const { announced } = piece;
    const blob = await blobOf(deps.mediaPlace, announced);
    if (blob.is === "later") throw new Error(blob.reason); // it is tried again
    if (blob.is !== "here") {
      host.log.warn({ reason: blob.reason, type: announced.syncType }, "a piece of history cannot be taken over");
      return end(current, id, []);
    }
    await current.sock.signalRepository.lidMapping.storeLIDPNMappings(pairsIn(blob.history));
    const imported = await takeMessages(current, id, piece, messagesIn(blob.history));
    if (imported === undefined) return;
    await end(current, id, [progressOf(host, announced, imported)]);
    const { peerDataRequestSessionId: requestId } = announced;
    if (requestId) deps.answered(requestId, imported);
  };

  /** How many there were; undefined when the socket was replaced meanwhile, and its successor goes on from here. */
  const takeMessages = async (
    current: ActiveSocket,
    id: string,
    { announced, done }: Piece,
    messages: readonly proto.IWebMessageInfo[],
  ): Promise<number | undefined> => {
    const { me } = current.sock.authState.creds;
    if (!me) return undefined;
    for (let from = done; from < messages.length; from += MESSAGES_PER_WRITE) {
      if (!current.isCurrent()) return undefined;
      const changes = await importedIn(current.keyStore, me, messages.slice(from, from + MESSAGES_PER_WRITE));
      const next = { announced, done: Math.min(from + MESSAGES_PER_WRITE, messages.length) };
      await current.keyStore.write({ ...changes, rows: [...(changes.rows ?? []), advancedRow(id, next)] });
      await othersServed();
    }
    return messages.length;
  };

  const importer: Importer = {
    mode: "none",
    attach(attached) {
      active = attached;
      pending = undefined;
      ready.clear();
      attached.sock.ev.on("connection.update", ({ connection }) => {
        if (connection === "open" && attached.isCurrent()) run();
      });
    },
    async announced(current, id, { protocolMessage }) {
      const announced = protocolMessage?.historySyncNotification;
      if (!announced || !isTaken(announced, importer.mode)) return {};
      const known = await pendingOf(current);
      pending = [...new Set([...known, id])];
      // after the turn of this message, which ends when its rows are on disk
      void active?.sock.messageMutex.mutex(async () => {
        ready.add(id);
        run();
      });
      return { rows: addedRows(known, id, announced) };
    },
    close() {
      active = undefined;
      cancel();
    },
  };
  return importer;
};

/** A piece says how far the phone is; the first one says nothing. */
const progressOf = (
  { clock }: Pick<ChannelHost, "clock">,
  { progress, syncType }: proto.Message.IHistorySyncNotification,
  imported: number,
): SyncProgress => {
  const isAsked = syncType === proto.Message.HistorySyncType.ON_DEMAND;
  const percent = isAsked ? 100 : Math.min(Math.max(progress ?? 0, 0), 100);
  return { kind: "sync", what: "history", at: clock.now(), percent, imported };
};
