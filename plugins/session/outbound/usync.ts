import { type BinaryNode, getBinaryNodeChild, USyncQuery, USyncUser, type WASocket } from "@whiskeysockets/baileys";
import type { Found } from "../../../src/contract/abilities/lookup.ts";
import { spellingsOf } from "../../../src/kernel/numbers/phone-numbers.ts";
import { canonicalOf, isLid, jidOf, userOf } from "../address.ts";
import { textIn } from "../ask.ts";

/** How many numbers one question names. */
const BATCH = 50;

/** The first of the numbers, as many as are no more than so many in all their spellings. */
export const firstOf = (numbers: readonly string[], room: number): string[] => {
  let left = room;
  const end = numbers.findIndex((number) => (left -= spellingsOf(number).length) < 0);
  return numbers.slice(0, end < 0 ? undefined : end);
};

/** The numbers in questions that the network takes. */
export const batchesOf = (numbers: readonly string[]): string[][] => {
  const batch = firstOf(numbers, BATCH);
  return batch.length === 0 ? [] : [batch, ...batchesOf(numbers.slice(batch.length))];
};

/** Like the library's own question, whose reader drops which number an answer is for. */
const CONTACT = {
  name: "contact",
  getQueryElement: (): BinaryNode => ({ tag: "contact", attrs: {} }),
  getUserElement: ({ phone }: USyncUser): BinaryNode => ({ tag: "contact", attrs: {}, content: phone ?? "" }),
  parser: (node: BinaryNode): Contact => ({
    asked: textIn(node).replace(/\D/g, ""),
    isOn: node.attrs["type"] === "in",
    isClear: getBinaryNodeChild(node, "error") === undefined,
  }),
};
type Contact = { asked: string; isOn: boolean; isClear: boolean };

/** What the network says of a number, with the LID of its holder; null where it names none. */
export type Answer = Found & { lid: string | null };

/**
 * Asks the network which numbers it has, each in all its spellings; the address that it names is the number's, and so is
 * the LID: both are of one moment, so that no LID of a former holder is taken for that of the present one. A number
 * that the answer leaves out is not there, and one of which it is not clear is left out here. Undefined when no answer
 * came; throws when the question could not be put.
 */
export const askNumbers = async (
  sock: Pick<WASocket, "executeUSyncQuery">,
  numbers: readonly string[],
): Promise<Map<string, Answer> | undefined> => {
  const query = new USyncQuery().withLIDProtocol();
  query.protocols.unshift(CONTACT);
  for (const number of new Set(numbers.flatMap(spellingsOf))) query.withUser(new USyncUser().withPhone(`+${number}`));
  const result = await sock.executeUSyncQuery(query);
  if (!result) return undefined;
  const said = new Map<string, Said>();
  for (const { id: jid, contact, lid } of result.list as { id: string; contact?: Contact; lid?: string }[])
    if (contact) said.set(contact.asked || userOf(jid), { jid, contact, lid });
  return new Map(numbers.flatMap((number) => foundAs(number, said)));
};

type Said = { jid: string; contact: Contact; lid: string | undefined };

const foundAs = (number: string, said: ReadonlyMap<string, Said>): [string, Answer][] => {
  const answers = spellingsOf(number).flatMap((one) => said.get(one) ?? []);
  const found = answers.find(({ contact }) => contact.isClear && contact.isOn);
  if (found) return [[number, { exists: true, jid: withoutDevice(found.jid), lid: lidIn(found) }]];
  return answers.every(({ contact }) => contact.isClear) ? [[number, { exists: false, jid: null, lid: null }]] : [];
};

const lidIn = ({ lid }: Said): string | null => (lid !== undefined && isLid(lid) ? userOf(lid) : null);

const withoutDevice = (jid: string): string => jidOf(canonicalOf(jid) ?? "") ?? jid;
