import { seededFile } from "../media/seeded-file.ts";
import type { Fields } from "../shape.ts";
import type { PhoneNumber, State } from "../state.ts";
import type { HistoryContent } from "./seeds.ts";

/** The number in the form of messages: without plus, spaces and dashes. */
export const digitsOf = ({ seed }: PhoneNumber): string => seed.displayPhoneNumber.replace(/\D/g, "");

/** `type` of a message of the business app, and its object; undefined fields are left out on the wire. */
export const contentOf = (state: State, number: PhoneNumber, content: HistoryContent): Fields => {
  if (content.kind === "text") return { type: "text", text: { body: content.text } };
  if (content.kind === "other") return { type: content.type, [content.type]: content.content };
  const { type, caption, filename, ...file } = content;
  return {
    type,
    [type]: {
      caption,
      filename,
      ...seededFile(state, { ...file, kind: type, phoneNumberId: number.seed.phoneNumberId }),
    },
  };
};
