import { DAY_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { numberKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { listWritersSince } from "../../../store/tables/channels/inbox.ts";
import { listRecentRecipients, type NewRecipient } from "../../../store/tables/messaging/batch-recipients.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { MessagingEnv } from "../env.ts";

/** How many new people the network lets the owner of a channel write to in 24 hours; undefined if it has no limit. */
const limitOf = ({ profile }: Pick<ChannelRow, "profile">): number | undefined => {
  const limit = profile["newPeoplePerDay"];
  return typeof limit === "number" ? limit : undefined;
};

/**
 * Refuses a batch that has more new people than the rest of the network's limit. New people have not written to the
 * channel within 24 hours; those of the other batches of these hours count too. A smaller batch, or a later one, is
 * accepted.
 * @throws AppError DAY_LIMIT_REACHED
 */
export const requireRoomForPeople = async (
  env: Pick<MessagingEnv, "db" | "clock">,
  scope: TenantScope,
  channelId: string,
  recipients: readonly NewRecipient[],
): Promise<void> => {
  const excess = await excessOfPeople(env, scope, channelId, recipients);
  if (excess) throw tooManyPeople(excess.limit, excess.oldestAt + DAY_MS - env.clock.now());
};

/** The number of new people of a batch beyond the network's limit; undefined if it is within the limit. */
export const excessOfPeople = (
  env: Pick<MessagingEnv, "db" | "clock">,
  scope: TenantScope,
  channelId: string,
  recipients: readonly NewRecipient[],
): Promise<{ limit: number; count: number; oldestAt: number } | undefined> => {
  const now = env.clock.now();
  const sinceMs = now - DAY_MS;
  return env.db.read(async (reader) => {
    const channel = await findChannel(reader, scope, channelId);
    const limit = channel && limitOf(channel);
    if (!channel || limit === undefined) return undefined;
    const recent = await listRecentRecipients(reader, channel, sinceMs);
    const wanted = recipients.filter(({ error }) => !error).map(({ to }) => to);
    if (wanted.length + recent.length <= limit) return undefined;
    const writers = new Set((await listWritersSince(reader, channel.id, sinceMs)).map(toPersonKey));
    const isNew = (person: string) => !writers.has(person);
    const people = new Set([...wanted, ...recent.map(({ recipient }) => recipient)].map(toPersonKey).filter(isNew));
    if (people.size <= limit) return undefined;
    return {
      limit,
      count: people.size - limit,
      oldestAt: recent.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt), now),
    };
  });
};

/** A number with and without the ninth digit is one person. */
export const toPersonKey = (key: string): string => numberKeyOf(key.replace(/^pn:/, ""));

const tooManyPeople = (limit: number, waitMs: number): AppError =>
  new AppError("DAY_LIMIT_REACHED", {
    message: `The network lets this number write to ${limit} new people in 24 hours, and the batch has more than are left.`,
    details: { limit },
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
