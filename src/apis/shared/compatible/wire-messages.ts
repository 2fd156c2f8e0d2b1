import { isFile } from "../../../contract/content/inbound-content.ts";
import { type Json, listOf, recordOf } from "../../../kernel/texts/json.ts";
import { type Card, writeCard } from "../../../kernel/texts/vcards.ts";

/** The content of a message, received or sent. */
export type Said = { type: string; content: unknown };

/** A message's content under the name that phones give it, which is `messageType` too. */
export type WireMessage = { messageType: string; message: Record<string, unknown> };

const named = (messageType: string, fields: Json): WireMessage => ({
  messageType,
  message: { [messageType]: fields },
});

/** A text; undefined for any other value. */
export const wordIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A card with the known details of the person, as phones exchange it: one that was sent, or one that came. */
const cardOf = (contact: unknown): { displayName: string; vcard: string } => {
  const { name, phone, phones, email, emails, org, vcard } = recordOf(contact);
  const displayName = wordIn(name) ?? wordIn(recordOf(name)["formatted_name"]) ?? "";
  if (typeof vcard === "string") return { displayName, vcard };
  const sent = { phone, wa_id: wordIn(phone)?.replaceAll(/\D/g, ""), type: "CELL" };
  const company = wordIn(recordOf(org)["company"]);
  return {
    displayName,
    vcard: writeCard({
      name: displayName,
      phones: (phone === undefined ? listOf(phones) : [sent]).map(phoneOf),
      emails: (email === undefined ? listOf(emails).map((one) => recordOf(one)["email"]) : [email]).flatMap(
        (one) => wordIn(one) ?? [],
      ),
      ...(company === undefined ? {} : { company }),
    }),
  };
};

const phoneOf = (phone: unknown): Card["phones"][number] => {
  const { phone: number, wa_id: id, type } = recordOf(phone);
  const [waId, use] = [wordIn(id), wordIn(type)];
  return {
    number: wordIn(number) ?? "",
    ...(waId === undefined ? {} : { waId }),
    ...(use === undefined ? {} : { type: use }),
  };
};

const contactsOf = (contacts: unknown): WireMessage => {
  const cards = (Array.isArray(contacts) ? contacts : []).map(cardOf);
  const [first] = cards;
  return cards.length === 1 && first
    ? named("contactMessage", first)
    : named("contactsArrayMessage", { displayName: `${cards.length} contacts`, contacts: cards });
};

const fileOf = (type: string, { mimeType, caption, filename, ptt, voice, mediaUrl }: Json): WireMessage =>
  named(`${type}Message`, {
    ...(mediaUrl === undefined ? {} : { url: mediaUrl }),
    ...(mimeType === undefined ? {} : { mimetype: mimeType }),
    ...(caption === undefined ? {} : { caption }),
    ...(filename === undefined ? {} : { fileName: filename }),
    ...(type === "audio" ? { ptt: ptt === true || voice === true } : {}),
  });

/** TABLE: the shape of each content as phones exchange it. A content without such a shape keeps its own name. */
const SHAPES: Record<string, (content: Json) => WireMessage> = {
  text: ({ text }) => ({ messageType: "conversation", message: { conversation: text } }),
  location: ({ latitude, longitude, name, address }) =>
    named("locationMessage", { degreesLatitude: latitude, degreesLongitude: longitude, name, address }),
  contact: ({ contacts }) => contactsOf(contacts),
  poll: ({ question, options, maxSelections = 1 }) =>
    named("pollCreationMessage", {
      name: question,
      options: (options as string[]).map((optionName) => ({ optionName })),
      selectableOptionsCount: maxSelections,
    }),
  template: ({ name }) => ({ messageType: "conversation", message: { conversation: `▶️${wordIn(name) ?? ""}◀️` } }),
  button: ({ text, footer, buttons }) =>
    named("buttonsMessage", {
      contentText: text,
      footerText: footer,
      buttons: (buttons as { id: string; text: string }[]).map((one) => ({
        buttonId: one.id,
        buttonText: { displayText: one.text },
      })),
    }),
  list: ({ text, footer, buttonText, sections }) =>
    named("listMessage", { description: text, footerText: footer, buttonText, sections }),
  button_reply: ({ selectedId, text }) =>
    named("buttonsResponseMessage", { selectedButtonId: selectedId, selectedDisplayText: text }),
};

/** A content as phones exchange it, which programs of other APIs read. */
export const wireMessage = ({ type, content }: Said): WireMessage => {
  const fields = recordOf(content);
  if (isFile({ type, content } as Parameters<typeof isFile>[0])) return fileOf(type, fields);
  return SHAPES[type]?.(fields) ?? { messageType: type, message: { [type]: fields } };
};
