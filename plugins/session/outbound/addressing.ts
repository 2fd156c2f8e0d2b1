import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isGroup, isLid, isSameUser } from "../address.ts";
import { completed, personOf } from "../inbound/people.ts";
import type { Resolved } from "./numbers.ts";

/** The addresses for messages to people: the LID if it is known, or always the number. */
export type Addressing = "lid" | "number";

/** The destination of a message; `alias` is the number of a person who is written to by LID. */
export type Destination = { jid: string; alias?: string };

/**
 * The person at a resolved address. For a number that the network was asked about, the LID comes only from its answer:
 * an earlier pair may name the number's former holder.
 */
export const personAt = (
  keyStore: Pick<KeyStore, "read">,
  { jid, lid }: Resolved,
): Promise<{ pn?: string; lid?: string }> | { pn?: string; lid?: string } => {
  if (lid === undefined) return completed(keyStore, personOf(jid));
  return { ...personOf(jid), ...(lid === null ? {} : { lid }) };
};

/**
 * The destination of a message to a resolved address. The network moves chats of two to LIDs, and its own apps write to
 * them since July 2026, with the number beside it (W26 §7.4). The owner's own chat stays under the number, and an
 * account that does not know its own LID writes to numbers.
 */
export const destinationOf = async (
  { keyStore, sock }: { keyStore: Pick<KeyStore, "read"> } & Pick<ActiveSocket, "sock">,
  resolved: Resolved,
  addressing: Addressing,
): Promise<Destination> => {
  const { jid } = resolved;
  if (addressing === "number" || isGroup(jid) || isSameUser(jid, sock.user?.id ?? "")) return { jid };
  const { pn, lid } = await personAt(keyStore, resolved);
  if (lid === undefined || sock.user?.lid === undefined) return { jid };
  return { jid: isLid(jid) ? jid : `${lid}@lid`, ...(pn === undefined ? {} : { alias: `${pn}@s.whatsapp.net` }) };
};

/** The attributes of a message's stanza for its destination. */
export const aliasAttributes = ({ alias }: Pick<Destination, "alias">): Record<string, string> =>
  alias === undefined ? {} : { peer_recipient_pn: alias };
