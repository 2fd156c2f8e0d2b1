/** Drawing takes milliseconds, and a code is asked for every second or two: the last ones are kept. */
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

/** The library is loaded with the first code: most servers never draw one. */
const draw = async (text: string): Promise<string> => {
  const { toDataURL } = await import("qrcode");
  return toDataURL(text);
};
