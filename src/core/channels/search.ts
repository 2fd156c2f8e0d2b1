import type { LinkState } from "../../contract/events.ts";
import { finderOf } from "../../kernel/finder.ts";
import { walk } from "../../kernel/walk.ts";
import { listChannelsBefore } from "../../store/tables/channels/channel-pages.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { ChannelsEnv } from "./env.ts";

/** How many channels are read for one page. */
const MOST_SEEN = 10_000;

/** `q`: words of the name, or a part of the number. `cursor`: the id of the last channel of the previous page. */
export type ChannelFilter = {
  q: string | undefined;
  ids: readonly string[] | undefined;
  kind: string | undefined;
  state: LinkState | undefined;
  cursor: string | undefined;
  limit: number;
};

/**
 * A page of the tenant's channels, newest first. One page reads at most 10,000 channels: it may be short, or empty,
 * although `nextCursor` says that more follows.
 */
export const searchChannels = async (
  env: Pick<ChannelsEnv, "db">,
  scope: TenantScope,
  { q, ids, kind, state, cursor, limit }: ChannelFilter,
): Promise<{ items: ChannelRow[]; nextCursor: string | null }> => {
  const isFound = q === undefined ? () => true : finderOf(q);
  const { rows, next } = await walk<ChannelRow, string | undefined>({
    from: cursor,
    limit,
    most: MOST_SEEN,
    placeOf: ({ id }) => id,
    isWanted: (channel) =>
      (kind === undefined || channel.kind === kind) &&
      (state === undefined || channel.state === state) &&
      isFound({ words: channel.label, phoneNumber: channel.phoneNumber }),
    read: async (before, size) => {
      const found = await env.db.read((reader) => listChannelsBefore(reader, scope, { before, ids, limit: size }));
      return { rows: found, end: found.length < size ? undefined : found.at(-1)?.id };
    },
  });
  return { items: rows, nextCursor: next ?? null };
};
