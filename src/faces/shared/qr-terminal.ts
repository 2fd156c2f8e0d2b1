import { toString } from "qrcode";

/** A QR code drawn for a terminal, two rows of modules to a line, in colours of its own: a camera reads it whatever the terminal's are. */
export const qrTerminal = async (text: string): Promise<string> => {
  const drawn = await toString(text, { type: "terminal", small: true, errorCorrectionLevel: "L" });
  return drawn.slice(0, drawn.lastIndexOf("\n"));
};
