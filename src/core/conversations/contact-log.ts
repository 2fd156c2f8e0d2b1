import { asDigits, numberKeyOf } from "../../kernel/numbers/phone-numbers.ts";
import { foldedOf, hasWord, wordsOf } from "../../kernel/texts/words.ts";
import { walk } from "../../kernel/walk.ts";
import { listContactsBefore, placeOfContact } from "../../store/tables/conversations/contact-pages.ts";
import type { ContactRow } from "../../store/tables/conversations/contacts.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { ConversationsEnv } from "./env.ts";

/** How many contacts one page looks at. */
const MOST_SEEN = 10_000;
/** Shorter words are not looked for within numbers. */
const SHORTEST_PART = 4;

type Findable = Pick<ContactRow, "name" | "email" | "tags" | "phoneNumber">;

/** Whether each word of a search begins one of a contact's words, or is part of the number. */
export const contactFinder = (q: string): ((contact: Findable) => boolean) => {
  const words = [...new Set(wordsOf(asDigits(q)).map(numberKeyOf))];
  return ({ name, email, tags, phoneNumber }) => {
    const folded = foldedOf([name, email, ...tags].join(" "));
    const numbers = phoneNumber === null ? [] : [phoneNumber, numberKeyOf(phoneNumber)];
    const isFound = (word: string) =>
      hasWord(folded, word) || (word.length >= SHORTEST_PART && numbers.some((one) => one.includes(word)));
    return words.length > 0 && words.every(isFound);
  };
};

/** `cursor`: the id of the last contact of the page before. */
export type ContactFilter = { q: string | undefined; cursor: string | undefined; limit: number };

/**
 * A page of live contacts, newest first. One page looks at 10,000 contacts at most: it may be short, or empty, although
 * `nextCursor` says that more follows.
 */
export const contactLog = async (
  env: Pick<ConversationsEnv, "db">,
  scope: TenantScope,
  { q, cursor, limit }: ContactFilter,
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
    isWanted: (contact) => contact.environment === "live" && isFound(contact),
    read: async ({ seq: before }, size) => {
      const found = await env.db.read((reader) => listContactsBefore(reader, scope, { before, limit: size }));
      return { rows: found, end: found.length < size ? undefined : found.at(-1) };
    },
  });
  return { items: rows, nextCursor: next?.id ?? null };
};
