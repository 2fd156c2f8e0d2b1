import type { ListChatsQuery } from "../../../../../clients/typescript/src/generated/gateway.ts";

/** TABLE: the views of the inbox, in the order of their tabs. */
export const VIEWS = ["open", "unread", "mine", "unassigned", "agent", "snoozed", "closed"] as const;
export type View = (typeof VIEWS)[number];
const isView = (value: string): value is View => VIEWS.some((view) => view === value);

/** `wait`: for how many hours the chat waits for an answer. */
export type InboxFilters = { view: string; phone: string; q: string; assignee: string; wait: string; tag: string };
export const NO_FILTERS: InboxFilters = { view: "open", phone: "", q: "", assignee: "", wait: "", tag: "" };

const queryOf = (view: View, personId: string): ListChatsQuery => {
  switch (view) {
    case "open":
      return { state: "OPEN", snoozed: false };
    case "unread":
      return { unread: true };
    case "mine":
      return { state: "OPEN", snoozed: false, assignee: personId };
    case "unassigned":
      return { state: "OPEN", snoozed: false, assignee: "nobody" };
    case "agent":
      return { leader: "agent" };
    case "snoozed":
      return { snoozed: true };
    case "closed":
      return { state: "CLOSED" };
  }
};

/** What the list of chats is asked for. The assignee of a view counts before the one that was chosen in another view. */
export const chatQuery = ({ view, phone, q, assignee, wait, tag }: InboxFilters, personId: string): ListChatsQuery => ({
  ...(assignee === "" ? {} : { assignee }),
  ...queryOf(isView(view) ? view : "open", personId),
  ...(phone === "" ? {} : { phoneId: phone }),
  ...(q === "" ? {} : { q }),
  ...(wait === "" ? {} : { waitingHours: Number(wait), sort: "waiting" as const }),
  ...(tag === "" ? {} : { tag }),
});
