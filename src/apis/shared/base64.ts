import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";

/**
 * The bytes of a base64 text. Only of the alphabet, because a decoder would drop other characters and give another file
 * than was meant.
 * @throws AppError VALIDATION, naming `field`
 */
export const base64Bytes = (field: string, base64: string): Uint8Array => {
  const bytes = Buffer.from(base64, "base64");
  const isWhole = Math.abs(bytes.length - (lengthOf(base64) * 3) / 4) < 1;
  if (!isWhole || bytes.length === 0) throw invalid(issue(field, "format", "must be base64"));
  return new Uint8Array(bytes);
};

/** Without the padding at the end. A pattern for it would look at each `=` again and again. */
const lengthOf = (base64: string): number => {
  let length = base64.length;
  while (base64[length - 1] === "=") length -= 1;
  return length;
};
