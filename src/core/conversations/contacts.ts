import { isDeepStrictEqual } from "node:util";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ContactId, newId } from "../../kernel/ids.ts";
import { asDigits, numberKeyOf } from "../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../kernel/schema.ts";
import { placeByNumber } from "../../store/engine/counting.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import {
  type ContactRow,
  countedContacts,
  deleteContact,
  findContact,
  findContactByAlias,
  findContactByNumber,
  insertContact,
  listContacts,
  listContactsByNumber,
  type NewContact,
  type OptOutFilter,
  optOutOf,
  passContacts,
  searchContacts,
  searchedWords,
  updateContact,
} from "../../store/tables/conversations/contacts.ts";
import { listOpenConversationsOf, moveConversations } from "../../store/tables/conversations/conversations.ts";
import type { TenantScope, Viewer } from "../../store/tables/scope.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import type { Contact } from "../domain-event.ts";
import { type Origin, type PublishEnv, publish } from "../events/publish.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import type { Requester } from "../tenancy/audit/audit.ts";
import { closeWithin } from "./closing.ts";
import type { ConversationsEnv } from "./env.ts";

export type { ContactRow } from "../../store/tables/conversations/contacts.ts";

/** The channel on which a person was met; their events are published for it. */
export type Met = Origin & { environment: Environment };

/** The form of a contact's number. */
export const CONTACT_NUMBER = { min: 8, max: 15 } as const;
export const MAX_TAGS = 20;
export const MAX_NAME = 120;
const MAX_METADATA_BYTES = 16 * 1024;
/** Each word is searched in every slice of the contacts. */
const MAX_SEARCH_WORDS = 10;

/** The write that changes contacts, and the origin of their events. */
export type Change = { env: PublishEnv; tx: Tx; origin: Met; chat: string };

/**
 * The tenant's contact for a person on a network; never for a group. It is found by any spelling of the number, then by
 * another identifier; otherwise it is made. Contacts that prove to be one person are merged into the contact with the
 * number, or the first. `name`, which the network reports, is stored if the contact has none. `isNew`: it was made now,
 * so it has no conversation.
 */
export const ensureContact = async (
  env: PublishEnv,
  tx: Tx,
  origin: Met,
  { who, name }: { who: Contact; name: string | null },
): Promise<{ contact: ContactRow; isNew: boolean }> => {
  const within: Change = { env, tx, origin, chat: who.canonicalKey };
  const [contact, ...doubles] = await listContactsOfPerson(tx, origin, who);
  const named = { name: name === null ? null : shortName(name) };
  if (!contact) {
    const alias = who.pn === null ? who.canonicalKey : null;
    const made = await add(within, newRow(env, origin, { phoneNumber: who.pn, alias, ...named }));
    return { contact: made, isNew: true };
  }
  const numbered =
    contact.phoneNumber === null && who.pn !== null ? { ...contact, phoneNumber: who.pn, alias: null } : contact;
  for (const double of doubles) await absorb(within, contact, double);
  await rekey(tx, origin, contact);
  return { contact: await change(within, contact, [...doubles, named].reduce(completed, numbered)), isNew: false };
};

/**
 * Handles names of a person that were learned without a message. The person's contact, if the tenant has one, gets the
 * number, and `name` if it has none; the contacts that prove to be this person's are merged into it.
 */
export const mergeLearnedNames = async (
  env: PublishEnv,
  tx: Tx,
  origin: Met,
  person: { who: Contact; name: string | null },
): Promise<void> => {
  if ((await listContactsOfPerson(tx, origin, person.who)).length > 0) await ensureContact(env, tx, origin, person);
};

/**
 * Stores a number's present comparable form. The stored form may be older than Recado's knowledge of the other
 * spelling.
 */
const rekey = async (tx: Tx, scope: TenantScope, { id, phoneNumber, numberKey }: ContactRow): Promise<void> => {
  if (phoneNumber !== null && numberKey !== numberKeyOf(phoneNumber))
    await updateContact(tx, scope, id, { phoneNumber });
};

/** A blank name counts as absent. The database drops NUL, so a text must not contain it. */
const shortName = (name: string): string | null =>
  [...name.replaceAll("\0", "").trim()].slice(0, MAX_NAME).join("") || null;

/** The contacts with an identifier of this person, those with the number first. */
export const listContactsOfPerson = async (tx: Reader, scope: Viewer, who: Contact): Promise<ContactRow[]> => {
  const holders = who.pn === null ? [] : await listContactsByNumber(tx, scope, who.pn);
  for (const alias of aliasesOf(who)) {
    const holder = await findContactByAlias(tx, scope, alias);
    if (holder) holders.push(holder);
  }
  return holders;
};

/**
 * The identifiers besides the number that may find a person. A username may soon belong to another person: it counts
 * only when it is the only identifier.
 */
const aliasesOf = ({ canonicalKey, type, lid, bsuid }: Contact): string[] => {
  const ids = [...(lid === null ? [] : [`lid:${lid}`]), ...(bsuid === undefined ? [] : [`bsuid:${bsuid}`])];
  return type === "pn" || ids.includes(canonicalKey) ? ids : [canonicalKey, ...ids];
};

/**
 * Moves the conversations of a duplicate to the contact. If both have an open conversation on one channel, the
 * duplicate's is closed; that event comes after the earlier events of the conversation.
 */
const absorb = async ({ env, tx, origin }: Change, contact: ContactRow, double: ContactRow): Promise<void> => {
  const busy = new Set((await listOpenConversationsOf(tx, origin, contact.id)).map(({ channelId }) => channelId));
  for (const open of await listOpenConversationsOf(tx, origin, double.id)) {
    if (busy.has(open.channelId)) await closeWithin(env, tx, { chat: chatWith(double), by: null }, open);
  }
  await moveConversations(tx, origin, double.id, contact.id);
  await deleteContact(tx, origin, double.id);
};

type ContactDetails = Pick<ContactRow, "name"> &
  Partial<Pick<ContactRow, "email" | "tags" | "metadata" | "optedOutAt" | "optedOutBy">>;

/** The contact, completed with the details of a duplicate. */
const completed = (
  contact: ContactRow,
  { name, email = null, tags = [], metadata = {}, optedOutAt = null, optedOutBy = null }: ContactDetails,
): ContactRow => ({
  ...contact,
  name: contact.name ?? name,
  email: contact.email ?? email,
  tags: unique([...contact.tags, ...tags]).slice(0, MAX_TAGS),
  metadata: { ...metadata, ...contact.metadata },
  ...optOutOf([contact, { optedOutAt, optedOutBy }]),
});

const unique = (tags: readonly string[]): string[] => [...new Set(tags)];

const newRow = (
  env: Pick<ConversationsEnv, "clock" | "random">,
  { tenantId, environment }: Viewer,
  given: Partial<NewContact>,
): NewContact => {
  const createdAt = env.clock.now();
  return {
    id: newId<ContactId>(env),
    tenantId,
    environment,
    phoneNumber: null,
    alias: null,
    name: null,
    email: null,
    tags: [],
    metadata: {},
    ...given,
    createdAt,
    updatedAt: createdAt,
  };
};

/** @throws AppError CONTACT_EXISTS when a contact has the number, in any spelling. */
const add = async (within: Change, row: NewContact): Promise<ContactRow> => {
  const contact = await insertContact(within.tx, row);
  if (!contact) throw isThere();
  await publishIn(within, { type: "contact.created", contact });
  return contact;
};

const isThere = () => new AppError("CONTACT_EXISTS", { message: "There is a contact with this number already." });

/** Publishes nothing if nothing changes. */
export const change = async (within: Change, contact: ContactRow, wanted: Partial<ContactRow>): Promise<ContactRow> => {
  const { env, tx, origin } = within;
  const update = Object.fromEntries(
    Object.entries(wanted).filter(([column, value]) => !isDeepStrictEqual(contact[column as keyof ContactRow], value)),
  );
  if (Object.keys(update).length === 0) return contact;
  const changed = await updateContact(tx, origin, contact.id, { ...update, updatedAt: env.clock.now() });
  if (!changed) throw unknownContact();
  const formerTags = "tags" in update ? { formerTags: contact.tags } : {};
  await publishIn(within, { type: "contact.updated", contact: changed, ...formerTags });
  return changed;
};

const publishIn = (
  { env, tx, origin, chat }: Change,
  happened: { type: "contact.created" | "contact.updated"; contact: ContactRow; formerTags?: readonly string[] },
): Promise<void> => publish(env, tx, origin, { ...happened, chat });

export type ContactInput = {
  phoneNumber: string;
  name: string;
  email?: string | null;
  tags?: readonly string[];
  metadata?: Record<string, unknown>;
};

type Named = Pick<ContactRow, "phoneNumber" | "alias" | "id">;

/** Events are published in the environment of the contact. */
export const changeOf = (
  env: PublishEnv,
  tx: Tx,
  contact: Named & Pick<ContactRow, "tenantId" | "environment">,
): Change => ({
  env,
  tx,
  origin: { tenantId: contact.tenantId, channel: null, environment: contact.environment },
  chat: chatWith(contact),
});

/** The chat that orders the events of a contact. */
export const chatWith = ({ phoneNumber, alias, id }: Named): string =>
  phoneNumber === null ? (alias ?? id) : `pn:${phoneNumber}`;

const columnsOf = <Input extends Partial<ContactInput>>({ tags, ...rest }: Input) => ({
  ...rest,
  ...(rest.phoneNumber === undefined ? {} : { phoneNumber: asDigits(rest.phoneNumber) }),
  ...(tags === undefined ? {} : { tags: unique(tags) }),
});

const checkMetadata = ({ metadata = {} }: Partial<ContactInput>): void => {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    throw invalid(issue("metadata", "maxLength", `must have at most ${MAX_METADATA_BYTES} bytes as JSON`));
};

/**
 * Creates a contact.
 * @throws AppError VALIDATION for too much metadata, CONTACT_EXISTS when a contact has the number in any spelling,
 * LIMIT_REACHED.
 */
export const createContact = async (
  env: ConversationsEnv,
  viewer: Viewer,
  input: ContactInput,
): Promise<ContactRow> => {
  checkMetadata(input);
  const row = newRow(env, viewer, columnsOf(input));
  return env.db.write(async (tx) => {
    if (await findContactByNumber(tx, viewer, asDigits(input.phoneNumber))) throw isThere();
    await requireRoom(env, tx, { collection: "contacts", owner: viewer.tenantId });
    return add(changeOf(env, tx, row), row);
  });
};

/** @throws AppError CONTACT_NOT_FOUND. */
export const getContact = (env: Pick<ConversationsEnv, "db">, viewer: Viewer, id: string): Promise<ContactRow> =>
  env.db.read((reader) => foundContact(reader, viewer, id));

/**
 * A contact of live messages, for an API without test keys.
 * @throws AppError CONTACT_NOT_FOUND, also for a contact of test keys
 */
export const getLiveContact = async (
  env: Pick<ConversationsEnv, "db">,
  { tenantId }: TenantScope,
  id: string,
): Promise<ContactRow> => {
  const contact = await getContact(env, { tenantId, environment: "live" }, id);
  if (contact.environment !== "live") throw unknownContact();
  return contact;
};

export const foundContact = async (r: Reader, viewer: Viewer, id: string): Promise<ContactRow> => {
  const contact = await findContact(r, viewer, id);
  if (!contact) throw unknownContact();
  return contact;
};

const unknownContact = () => new AppError("CONTACT_NOT_FOUND", { message: "There is no such contact." });

/**
 * Changes the given fields, and publishes `contact.updated` when one of them differs.
 * @throws AppError VALIDATION for too much metadata, CONTACT_NOT_FOUND.
 */
export const changeContact = async (
  env: ConversationsEnv,
  viewer: Viewer,
  id: string,
  input: Partial<Omit<ContactInput, "phoneNumber">>,
): Promise<ContactRow> => {
  checkMetadata(input);
  return env.db.write(async (tx) => {
    const contact = await foundContact(tx, viewer, id);
    return change(changeOf(env, tx, contact), contact, columnsOf(input));
  });
};

/**
 * Sets a tag of a person, or removes it, within a write. False for a person without a contact, and for one tag more than
 * a contact may have.
 */
export const tagPerson = async (
  env: PublishEnv,
  tx: Tx,
  viewer: Viewer,
  { who, tag, isRemoved }: { who: Contact; tag: string; isRemoved: boolean },
): Promise<boolean> => {
  const [contact] = await listContactsOfPerson(tx, viewer, who);
  if (!contact) return false;
  const others = contact.tags.filter((one) => one !== tag);
  const tags = isRemoved ? others : [...others, tag];
  if (tags.length > MAX_TAGS) return false;
  await change(changeOf(env, tx, contact), contact, {
    tags: contact.tags.includes(tag) === isRemoved ? tags : contact.tags,
  });
  return true;
};

/**
 * Deletes a contact and closes its open conversations. All conversations stay as history, with their messages.
 * @throws AppError CONTACT_NOT_FOUND.
 */
export const removeContact = (env: ConversationsEnv, viewer: Viewer & Requester, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const contact = await foundContact(tx, viewer, id);
    const { chat } = changeOf(env, tx, contact);
    for (const open of await listOpenConversationsOf(tx, viewer, contact.id))
      await closeWithin(env, tx, { chat, by: viewer }, open);
    await deleteContact(tx, viewer, contact.id);
  });

const contactsByNumber = async (
  db: ConversationsEnv["db"],
  viewer: Viewer,
  { limit, offset, optedOut }: OptOutFilter & { limit: number; offset: number },
): Promise<{ rows: ContactRow[]; total: number }> => {
  const known = optedOut === undefined ? await db.read((reader) => countedContacts(reader, viewer)) : undefined;
  const { total, ...place } = await placeByNumber<number>(
    db,
    (reader, part) => passContacts(reader, viewer, { ...part, optedOut }),
    offset,
    known,
  );
  return { rows: await db.read((reader) => listContacts(reader, viewer, { limit, optedOut, ...place })), total };
};

/**
 * A page of contacts, newest first, with their total number. `search` finds contacts where each word begins one of
 * their words or is part of their number. At most 10,000 results are counted.
 * @throws AppError VALIDATION for more than 10 words.
 */
export const contactsPage = async (
  { db }: Pick<ConversationsEnv, "db">,
  viewer: Viewer,
  page: OptOutFilter & { search: string | undefined; limit: number; offset: number },
): Promise<{ rows: ContactRow[]; total: number }> => {
  const search = page.search && asDigits(page.search);
  if (search === undefined) return contactsByNumber(db, viewer, page);
  if (searchedWords(search).length > MAX_SEARCH_WORDS)
    throw invalid(issue("search", "maxItems", `must have at most ${MAX_SEARCH_WORDS} different words`));
  return searchContacts(db, viewer, { ...page, search });
};
