import type { Contact } from "../../../core/domain-event.ts";

/**
 * How this API names somebody: by the number; without a known number by the network's own id. Both are digits, and both
 * are accepted as `to`.
 */
export const waIdOf = ({ pn, canonicalKey }: Contact): string =>
  pn ?? canonicalKey.slice(canonicalKey.indexOf(":") + 1);

/** The network's id of a person within a business. Shown only where the network gave one. */
export const userIdOf = <Name extends string>({ bsuid }: Contact, name: Name): { [Key in Name]?: string } =>
  (bsuid === undefined ? {} : { [name]: bsuid }) as { [Key in Name]?: string };

/** An entry of `contacts`. Some programs refuse one without a name. */
export const contactEntry = (contact: Contact, name: string | null) => ({
  profile: { name: name || waIdOf(contact), ...(contact.username === undefined ? {} : { username: contact.username }) },
  wa_id: waIdOf(contact),
  ...userIdOf(contact, "user_id"),
});

/** Whether a chat is one of a group. This API has the chats of persons alone. */
export const isGroup = ({ type }: Contact): boolean => type === "group";
