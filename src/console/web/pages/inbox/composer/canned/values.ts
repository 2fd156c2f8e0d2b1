import type { Contact } from "../../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../../frame/requests/client.ts";
import { session } from "../../../../frame/session.ts";
import type { Chat } from "../../data.ts";
import { filled, firstNameOf, variablesIn } from "./variables.ts";

type Known = Pick<Contact, "name" | "phoneNumber"> & Partial<Pick<Contact, "email" | "metadata">>;

const isShort = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

/** The values of the variables: of the person, of the colleague who writes, and of the phone. */
const valuesOf = (contact: Known | null, phone: string): Map<string, string> => {
  const agent = session.peek()?.person.name ?? "";
  const name = contact?.name ?? "";
  const own = Object.entries(contact?.metadata ?? {}).flatMap(([key, value]) =>
    isShort(value) ? [[`contact.${key}`, String(value)] as const] : [],
  );
  return new Map([
    ...own,
    ["contact.name", name],
    ["contact.firstName", firstNameOf(name)],
    ["contact.phoneNumber", contact?.phoneNumber ?? ""],
    ["contact.email", contact?.email ?? ""],
    ["agent.name", agent],
    ["agent.firstName", firstNameOf(agent)],
    ["phone.name", phone],
  ]);
};

/** The variables of a person whose values the chat itself has. */
const OF_CHAT = ["contact.name", "contact.firstName", "contact.phoneNumber"];

/** A reply with the values of its variables. The contact is asked for only if the chat does not have them. */
export const replyFor = async (text: string, { contact }: Chat, phone: string): Promise<string> => {
  const isMissing = variablesIn(text).some((name) => name.startsWith("contact.") && !OF_CHAT.includes(name));
  const known = contact !== null && isMissing ? await gateway.contacts.get(contact.id).catch(() => contact) : contact;
  return filled(text, valuesOf(known, phone));
};
