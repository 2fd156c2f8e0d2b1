import { areJidsSameUser } from "@whiskeysockets/baileys";
import { isKnown, type Receipt } from "../../../src/contract/events.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { childrenOf, type Stanza } from "../active-socket.ts";
import { providerMessageIdOf } from "../message-cache.ts";
import { type Me, millisecondsOf } from "./origin.ts";
import { completed, personOf } from "./people.ts";

/**
 * TABLE: the status of each type of receipt; other types have no status. A device that is not in use sends `inactive`.
 */
const STATUSES: ReadonlyMap<string | undefined, Receipt["status"]> = new Map([
  [undefined, "delivered"],
  ["", "delivered"],
  ["inactive", "delivered"],
  ["read", "read"],
  ["played", "read"],
]);

/**
 * The receipts of a stanza: messages that were delivered to or read by their recipients. Messages are found only by id,
 * because a receipt may come from another address than the message went to. Receipts of the owner's other devices are
 * ignored.
 */
export const receiptsIn = async (keyStore: Pick<KeyStore, "read">, stanza: Stanza, me: Me): Promise<Receipt[]> => {
  const { attrs } = stanza;
  const status = STATUSES.get(attrs["type"]);
  const sender = attrs["participant"] ?? attrs["from"];
  if (status === undefined || sender === undefined || isMe(sender, me)) return [];
  const person = await completed(
    keyStore,
    personOf(sender, attrs["participant_pn"], attrs["participant_lid"], attrs["sender_pn"], attrs["sender_lid"]),
  );
  const at = millisecondsOf(attrs["t"]);
  // a LID alone is left out, because the message may have been sent to the number
  const to = person.pn === undefined ? {} : { to: person };
  const by = isKnown(person) ? { by: person } : {};
  const played = attrs["type"] === "played" ? { isPlayed: true } : {};
  return [attrs["id"], ...listed(stanza)]
    .flatMap((id) => providerMessageIdOf(id) ?? [])
    .map((key) => ({ kind: "receipt", key, at, status, ...to, ...by, ...played }));
};

const isMe = (sender: string, { id, lid }: Me): boolean =>
  areJidsSameUser(sender, id) || (lid !== undefined && areJidsSameUser(sender, lid));

const childrenNamed = (stanza: Stanza, tag: string): Stanza[] =>
  childrenOf(stanza).filter((child) => child.tag === tag);

const listed = (stanza: Stanza): (string | undefined)[] =>
  childrenNamed(stanza, "list").flatMap((list) => childrenNamed(list, "item").map(({ attrs }) => attrs["id"]));
