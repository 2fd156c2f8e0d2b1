import type { proto } from "@whiskeysockets/baileys";
import type { InboundContent } from "../../../../src/contract/content/inbound-content.ts";
import type { Identity, ProviderMessageId, Voted } from "../../../../src/contract/events.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { sha256 } from "../../../../src/kernel/crypto.ts";
import { namesOf } from "../people.ts";

type Poll = proto.Message.IPollCreationMessage;

/** The last vote of a person in a poll; `chosen` are places among its options. */
type Vote = { at: number; chosen: number[] };

const VOTE = "vote";
const COUNTS = "poll";
/** As long as the poll itself can be cached. */
const KEPT_MS = 90 * DAY_MS;
const MOST_OPTIONS = 100;

/** The poll in a message, in any form of the network; undefined if there is none. */
export const pollIn = (message: proto.IMessage): Poll | undefined =>
  message.pollCreationMessage ??
  message.pollCreationMessageV2 ??
  message.pollCreationMessageV3 ??
  message.pollCreationMessageV4?.message?.pollCreationMessage ??
  message.pollCreationMessageV5 ??
  undefined;

/** The options of a poll; of many the first ones. */
export const pollOptions = ({ options }: Poll): string[] =>
  (options ?? []).slice(0, MOST_OPTIONS).map(({ optionName }) => optionName ?? "");

/** A poll as content; undefined for one without options. */
export const pollContent = (poll: Poll): InboundContent | undefined => {
  const options = pollOptions(poll);
  if (options.length === 0) return undefined;
  // the network says 0 for any number
  const maxSelections = Math.min(poll.selectableOptionsCount || options.length, options.length);
  return { type: "poll", content: { question: poll.name ?? "", options, maxSelections } };
};

/** A decrypted vote: the hashes of its options, and when its writer made it. */
type Ballot = { poll: ProviderMessageId; voter: Identity; hashes: readonly Uint8Array[]; at: number };

/** The places of the chosen options; of more than the poll allows the last ones, as if the others were taken back. */
const placesOf = (poll: Poll, hashes: readonly Uint8Array[]): number[] => {
  const options = pollOptions(poll).map((option) => sha256(option));
  const places = hashes.map((hash) => options.indexOf(Buffer.from(hash).toString("hex"))).filter((place) => place >= 0);
  // the network says 0 for any number
  return [...new Set(places)].slice(-(poll.selectableOptionsCount || options.length)).toSorted((a, b) => a - b);
};

/**
 * The changes by a vote: its chosen options, in the poll's order, and the number of votes for each. The last vote of a
 * person replaces the earlier ones; a vote without options withdraws them. Undefined for a vote that is older than the
 * person's last.
 */
export const countedVote = async (
  keyStore: Pick<KeyStore, "read">,
  poll: Poll,
  { poll: id, voter, hashes, at }: Ballot,
  now: number,
): Promise<{ rows: KeyRow[]; counted: Pick<Voted, "options" | "totals"> } | undefined> => {
  const options = pollOptions(poll);
  const names = namesOf(voter).map((name) => `${id} ${name}`);
  const earlier = [...(await keyStore.read(VOTE, names))].map(([row, value]) => ({
    row,
    ...(JSON.parse(value) as Vote), // written below alone
  }));
  if (earlier.some((vote) => vote.at > at)) return undefined;
  const chosen = placesOf(poll, hashes);
  const counts = countsOf((await keyStore.read(COUNTS, [id])).get(id), options.length);
  for (const place of earlier.flatMap((vote) => vote.chosen)) counts[place] = Math.max(0, (counts[place] ?? 0) - 1);
  for (const place of chosen) counts[place] = (counts[place] ?? 0) + 1;
  const until = now + KEPT_MS;
  const [name = id] = names;
  return {
    rows: [
      ...earlier.map(({ row }) => ({ kind: VOTE, id: row, value: null })),
      { kind: VOTE, id: name, value: JSON.stringify({ at, chosen } satisfies Vote), until },
      { kind: COUNTS, id, value: JSON.stringify(counts), until },
    ],
    counted: {
      options: chosen.map((place) => options[place] ?? ""),
      totals: options.map((option, place) => ({ option, votes: counts[place] ?? 0 })),
    },
  };
};

const countsOf = (stored: string | undefined, length: number): number[] =>
  stored === undefined ? Array.from({ length }, () => 0) : (JSON.parse(stored) as number[]);
