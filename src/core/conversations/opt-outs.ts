import { personIdOf } from "../../contract/events.ts";
import { DAY_MS, othersServed } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { numberKeysOf } from "../../kernel/numbers/phone-numbers.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { listContactsByUid, listOptedOutAmong } from "../../store/tables/conversations/contact-pages.ts";
import type { OptOutSource } from "../../store/tables/conversations/contacts.ts";
import { hasWritten } from "../../store/tables/conversations/received.ts";
import type { TenantScope, Viewer } from "../../store/tables/scope.ts";
import { type Contact, contactOfKey, isMany } from "../domain-event.ts";
import { type PublishEnv, publish } from "../events/publish.ts";
import { type Caller, recordAct } from "../tenancy/audit/audit.ts";
import {
  type Change,
  type ContactRow,
  change,
  changeOf,
  chatWith,
  ensureContact,
  foundContact,
  listContactsOfPerson,
  type Met,
} from "./contacts.ts";
import type { ConversationsEnv } from "./env.ts";

export { OPT_OUT_SOURCES } from "../../store/tables/conversations/contacts.ts";

/** A person's wish, and what recorded it. `word`: what the person wrote, or what the network reports of it. */
type Wish = { isOptedOut: boolean; by: OptOutSource; word: string | null; at: number };

/** The contacts of a person, in each of the chats that a network may have with the person. */
const listContactsOfAllChats = async (r: Reader, viewer: Viewer, who: Contact): Promise<ContactRow[]> => {
  const found = await listContactsOfPerson(r, viewer, who);
  if (who.type !== "uid") return found;
  const known = new Set(found.map(({ id }) => id));
  const ofChats = await listContactsByUid(r, viewer, personIdOf(who.canonicalKey.slice("uid:".length)));
  return [...found, ...ofChats.filter(({ id }) => !known.has(id))];
};

/** Whether a person wants no messages but answers. False for a group, and for a person without a contact. */
export const hasOptedOut = async (r: Reader, viewer: Viewer, who: Contact): Promise<boolean> =>
  !isMany(who) && (await listContactsOfAllChats(r, viewer, who)).some(({ optedOutAt }) => optedOutAt !== null);

/** How long what a person writes may be answered by a program that cannot say that it answers. */
const ANSWERED_MS = DAY_MS;

/** Whether a person wrote on a channel within the last day, and after their opt-out. Of live messages alone. */
export const hasWrittenSince = async (
  r: Reader,
  { tenantId, channelId, now }: TenantScope & { channelId: ChannelId; now: number },
  who: Contact,
): Promise<boolean> => {
  const contacts = await listContactsOfAllChats(r, { tenantId, environment: "live" }, who);
  const afterMs = Math.max(now - ANSWERED_MS, ...contacts.map(({ optedOutAt }) => optedOutAt ?? 0));
  for (const { id: contactId } of contacts) if (await hasWritten(r, { channelId, contactId }, afterMs)) return true;
  return false;
};

const AT_ONCE = 1000;

/** How many of these numbers belong to people who opted out. A part at a time, so that other work need not wait. */
export const countOptedOut = async (
  { db }: Pick<ConversationsEnv, "db">,
  viewer: Viewer,
  numbers: readonly string[],
): Promise<number> => {
  let count = 0;
  for (let done = 0; done < numbers.length; done += AT_ONCE) {
    const some = numbers.slice(done, done + AT_ONCE).map(numberKeysOf);
    const found = new Set(await db.read((reader) => listOptedOutAmong(reader, viewer, some.flat())));
    count += some.filter((keys) => keys.some((key) => found.has(key))).length;
    await othersServed();
  }
  return count;
};

/**
 * Stores a wish, and publishes it if it is new. A wish from before the opt-out does not end it. What a person says again
 * counts from then on; a request that is repeated changes nothing.
 */
const store = async (
  within: Change & { who: Contact },
  contact: ContactRow,
  { isOptedOut, by, word, at: saidAt }: Wish,
): Promise<ContactRow> => {
  const { optedOutAt } = contact;
  const at = Math.min(saidAt, within.env.clock.now()); // a network's clock may run ahead
  if (optedOutAt === null ? !isOptedOut : at < optedOutAt) return contact;
  if (optedOutAt !== null && isOptedOut)
    return by === "request" ? contact : change(within, contact, { optedOutAt: at, optedOutBy: by });
  const changed = await change(within, contact, {
    optedOutAt: isOptedOut ? at : null,
    optedOutBy: isOptedOut ? by : null,
  });
  await publish(within.env, within.tx, within.origin, {
    type: isOptedOut ? "contact.opted_out" : "contact.opted_in",
    contactId: changed.id,
    chat: within.who,
    by,
    word,
    at,
  });
  return changed;
};

/** Stores a wish, which a person has in all chats alike. Returns the given contact. */
const storeInAllChats = async (
  within: Change & { who: Contact },
  contact: ContactRow,
  wish: Wish,
): Promise<ContactRow> => {
  const changed = await store(within, contact, wish);
  for (const other of await listContactsOfAllChats(within.tx, within.origin, within.who)) {
    const chat = chatWith(other);
    if (other.id !== contact.id) await store({ ...within, chat, who: contactOfKey(chat) }, other, wish);
  }
  return changed;
};

/** Records what a person, or a network on the person's behalf, says. A missing contact is made. Groups have no wish. */
export const recordWish = async (
  env: PublishEnv,
  tx: Tx,
  origin: Met,
  { who, ...wish }: Wish & { who: Contact },
): Promise<void> => {
  if (isMany(who)) return;
  const { contact } = await ensureContact(env, tx, origin, { who, name: null });
  await storeInAllChats({ env, tx, origin, who, chat: who.canonicalKey }, contact, wish);
};

/**
 * Sets or ends the opt-out of a contact, on the request of a customer.
 * @throws AppError CONTACT_NOT_FOUND
 */
export const setOptOut = (
  env: ConversationsEnv,
  caller: Caller & Viewer,
  id: string,
  isOptedOut: boolean,
): Promise<ContactRow> =>
  env.db.write(async (tx) => {
    const contact = await foundContact(tx, caller, id);
    const within = { ...changeOf(env, tx, contact), who: contactOfKey(chatWith(contact)) };
    const changed = await storeInAllChats(within, contact, {
      isOptedOut,
      by: "request",
      word: null,
      at: env.clock.now(),
    });
    await recordAct(env, tx, caller, {
      action: isOptedOut ? "contact.opt-out" : "contact.opt-in",
      target: contact.id,
    });
    return changed;
  });
