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

/**
 * A QR code drawn for a terminal, two rows of modules to a line, in colours of its own: a camera reads it whatever the
 * terminal's are.
 */
export const qrTerminal = async (text: string): Promise<string> => {
  const { toString } = await library();
  const lines = await toString(text, { type: "terminal", small: true, errorCorrectionLevel: "L" });
  return lines.slice(0, lines.lastIndexOf("\n"));
};

const draw = async (text: string): Promise<string> => {
  const { toDataURL } = await library();
  return toDataURL(text);
};

/** Loaded with the first code: most servers never draw one. */
const library = () => import("qrcode");
