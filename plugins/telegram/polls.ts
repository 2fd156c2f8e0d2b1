import type { Circumstances } from "../../src/contract/content/inbound-content.ts";
import type { ChannelEvent } from "../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { pollKeyOf } from "./address.ts";
import { numberWithin, textOf } from "./json.ts";
import type { Said } from "./said.ts";
import { writerOf } from "./writers.ts";

/** Polls (https://core.telegram.org/bots/api#poll). A vote names the poll by its id alone, and options by position. */

/** More than the network allows. */
const MAX_OPTIONS = 100;

const idIn = (value: unknown): string | undefined => {
  const id = textOf(value);
  return id !== undefined && /^\d{1,24}$/.test(id) ? id : undefined;
};

const optionsIn = (poll: Json): { option: string; votes: number }[] =>
  listOf(poll["options"])
    .slice(0, MAX_OPTIONS)
    .map(recordOf)
    .map((option) => ({
      option: textOf(option["text"]) ?? "",
      votes: Math.floor(numberWithin(option["voter_count"], 0, Number.MAX_SAFE_INTEGER) ?? 0),
    }));

/** The question of a message; undefined for a poll without options. */
export const pollSaid = (poll: Json, how: Circumstances): Said | undefined => {
  const options = optionsIn(poll).map(({ option }) => option);
  if (options.length === 0) return undefined;
  const maxSelections = poll["allows_multiple_answers"] === true ? options.length : 1;
  const question = textOf(poll["question"]) ?? "";
  return { content: { type: "poll", content: { question, options, maxSelections, ...how } } };
};

/** A person's vote in a poll that the bot sent; the network reports no others. */
export const answerEvent = (answer: Json, updateId: string): ChannelEvent => {
  const id = idIn(answer["poll_id"]);
  const writer = writerOf(answer["voter_chat"]) ?? writerOf(answer["user"]);
  if (id === undefined || !writer) return { kind: "unknown", at: 0, what: "vote in no poll" };
  const positions = listOf(answer["option_ids"])
    .slice(0, MAX_OPTIONS)
    .flatMap((position) => numberWithin(position, 0, MAX_OPTIONS - 1) ?? [])
    .filter(Number.isInteger);
  return {
    kind: "voted",
    key: pollKeyOf(id),
    nativeId: `poll:${id}/${updateId}`,
    at: 0,
    from: writer.identity,
    options: [],
    positions,
  };
};

/** The votes of each option so far; the only report of an anonymous poll. */
export const resultsEvent = (poll: Json, updateId: string): ChannelEvent => {
  const id = idIn(poll["id"]);
  const totals = optionsIn(poll);
  if (id === undefined || totals.length === 0) return { kind: "unknown", at: 0, what: "results of no poll" };
  return {
    kind: "poll-results",
    key: pollKeyOf(id),
    nativeId: `poll:${id}/results/${updateId}`,
    at: 0,
    totals,
    isClosed: poll["is_closed"] === true,
  };
};
