import type { proto } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { othersServed } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import type { MediaPlace } from "../inbound/inbox.ts";
import { blobOf } from "./blobs.ts";
import { importedIn, messagesIn, pairsIn } from "./messages.ts";
import { advancedRow, type Piece } from "./pieces.ts";

/** So many messages are one write. Larger ones would hold up the writes of other channels. */
const MESSAGES_PER_WRITE = 100;

type Deps = { host: ChannelHost; mediaPlace: MediaPlace };
/** `interrupted`: the socket was replaced, and its successor goes on from here. */
export type Taken = { is: "taken"; imported: number } | { is: "lost" | "interrupted" };

/** Takes over a piece from where it stands. @throws Error where it may be had later */
export const takePiece = async (
  { host, mediaPlace }: Deps,
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
  return takeMessages(current, { id, piece }, messagesIn(blob.history));
};

const takeMessages = async (
  current: ActiveSocket,
  { id, piece: { announced, done } }: { id: string; piece: Piece },
  messages: readonly proto.IWebMessageInfo[],
): Promise<Taken> => {
  const { me } = current.sock.authState.creds;
  for (let from = done; from < messages.length; from += MESSAGES_PER_WRITE) {
    if (!me || !current.isCurrent()) return { is: "interrupted" };
    const changes = await importedIn(current.keyStore, me, messages.slice(from, from + MESSAGES_PER_WRITE));
    const next = { announced, done: Math.min(from + MESSAGES_PER_WRITE, messages.length) };
    await current.keyStore.write({ ...changes, rows: [...(changes.rows ?? []), advancedRow(id, next)] });
    await othersServed();
  }
  return { is: "taken", imported: messages.length };
};
