import type { WASocket } from "@whiskeysockets/baileys";
import type { Stanza } from "../active-socket.ts";
import { userOf } from "../address.ts";
import { placeIn } from "./origin.ts";

type Turns = {
  mutex<T>(work: () => Promise<T> | T, stanza?: Stanza): Promise<T>;
};
type Socket = Pick<WASocket, "messageMutex" | "authState">;

/**
 * Gives a socket turns by chat, in which it reads messages. The patched library takes the turn of a stanza when it
 * comes, before anything is awaited, whether it waited at the network or not. Turns of one chat come one after the
 * other. Those of different chats do not wait for each other, so that their writes share a sync. A turn without a
 * stanza comes after all earlier turns, and before all later ones.
 *
 * A turn ends when its message is on disk and acknowledged, or when the message could not be read and its sender is
 * asked for it: the repeated message takes another turn.
 */
export const takeTurnsByChat = (sock: Socket): void => {
  sock.messageMutex.mutex = turnsByChat((stanza) => namesOfChat(stanza, sock.authState.creds.me));
};

/** The turns of a stanza's chat. */
export const turnsOf = (sock: Socket, stanza: Stanza): Pick<Socket["messageMutex"], "mutex"> => {
  const turns: Turns = sock.messageMutex;
  return { mutex: (work) => turns.mutex(work, stanza) };
};

/**
 * The names of a stanza's chat: both addresses of a person if the network gives both, because some stanzas have only
 * one. A message by a broadcast list lies in the chat with its writer.
 */
const namesOfChat = (stanza: Stanza, me: Parameters<typeof placeIn>[1]): string[] => {
  const { remoteJid, remoteJidAlt, participant, participantAlt } = placeIn(stanza, me) ?? {};
  const isByList = remoteJid?.endsWith("@broadcast") && participant;
  const jids = isByList ? [participant, participantAlt, remoteJidAlt] : [remoteJid, remoteJidAlt];
  return jids.flatMap((jid) => (jid ? [userOf(jid)] : []));
};

const turnsByChat = (namesOf: (stanza: Stanza) => readonly string[]): Turns["mutex"] => {
  const lastOf = new Map<string, Promise<void>>();
  let lastOfAll: Promise<void> = Promise.resolve();

  return (work, stanza) => {
    const names = stanza && namesOf(stanza);
    const before = names ? names.map((name) => lastOf.get(name)) : [...lastOf.values()];
    const turn = Promise.all([lastOfAll, ...before]).then(work);
    const ended = turn.then(
      () => {},
      () => {},
    );
    if (names) {
      for (const name of names) {
        lastOf.set(name, ended);
        void ended.then(() => lastOf.get(name) === ended && lastOf.delete(name));
      }
    } else {
      lastOf.clear();
      lastOfAll = ended;
    }
    return turn;
  };
};
