import { proto } from "@whiskeysockets/baileys";
import type { HistoryPorts, MovingApi, ReadHistory } from "../../../../src/contract/abilities/moving.ts";
import type { KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { isGroup } from "../../address.ts";
import { isTimerRow } from "../../chat-timers.ts";
import { importedOf, type NotImported } from "../../history/messages.ts";
import type { Reading } from "../../inbound/changes.ts";
import { completed, personOf } from "../../inbound/people.ts";
import { readCreds } from "../../keys/keys.ts";
import { type FoundRow, rowReader } from "./rows.ts";

/** TABLE: why a readable message is not taken over. */
const REASONS: Readonly<Record<NotImported, string>> = {
  elsewhere: "a status, or a post of a channel",
  act: "a reaction, an edit, a vote or another act on a message",
  group: "a message of a group",
  nobody: "a message without a person",
  empty: "a message without content",
};
const UNREADABLE = "a message that cannot be read";
const NO_NUMBER = "a contact without a number";

/** @see MovingApi.readHistory */
export const readStoredHistory: NonNullable<MovingApi["readHistory"]> = async ({ format, rows }, ports) => {
  const read = rowReader(format);
  const leftOut: Record<string, number> = {};
  const leave = (reason: string): void => void (leftOut[reason] = (leftOut[reason] ?? 0) + 1);
  if (!read) return { messages: [], people: [], leftOut: { [`the format ${format} is not known`]: rows.length } };
  const found = rows.map(({ kind, text }) => read(kind, text));
  const reading = await readingWith(ports);
  const together = new Set(found.flatMap((row) => (row.is === "message" ? (row.info.key?.id ?? []) : [])));
  const messages: ReadHistory["messages"][number][] = [];
  const people: ReadHistory["people"][number][] = [];
  for (const row of found) {
    const taken = await takenOf(reading, row, together);
    if ("reason" in taken) leave(taken.reason);
    else if ("event" in taken) messages.push(taken);
    else people.push(taken.person);
  }
  return { messages, people, leftOut };
};

const refuseWrites: KeyStore["write"] = async () => {
  throw new Error("a history is read without writing");
};

const readingWith = async ({ keyStore, clock, log }: HistoryPorts): Promise<Reading> => {
  const me = (await readCreds(keyStore))?.me;
  return {
    host: { clock, log },
    keyStore: { ...keyStore, write: refuseWrites },
    own: personOf(me?.id, me?.lid),
    unknowns: { note() {} }, // old messages say nothing about the network of today
  };
};

type Taken = ReadHistory["messages"][number] | { person: ReadHistory["people"][number] } | { reason: string };

const takenOf = async (reading: Reading, row: FoundRow, together: ReadonlySet<string>): Promise<Taken> => {
  if (row.is === "left out") return { reason: row.reason };
  if (row.is === "person") return personTaken(reading, row);
  try {
    const entry = proto.HistorySyncMsg.encode({ message: row.info }).finish();
    const { changes, not } = await importedOf(reading, { info: row.info, entry }, together);
    const [event] = changes.events ?? [];
    if (not !== undefined) return { reason: REASONS[not] };
    if (event?.kind !== "received") return { reason: UNREADABLE };
    if (event.at === 0) return { reason: "a message without a time" };
    // a timer of long ago may be off by now, and the messages of today would disappear
    const rows = (changes.rows ?? []).filter((one) => !isTimerRow(one));
    return { event, changes: { rows, messages: changes.messages ?? [] } };
  } catch {
    return { reason: UNREADABLE };
  }
};

/** The account itself, groups and lists are no people. */
const personTaken = async (
  { keyStore, own }: Reading,
  { jids, name }: Extract<FoundRow, { is: "person" }>,
): Promise<Taken> => {
  if (jids.some(isGroup)) return { reason: "a group" };
  const identity = await completed(keyStore, personOf(...jids));
  if (identity.pn === undefined) return { reason: NO_NUMBER };
  if (identity.pn === own.pn) return { reason: "the account itself" };
  return { person: { kind: "known", at: 0, identity, ...(name === null ? {} : { name }) } };
};
