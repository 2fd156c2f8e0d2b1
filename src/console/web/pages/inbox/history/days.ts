/** The sender of a message of the account; null for others. */
type Author = { kind: string; id: string } | null;

/** A row of a chat's history: the head of a day, or a message. */
export type HistoryRow<Message> =
  | { is: "day"; day: string; at: string }
  | { is: "message"; message: Message; isFirst: boolean };

const dayOf = (at: string): string => new Date(at).toDateString();
/** The time within which messages of one author stand together. */
const TOGETHER_MS = 5 * 60_000;

/**
 * The rows of a history, the oldest first, from messages in the order newest first. A message that follows another of
 * its side and its author within five minutes is not the first of its group.
 */
export const historyRows = <Message extends { createdAt: string; direction: string; sentBy: Author }>(
  newestFirst: readonly Message[],
): HistoryRow<Message>[] => {
  const rows: HistoryRow<Message>[] = [];
  let before: Message | undefined;
  for (const message of newestFirst.toReversed()) {
    const day = dayOf(message.createdAt);
    const isNewDay = before === undefined || dayOf(before.createdAt) !== day;
    if (isNewDay) rows.push({ is: "day", day, at: message.createdAt });
    const isFirst =
      isNewDay ||
      before?.direction !== message.direction ||
      before.sentBy?.kind !== message.sentBy?.kind ||
      before.sentBy?.id !== message.sentBy?.id ||
      Date.parse(message.createdAt) - Date.parse(before.createdAt) > TOGETHER_MS;
    rows.push({ is: "message", message, isFirst });
    before = message;
  }
  return rows;
};
