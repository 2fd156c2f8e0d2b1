import type { proto } from "@whiskeysockets/baileys";

const OPAQUE = 0xff00_0000;

/** A colour such as `#25D366` as the network writes it; undefined for any other text. */
const argbOf = (colour: string | undefined): number | undefined =>
  colour !== undefined && /^#[\dA-Fa-f]{6}$/.test(colour) ? OPAQUE + Number.parseInt(colour.slice(1), 16) : undefined;

/** A text or voice note with the background and the font that its sender chose. */
export const inColours = (
  message: proto.IMessage,
  { backgroundColor, font }: Readonly<Record<string, string>>,
): proto.IMessage => {
  const backgroundArgb = argbOf(backgroundColor);
  const coloured = backgroundArgb === undefined ? {} : { backgroundArgb };
  const { extendedTextMessage: text, audioMessage: voice } = message;
  if (text) {
    const style = { textArgb: 0xffff_ffff, ...coloured, ...(font === undefined ? {} : { font: Number(font) }) };
    return { ...message, extendedTextMessage: { ...text, ...style } };
  }
  return voice ? { ...message, audioMessage: { ...voice, ...coloured } } : message;
};
