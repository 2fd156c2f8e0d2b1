import { type BinaryNode, getBinaryNodeChild, USyncQuery, USyncUser, type WASocket } from "@whiskeysockets/baileys";
import type { Found } from "../../../src/contract/abilities/lookup.ts";
import { spellingsOf } from "../../../src/kernel/numbers/phone-numbers.ts";
import { canonicalOf, isLid, jidOf, userOf } from "../address.ts";
import { textIn } from "../ask.ts";

/** How many numbers one question names. */
const BATCH = 50;

/** The first numbers, as many as have at most `room` spellings together. */
export const firstOf = (numbers: readonly string[], room: number): string[] => {
  let left = room;
  const end = numbers.findIndex((number) => (left -= spellingsOf(number).length) < 0);
  return numbers.slice(0, end < 0 ? undefined : end);
};

/** The numbers, split into questions that the network accepts. */
export const batchesOf = (numbers: readonly string[]): string[][] => {
  const batch = firstOf(numbers, BATCH);
  return batch.length === 0 ? [] : [batch, ...batchesOf(numbers.slice(batch.length))];
};

/** Like the library's own question, whose reader drops the number of an answer. */
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

/** The network's answer about a number, with the LID of its holder; null if it names none. */
export type Answer = Found & { lid: string | null };

/**
 * Asks the network which of these numbers it has, each in all its spellings. The address and the LID in an answer are
 * the number's: both are of one moment, so that no LID of a former holder is taken for that of the present one. A
 * number that is missing in the answer is not on the network, and an ambiguous number is left out here. Undefined
 * without an answer; throws if the question could not be sent.
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
