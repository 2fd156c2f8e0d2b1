import { proto } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import type { Origin } from "../origin.ts";

/** A message with a hidden content under the secret of a message that has not come yet. */
export type Held = { origin: Origin; message: proto.IMessage };

type Stored = { origin: Origin; message: string };
/** The id of a row, its number of characters, and its end of waiting; the newest last. */
type Index = [id: string, size: number, until: number][];

const HELD = "held";
const INDEX = "held-index";
const ALL = "all";
const HELD_MS = DAY_MS;
/** The maximum number of messages that wait for one message, and of characters in all; the oldest are removed first. */
const MOST_OF_ONE = 50;
const MOST_CHARACTERS = 2 * 1024 * 1024;

/** The rows that keep a message, as it came, until its target arrives, for at most a day. */
export const holdRows = async (
  keyStore: Pick<KeyStore, "read">,
  target: ProviderMessageId,
  { origin, message }: Held,
  now: number,
): Promise<KeyRow[]> => {
  const others = (await storedFor(keyStore, target)).filter((one) => one.origin.id !== origin.id);
  const bytes = Buffer.from(proto.Message.encode(message).finish()).toString("base64");
  const value = JSON.stringify([...others, { origin, message: bytes }].slice(-MOST_OF_ONE));
  const until = now + HELD_MS;
  const index: Index = [...(await othersIn(keyStore, target, now)), [target, value.length, until]];
  const gone = excessOf(index);
  return [
    ...gone.map(([id]) => ({ kind: HELD, id, value: null })),
    ...(gone.some(([id]) => id === target) ? [] : [{ kind: HELD, id: target, value, until }]),
    { kind: INDEX, id: ALL, value: JSON.stringify(index.slice(gone.length)), until },
  ];
};

/**
 * The messages that waited for a message which has arrived, in the order of arrival, and the rows that end their wait.
 */
export const releasedFor = async (
  keyStore: Pick<KeyStore, "read">,
  target: ProviderMessageId,
  now: number,
): Promise<{ held: Held[]; rows: KeyRow[] }> => {
  const stored = await storedFor(keyStore, target);
  if (stored.length === 0) return { held: [], rows: [] };
  const index = await othersIn(keyStore, target, now);
  return {
    held: stored.map(({ origin, message }) => ({
      origin,
      message: proto.Message.decode(Buffer.from(message, "base64")),
    })),
    rows: [
      { kind: HELD, id: target, value: null },
      { kind: INDEX, id: ALL, value: JSON.stringify(index), until: now + HELD_MS },
    ],
  };
};

// both are written by holdRows alone
const storedFor = async (keyStore: Pick<KeyStore, "read">, target: string): Promise<Stored[]> =>
  JSON.parse((await keyStore.read(HELD, [target])).get(target) ?? "[]") as Stored[];
const othersIn = async (keyStore: Pick<KeyStore, "read">, target: string, now: number): Promise<Index> => {
  const index = JSON.parse((await keyStore.read(INDEX, [ALL])).get(ALL) ?? "[]") as Index;
  return index.filter(([id, , until]) => id !== target && until > now);
};

/** The oldest entries above the maximum. */
const excessOf = (index: Index): Index => {
  let left = index.reduce((sum, [, size]) => sum + size, 0);
  return index.filter(([, size]) => {
    const isTooMuch = left > MOST_CHARACTERS;
    if (isTooMuch) left -= size;
    return isTooMuch;
  });
};
