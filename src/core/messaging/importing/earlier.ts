import { othersServed } from "../../../kernel/clock.ts";
import {
  forgetAddedBefore,
  type HistoryImportRow,
  hasAddedSince,
} from "../../../store/tables/messaging/history-imports.ts";
import type { MessagingEnv } from "../env.ts";

const PER_SWEEP = 500;

/**
 * Forgets what earlier imports of a channel have added, as soon as this one has added something. Until then they can
 * still be undone. It goes on where it was interrupted.
 */
export const forgetEarlier = async (
  env: Pick<MessagingEnv, "db">,
  { channelId, startedAt }: Pick<HistoryImportRow, "channelId" | "startedAt">,
): Promise<void> => {
  if (!(await env.db.read((reader) => hasAddedSince(reader, channelId, startedAt)))) return;
  const before = { beforeMs: startedAt, limit: PER_SWEEP };
  while (await env.db.write((tx) => forgetAddedBefore(tx, channelId, before))) await othersServed();
};
