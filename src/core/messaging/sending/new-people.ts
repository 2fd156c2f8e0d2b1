import { DAY_MS, othersServed } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { type ChannelId, idBoundAt } from "../../../kernel/ids.ts";
import { numberKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { type InboxPlace, sliceOfWriters } from "../../../store/tables/channels/inbox.ts";
import { listReached, type NewRecipient } from "../../../store/tables/messaging/batch-recipients.ts";
import { findNextOnAccount } from "../../../store/tables/messaging/batches.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { MessagingEnv } from "../env.ts";

/** Rows that are read at once: a millisecond or two. */
const READ_TOGETHER = 1000;
/** So many people are looked for in the inbox at once. */
const MOST_UNCHECKED = 10_000;

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

/**
 * The number of new people of a batch beyond the network's limit; undefined if it is within the limit. Rows are read in
 * slices, and no more people are kept than the limit and the batch have.
 */
export const excessOfPeople = async (
  env: Pick<MessagingEnv, "db" | "clock">,
  scope: TenantScope,
  channelId: string,
  recipients: readonly NewRecipient[],
): Promise<{ limit: number; count: number; oldestAt: number } | undefined> => {
  const now = env.clock.now();
  const sinceMs = now - DAY_MS;
  const channel = await env.db.read((reader) => findChannel(reader, scope, channelId));
  const limit = channel && limitOf(channel);
  if (!channel || limit === undefined) return undefined;
  const wanted = new Set(recipients.filter(({ error }) => !error).map(({ to }) => toPersonKey(to)));
  const people = new Set<string>(); // without those who have written
  let unchecked = new Set(wanted);
  const check = async () => {
    const known = await writersAmong(env, channel.id, { people: unchecked, sinceMs });
    for (const person of unchecked) if (!known.has(person)) people.add(person);
    unchecked = new Set();
  };
  let oldestAt = now;
  for await (const { recipients: some, createdAt } of recentRecipients(env, channel, sinceMs)) {
    oldestAt = Math.min(oldestAt, createdAt);
    for (const person of some.map(toPersonKey)) if (!people.has(person)) unchecked.add(person);
    if (unchecked.size >= MOST_UNCHECKED) await check();
    if (people.size >= limit + wanted.size) break; // the others change nothing
  }
  if (people.size + unchecked.size <= limit) return undefined;
  await check();
  const count = Math.min(people.size - limit, wanted.size);
  return count > 0 ? { limit, count, oldestAt } : undefined;
};

/** The people of the live batches since a time on the account of this channel, oldest first, some at a time. */
async function* recentRecipients(
  { db }: Pick<MessagingEnv, "db">,
  { tenantId, accountId }: ChannelRow,
  sinceMs: number,
) {
  for (let afterId = idBoundAt(sinceMs); ; ) {
    const from = afterId;
    const batch = await db.read((reader) => findNextOnAccount(reader, { tenantId, accountId, afterId: from }));
    if (!batch) return;
    let last: number | undefined = -1;
    while (last !== undefined) {
      const after: number = last;
      const some = await db.read((reader) => listReached(reader, batch.id, { after, limit: READ_TOGETHER }));
      if (some.length > 0) yield { recipients: some.map(({ recipient }) => recipient), createdAt: batch.createdAt };
      last = some.length === READ_TOGETHER ? some.at(-1)?.position : undefined;
      await othersServed();
    }
    afterId = batch.id;
  }
}

/** The people among these who have written to the channel since a time, by their `toPersonKey`. */
export const writersAmong = async (
  { db }: Pick<MessagingEnv, "db">,
  channelId: ChannelId,
  { people, sinceMs }: { people: ReadonlySet<string>; sinceMs: number },
): Promise<Set<string>> => {
  const found = new Set<string>();
  let after: InboxPlace | undefined = { receivedAt: sinceMs, row: -1 };
  while (after !== undefined && found.size < people.size) {
    const from: InboxPlace = after;
    const { writers, end } = await db.read((reader) => sliceOfWriters(reader, channelId, from, READ_TOGETHER));
    for (const person of writers.map(toPersonKey)) if (people.has(person)) found.add(person);
    after = end;
    await othersServed();
  }
  return found;
};

/** A number with and without the ninth digit is one person. */
export const toPersonKey = (key: string): string => numberKeyOf(key.replace(/^pn:/, ""));

const tooManyPeople = (limit: number, waitMs: number): AppError =>
  new AppError("DAY_LIMIT_REACHED", {
    message: `The network lets this number write to ${limit} new people in 24 hours, and the batch has more than are left.`,
    details: { limit },
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
