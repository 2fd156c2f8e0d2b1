import type { WASocket } from "@whiskeysockets/baileys";
import { isLid, userOf } from "../address.ts";

/** Where a message lies, by one address of the chat or both. */
type Place = { remoteJid?: string | null | undefined; remoteJidAlt?: string | null | undefined };

/** The name of a chat, the same under both addresses of a person where the network gives both. */
const chatOf = ({ remoteJid, remoteJidAlt }: Place): string => {
  const jid = [remoteJid, remoteJidAlt].find((one) => one && isLid(one)) ?? remoteJid;
  return userOf(jid ?? "");
};

type Turns = { mutex<T>(work: () => Promise<T> | T, place?: Place): Promise<T> };
type Socket = Pick<WASocket, "messageMutex">;

/**
 * Gives a socket turns by chat, in which it reads messages; the patched library names the chat. Turns of one chat come
 * one after the other. Those of different chats do not wait for each other, so that their writes share a sync. A turn
 * without a chat comes after all that were asked for before it, and before all after it.
 */
export const takeTurnsByChat = ({ messageMutex }: Socket): void => {
  messageMutex.mutex = turnsByChat();
};

/** The turns of one chat; of all, where it is not known. */
export const turnsOf = (sock: Socket, place: Place | undefined): Pick<Socket["messageMutex"], "mutex"> => {
  const turns: Turns = sock.messageMutex;
  return { mutex: (work) => turns.mutex(work, place) };
};

const turnsByChat = (): Turns["mutex"] => {
  const lastOf = new Map<string, Promise<void>>();
  let lastOfAll: Promise<void> = Promise.resolve();

  return (work, place) => {
    const chat = place && chatOf(place);
    const before = chat === undefined ? [...lastOf.values()] : [lastOf.get(chat)];
    const turn = Promise.all([lastOfAll, ...before]).then(work);
    const ended = turn.then(
      () => {},
      () => {},
    );
    if (chat === undefined) {
      lastOf.clear();
      lastOfAll = ended;
    } else {
      lastOf.set(chat, ended);
      void ended.then(() => lastOf.get(chat) === ended && lastOf.delete(chat));
    }
    return turn;
  };
};
