import type { Chat } from "../../../../../clients/typescript/src/generated/gateway.ts";

/** A number in people's form, or the id of a person without a number. */
export const addressOf = ({
  phoneNumber,
  canonicalKey,
}: {
  phoneNumber: string | null;
  canonicalKey: string;
}): string => (phoneNumber === null ? canonicalKey.replace(/^[a-z]+:/, "") : numberText(phoneNumber));

/** Such as "+55 11 98888-7777"; numbers of other countries keep their digits together. */
export const numberText = (digits: string): string => {
  const [, area, first, last] = /^55(\d\d)(\d{4,5})(\d{4})$/.exec(digits) ?? [];
  return area === undefined ? `+${digits}` : `+55 ${area} ${first}-${last}`;
};

/** The name of a chat. `deleted`: the words for a chat without its contact. */
export const nameOf = ({ contact }: Pick<Chat, "contact">, deleted: string): string =>
  contact === null ? deleted : (contact.name ?? addressOf(contact));

/** Up to two letters for a picture of a person: of the first and the last word. */
export const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return (
    [first, last]
      .map((word) => /[\p{L}\p{N}]/u.exec(word ?? "")?.[0] ?? "")
      .join("")
      .toUpperCase() || "?"
  );
};

/** TABLE: the tones of people's pictures. */
const TINTS = ["good", "busy", "warning", "bad", "neutral", "neutral"] as const;

/** The tone of a person's picture, the same at every visit. */
export const tintOf = (key: string): (typeof TINTS)[number] => {
  let sum = 0;
  for (const character of key) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return TINTS[sum % TINTS.length] ?? "neutral";
};

/** A recipient in the API's form, which has no plus before digits. */
export const recipientIn = (typed: string): string => typed.replace(/^\+(?=\d+$)/, "");
