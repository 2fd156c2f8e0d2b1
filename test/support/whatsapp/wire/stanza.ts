import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from "@whiskeysockets/baileys";

export type Stanza = BinaryNode;

/** A stanza; attributes without a value are left out. */
export const stanza = (
  tag: string,
  attrs: Record<string, string | undefined> = {},
  content?: Stanza["content"],
): Stanza => {
  const given = Object.fromEntries(
    Object.entries(attrs).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return content === undefined ? { tag, attrs: given } : { tag, attrs: given, content };
};

export const child = (of: Stanza | undefined, tag: string): Stanza | undefined => getBinaryNodeChild(of, tag);

export const children = (of: Stanza | undefined, tag: string): Stanza[] => getBinaryNodeChildren(of, tag);

export const firstChild = (of: Stanza): Stanza | undefined => (Array.isArray(of.content) ? of.content[0] : undefined);

/** The bytes of a child; throws without such a child. */
export const bytesOf = (of: Stanza | undefined, tag: string): Buffer => {
  const content = child(of, tag)?.content;
  if (!(content instanceof Uint8Array)) throw new Error(`<${of?.tag}> has no bytes in <${tag}>`);
  return Buffer.from(content);
};

/** The text of a stanza's content. */
export const textOf = (of: Stanza | undefined): string => {
  const content = of?.content;
  if (typeof content === "string") return content;
  return content instanceof Uint8Array ? Buffer.from(content).toString() : "";
};

/** All ids of a receipt. */
export const idsOf = (receipt: Stanza): string[] => [
  receipt.attrs["id"] ?? "",
  ...children(child(receipt, "list"), "item").map(({ attrs }) => attrs["id"] ?? ""),
];
