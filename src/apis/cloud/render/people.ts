import { type Contact, isMany } from "../../../core/domain-event.ts";

/**
 * This API's name for a person: the number, or the network's own id if the number is unknown. Both are digits, and both
 * are accepted as `to`.
 */
export const waIdOf = ({ pn, canonicalKey }: Contact): string =>
  pn ?? canonicalKey.slice(canonicalKey.indexOf(":") + 1);

/** The network's id of a person within a business. Shown only if the network gave it. */
export const userIdOf = <Name extends string>({ bsuid }: Contact, name: Name): { [Key in Name]?: string } =>
  (bsuid === undefined ? {} : { [name]: bsuid }) as { [Key in Name]?: string };

/** An entry of `contacts`. Some programs refuse an entry without a name. */
export const contactEntry = (contact: Contact, name: string | null) => ({
  profile: { name: name || waIdOf(contact), ...(contact.username === undefined ? {} : { username: contact.username }) },
  wa_id: waIdOf(contact),
  ...userIdOf(contact, "user_id"),
});

/** Whether a chat belongs to many people. This API has only the chats of persons. */
export const isGroup = (contact: Contact): boolean => isMany(contact);
