import type { Fields } from "../../graph/shape.ts";

/** One event of a conversation, before its webhook: its account, its field, and the messaging item. */
export type Event = { igUserId: string; field: string; item: Fields };

/**
 * The layout of the events of one POST. `messaging`: an entry for each account with all of its events; `entries`: an
 * entry for each event; `standby`: as `messaging`, but another app owns the thread; `changes`: in the form of the
 * dashboard's test button; `flat`: an entry for each, with `field` and `value` in it.
 */
export const LAYOUTS = ["messaging", "entries", "standby", "changes", "flat"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The body of a webhook. */
export const bodyOf = (events: readonly Event[], layout: Layout, atMs: number): Fields => {
  const isJoined = layout !== "entries" && layout !== "flat";
  const groups = isJoined
    ? [...Map.groupBy(events, (event) => event.igUserId).values()]
    : events.map((event) => [event]);
  return {
    object: "instagram",
    entry: groups.map((group) => ({ id: group[0]?.igUserId, time: atMs, ...contentOf(group, layout) })),
  };
};

const contentOf = (group: readonly Event[], layout: Layout): Fields => {
  if (layout === "changes") return { changes: group.map(changeOf) };
  if (layout === "flat") return Object.assign({}, ...group.map(changeOf));
  return { [layout === "standby" ? "standby" : "messaging"]: group.map(({ item }) => item) };
};

/** In changes, times are texts of seconds. */
const changeOf = ({ field, item }: Event): Fields => {
  const { timestamp } = item;
  return {
    field,
    value: typeof timestamp === "number" ? { ...item, timestamp: String(Math.floor(timestamp / 1000)) } : item,
  };
};
