import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isGroup, isLid, isSameUser } from "../address.ts";
import { completed, personOf } from "../inbound/people.ts";

/** By what messages to people are addressed: by the LID where it is known, or always by the number. */
export type Addressing = "lid" | "number";

/** Where a message goes; `alias` is the number of a person who is written to by LID. */
export type Destination = { jid: string; alias?: string };

/**
 * The destination of a message to a chat address. The network moves chats of two to LIDs, and its own apps write to
 * them since July 2026, with the number beside it (W26 §7.4). The owner's own chat stays under the number, and an account
 * that does not know its own LID writes to numbers.
 */
export const destinationOf = async (
  { keyStore, sock }: { keyStore: Pick<KeyStore, "read"> } & Pick<ActiveSocket, "sock">,
  jid: string,
  addressing: Addressing,
): Promise<Destination> => {
  if (addressing === "number" || isGroup(jid) || isSameUser(jid, sock.user?.id ?? "")) return { jid };
  const { pn, lid } = await completed(keyStore, personOf(jid));
  if (lid === undefined || sock.user?.lid === undefined) return { jid };
  return { jid: isLid(jid) ? jid : `${lid}@lid`, ...(pn === undefined ? {} : { alias: `${pn}@s.whatsapp.net` }) };
};

/** What the stanza of a message says of its destination. */
export const aliasAttributes = ({ alias }: Pick<Destination, "alias">): Record<string, string> =>
  alias === undefined ? {} : { peer_recipient_pn: alias };
