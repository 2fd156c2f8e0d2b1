import type { proto } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { othersServed } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import type { Reading } from "../inbound/changes.ts";
import type { Unknowns } from "../inbound/content/unknown.ts";
import type { MediaPlace } from "../inbound/inbox.ts";
import { personOf } from "../inbound/people.ts";
import { blobOf } from "./blobs.ts";
import { importedIn, messagesIn, pairsIn, timersIn, type Written } from "./messages.ts";
import { advancedRow, type Piece } from "./pieces.ts";

/**
 * The number of messages, or chats with their timers, in one write. Larger writes would hold up the writes of other
 * channels.
 */
const PER_WRITE = 100;

type Deps = { host: ChannelHost; mediaPlace: MediaPlace; unknowns: Unknowns };
/** `interrupted`: the socket was replaced, and its successor goes on from here. */
export type Taken = { is: "taken"; imported: number } | { is: "lost" | "interrupted" };

/** Imports a piece from its last position. @throws Error if it may be available later */
export const takePiece = async (
  { host, mediaPlace, unknowns }: Deps,
  current: ActiveSocket,
  { id, piece }: { id: string; piece: Piece },
): Promise<Taken> => {
  const { announced } = piece;
  const blob = await blobOf(mediaPlace, announced);
  if (blob.is === "later") throw new Error(blob.reason);
  if (blob.is !== "here") {
    host.log.warn({ reason: blob.reason, type: announced.syncType }, "a piece of history cannot be taken over");
    return { is: "lost" };
  }
  await current.sock.signalRepository.lidMapping.storeLIDPNMappings(pairsIn(blob.history));
  await takeTimers(host, current, blob.history.conversations ?? []);
  return takeMessages({ host, unknowns }, current, { id, piece }, messagesIn(blob.history, blob.bytes));
};

const takeTimers = async (
  host: ChannelHost,
  { keyStore }: ActiveSocket,
  conversations: readonly proto.IConversation[],
): Promise<void> => {
  for (let first = 0; first < conversations.length; first += PER_WRITE) {
    await keyStore.write({ rows: await timersIn({ keyStore, host }, conversations.slice(first, first + PER_WRITE)) });
    await othersServed();
  }
};

const takeMessages = async (
  from: Pick<Reading, "host" | "unknowns">,
  current: ActiveSocket,
  { id, piece: { announced, done } }: { id: string; piece: Piece },
  messages: readonly Written[],
): Promise<Taken> => {
  const { me } = current.sock.authState.creds;
  for (let first = done; first < messages.length; first += PER_WRITE) {
    if (!me || !current.isCurrent()) return { is: "interrupted" };
    const reading = { ...from, keyStore: current.keyStore, own: personOf(me.id, me.lid) };
    const changes = await importedIn(reading, messages.slice(first, first + PER_WRITE));
    const next = { announced, done: Math.min(first + PER_WRITE, messages.length) };
    await current.keyStore.write({ ...changes, rows: [...(changes.rows ?? []), advancedRow(id, next)] });
    await othersServed();
  }
  return { is: "taken", imported: messages.length };
};
