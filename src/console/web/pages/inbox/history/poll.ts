import type { LoggedMessage } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { asList, asText } from "./fields.ts";

/** How often each option of a poll was chosen. `voters`: how many people chose one. */
export type PollResult = { options: { option: string; votes: number }[]; voters: number };

/** The options of a poll with their votes, in the order of the poll. */
export const pollResult = ({
  content,
  votes,
  pollTotals,
}: Pick<LoggedMessage, "content" | "votes" | "pollTotals">): PollResult => {
  const totals = new Map((pollTotals ?? []).map((total) => [total.option, total.votes]));
  return {
    options: asList(content["options"])
      .map(asText)
      .filter(Boolean)
      .map((option) => ({ option, votes: totals.get(option) ?? 0 })),
    voters: votes.filter(({ options }) => options.length > 0).length, // a vote without an option was withdrawn
  };
};
