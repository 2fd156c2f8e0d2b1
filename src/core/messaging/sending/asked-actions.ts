import type { Action } from "../../../contract/abilities/operations.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { listLabels } from "../../../store/tables/conversations/chat-states.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getHistoryMessage } from "../../conversations/history.ts";
import type { MessagingEnv } from "../env.ts";

/** An operation as a client asks for it: the options of a poll by their words or their places, counted from 0. */
export type AskedAction = Exclude<Action, { name: "vote" }> | { name: "vote"; options: readonly (string | number)[] };

export const operationUnsupported = (operation: Action["name"]): AppError =>
  new AppError("OPERATION_UNSUPPORTED", {
    message: `This message cannot be the object of ${operation} on a channel of this kind.`,
    details: { operation },
  });

/** TABLE: the operations that only messages of one type allow, received ones as well. */
const NEEDS: Partial<Record<Action["name"], string>> = { vote: "poll", respond: "event" };

/**
 * The operation in full.
 * @throws AppError OPERATION_UNSUPPORTED, or VALIDATION for an option that the poll does not have, or an unknown label
 */
export const completedAction = async (
  env: MessagingEnv,
  { tenantId }: TenantScope,
  { channelId, messageId }: { channelId: ChannelId; messageId: string },
  asked: AskedAction,
): Promise<Action> => {
  if (asked.name === "label") {
    const known = await env.db.read((reader) => listLabels(reader, channelId));
    if (!known.some(({ id }) => id === asked.labelId))
      throw invalid(issue("label", "enum", "is no label of the phone"));
  }
  const needed = NEEDS[asked.name];
  if (needed === undefined) return asked as Action; // it is no vote
  const { type, content } = await getHistoryMessage(env, { tenantId, environment: "live" }, messageId);
  if (type !== needed) throw operationUnsupported(asked.name);
  return asked.name === "vote" ? { name: "vote", options: chosenOf(asked.options, content as Poll) } : asked;
};

type Poll = { options: string[]; maxSelections?: number };

const chosenOf = (chosen: readonly (string | number)[], { options, maxSelections = 1 }: Poll): string[] => {
  const found = chosen.map((one) =>
    typeof one === "number" ? options[one] : options.find((option) => option === one),
  );
  const unknown = found.indexOf(undefined);
  if (unknown !== -1) throw invalid(issue(`votes.${unknown}`, "forbidden", "is no option of the poll"));
  const texts = [...new Set(found)].filter((one) => one !== undefined);
  if (texts.length > maxSelections)
    throw invalid(issue("votes", "maxItems", `the poll allows ${maxSelections} of its options`));
  return texts;
};
