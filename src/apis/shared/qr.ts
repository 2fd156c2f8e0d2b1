/** Drawing takes milliseconds, and clients ask for a code every second or two, so the last ones are cached. */
const KEPT = 256;
const drawn = new Map<string, Promise<string>>();

/** A QR code as a PNG, a base64 data URL. */
export const qrPng = (text: string): Promise<string> => {
  const known = drawn.get(text);
  if (known) return known;
  const png = draw(text);
  drawn.set(text, png);
  const [oldest] = drawn.keys();
  if (drawn.size > KEPT && oldest !== undefined) drawn.delete(oldest);
  return png;
};

/** The same PNG in base64 alone. */
export const qrPngBase64 = async (text: string): Promise<string> => (await qrPng(text)).replace(/^[^,]*,/, "");

/** A QR code for a terminal, two rows of modules per line. It sets its own colours, so that any theme is readable. */
export const qrTerminal = async (text: string): Promise<string> => {
  const { toString } = await library();
  const lines = await toString(text, { type: "terminal", small: true, errorCorrectionLevel: "L" });
  return lines.slice(0, lines.lastIndexOf("\n"));
};

const draw = async (text: string): Promise<string> => {
  const { toDataURL } = await library();
  return toDataURL(text);
};

/** Loaded with the first code, because most servers never draw one. */
const library = () => import("qrcode");
