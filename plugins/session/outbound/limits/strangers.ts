import type { Identity } from "../../../../src/contract/events.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import type { ActiveSocket } from "../../active-socket.ts";
import { isGroup } from "../../address.ts";
import { completed, namesOf, personOf, REACHED, WARM } from "../../inbound/people.ts";

/** Whether a person has written to us, under this address or their other one. A group always counts as such. */
export const isWarm = async ({ keyStore }: ActiveSocket, jid: string): Promise<boolean> =>
  isGroup(jid) || (await keyStore.read(WARM, await namesIn({ keyStore }, jid))).size > 0;

/** Whether a message to a person would begin a chat: neither side has written before. */
export const isStranger = async ({ keyStore }: Pick<ActiveSocket, "keyStore">, jid: string): Promise<boolean> => {
  if (isGroup(jid)) return false;
  const names = await namesIn({ keyStore }, jid);
  const [warm, reached] = await Promise.all([keyStore.read(WARM, names), keyStore.read(REACHED, names)]);
  return warm.size === 0 && reached.size === 0;
};

/** The rows that record that the channel has written to a person. */
export const reachedRows = async ({ keyStore }: Pick<ActiveSocket, "keyStore">, jid: string): Promise<KeyRow[]> =>
  (await namesIn({ keyStore }, jid)).map((id) => ({ kind: REACHED, id, value: "1" }));

/** The rows that begin a chat: with a person who has written, or to whom the owner has written, on any device. */
export const begunRows = async (
  keyStore: Pick<KeyStore, "read">,
  chat: Identity,
  { isOwn }: { isOwn: boolean },
): Promise<KeyRow[]> => {
  const [kind, names] = [isOwn ? REACHED : WARM, namesOf(chat)];
  const known = await keyStore.read(kind, names);
  return names.filter((id) => !known.has(id)).map((id) => ({ kind, id, value: "1" }));
};

const namesIn = async ({ keyStore }: Pick<ActiveSocket, "keyStore">, jid: string): Promise<string[]> =>
  namesOf(await completed(keyStore, personOf(jid)));
