import type { proto } from "@whiskeysockets/baileys";
import type { InboundContent } from "../../../../src/contract/content/inbound-content.ts";
import { type Card, readCards } from "../../../../src/kernel/texts/vcards.ts";

type Phone = { phone: string; wa_id?: string; type?: string };
type Contact = {
  name: { formatted_name: string };
  phones?: Phone[];
  emails?: { email: string }[];
  org?: { company: string };
};

/** Cards of people, in the shape of the official network. */
export const contactsOf = (cards: readonly proto.Message.IContactMessage[]): InboundContent | undefined =>
  cards.length > 0 ? { type: "contact", content: { contacts: cards.flatMap(contactsIn) } } : undefined;

/** Some programs put several cards into one. Without a card, the name that is shown is all that is known. */
const contactsIn = ({ displayName, vcard }: proto.Message.IContactMessage): Contact[] => {
  const [first = { name: "", phones: [], emails: [] }, ...others] = readCards(vcard ?? "");
  const name = others.length === 0 ? displayName || first.name : first.name || displayName || "";
  return [{ ...first, name }, ...others].map(contactOf);
};

const contactOf = ({ name, phones, emails, company }: Card): Contact => ({
  name: { formatted_name: name },
  ...(phones.length > 0 ? { phones: phones.map(phoneOf) } : {}),
  ...(emails.length > 0 ? { emails: emails.map((email) => ({ email })) } : {}),
  ...(company ? { org: { company } } : {}),
});

const phoneOf = ({ number, waId, type }: Card["phones"][number]): Phone => ({
  phone: number,
  ...(waId ? { wa_id: waId } : {}),
  ...(type ? { type } : {}),
});
