import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";

/**
 * The bytes of a base64 text. Only of the alphabet, because a decoder would drop other characters and give another file
 * than was meant.
 * @throws AppError VALIDATION, naming `field`
 */
export const base64Bytes = (field: string, base64: string): Uint8Array => {
  const bytes = Buffer.from(base64, "base64");
  const isWhole = Math.abs(bytes.length - (base64.replace(/=+$/, "").length * 3) / 4) < 1;
  if (!isWhole || bytes.length === 0) throw invalid(issue(field, "format", "must be base64"));
  return new Uint8Array(bytes);
};
