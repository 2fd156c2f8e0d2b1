import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { NativeKey } from "../contract/events.ts";
import type { ChannelId } from "../kernel/ids.ts";

/** Who may write a channel's keys: the last to open its ring. */
export const keyRings = sqliteTable("key_rings", { channelId: text("channel_id").$type<ChannelId>().primaryKey(), epoch: integer().notNull() });

/** The keys of a channel that encrypts end to end, one sealed row each. */
export const ringRows = sqliteTable(
  "ring_rows",
  { channelId: text("channel_id").$type<ChannelId>().notNull(), kind: text().notNull(), id: text().notNull(), sealed: text().notNull() },
  (t) => [primaryKey({ columns: [t.channelId, t.kind, t.id] })],
);

/** Messages as their network knows them, sealed: what is quoted, and sent again to a device that could not read it. */
export const messageCopies = sqliteTable(
  "message_copies",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    nativeKey: text("native_key").$type<NativeKey>().notNull(),
    sealed: text().notNull(),
    keptAt: integer("kept_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.nativeKey] }), index("message_copies_by_age").on(t.keptAt)],
);
