import { finderOf } from "../../kernel/finder.ts";
import { walk } from "../../kernel/walk.ts";
import { listContactsBefore, placeOfContact } from "../../store/tables/conversations/contact-pages.ts";
import type { ContactRow, OptOutFilter } from "../../store/tables/conversations/contacts.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { ConversationsEnv } from "./env.ts";

/** How many contacts are read for one page. */
const MOST_SEEN = 10_000;
type Searched = Pick<ContactRow, "name" | "email" | "tags" | "phoneNumber">;

/** Whether each word of a search begins one of a contact's words, or is part of the number. */
export const contactFinder = (q: string): ((contact: Searched) => boolean) => {
  const isFound = finderOf(q);
  return ({ name, email, tags, phoneNumber }) => isFound({ words: [name, email, ...tags].join(" "), phoneNumber });
};

/** `cursor`: the id of the last contact of the previous page. */
export type ContactFilter = OptOutFilter & {
  q: string | undefined;
  cursor: string | undefined;
  limit: number;
};

/**
 * A page of live contacts, newest first. One page reads at most 10,000 contacts: it may be short, or empty, although
 * `nextCursor` says that more follows.
 */
export const contactLog = async (
  env: Pick<ConversationsEnv, "db">,
  scope: TenantScope,
  { q, optedOut, cursor, limit }: ContactFilter,
): Promise<{ items: ContactRow[]; nextCursor: string | null }> => {
  const from =
    cursor === undefined
      ? Number.MAX_SAFE_INTEGER
      : await env.db.read((reader) => placeOfContact(reader, scope, cursor));
  const isFound = q === undefined ? () => true : contactFinder(q);
  const { rows, next } = await walk<ContactRow, Pick<ContactRow, "seq" | "id">>({
    from: { seq: from, id: "" as ContactRow["id"] },
    limit,
    most: MOST_SEEN,
    placeOf: (contact) => contact,
    isWanted: (contact) =>
      contact.environment === "live" &&
      (optedOut === undefined || (contact.optedOutAt !== null) === optedOut) &&
      isFound(contact),
    read: async ({ seq: before }, size) => {
      const page = { before, limit: size, optedOut: optedOut === true };
      const found = await env.db.read((reader) => listContactsBefore(reader, scope, page));
      return { rows: found, end: found.length < size ? undefined : found.at(-1) };
    },
  });
  return { items: rows, nextCursor: next?.id ?? null };
};
