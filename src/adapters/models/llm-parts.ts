import type { ChatMessage } from "../../contract/ports/llm.ts";

/** A part of a message as providers take it: https://developers.openai.com/api/docs/guides/images-vision */
type WirePart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };
export type WireContent = string | WirePart[];

/** What stands in place of a picture, so that the model can ask what it shows. */
const NAMED = "(A picture came with this message. You cannot see it.)";

/** A message's content for a provider. Without a picture to be shown it is one text, which every provider takes. */
export const wireContent = (content: ChatMessage["content"], pictures: "shown" | "named"): WireContent => {
  if (typeof content === "string") return content;
  const parts = content.map((part): WirePart => {
    if (part.type === "text") return part;
    if (pictures === "named") return { type: "text", text: NAMED };
    const { contentType, bytes } = part;
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    return { type: "image_url", image_url: { url: `data:${contentType};base64,${base64}` } };
  });
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.filter((text) => text.trim() !== "").join("\n\n") : filled(parts);
};

/** Providers refuse blank texts among the parts. */
const filled = (parts: readonly WirePart[]): WirePart[] =>
  parts.filter((part) => part.type !== "text" || part.text.trim() !== "");

export const isEmptyContent = (content: WireContent | null): boolean =>
  typeof content === "string" ? content.trim() === "" : content === null || content.length === 0;

const partsOf = (content: WireContent | null): WirePart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

/** Two contents of one role as one. */
export const joined = (one: WireContent | null, other: WireContent | null): WireContent =>
  typeof one === "string" && typeof other === "string" ? `${one}\n\n${other}` : [...partsOf(one), ...partsOf(other)];
