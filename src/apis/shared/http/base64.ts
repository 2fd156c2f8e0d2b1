import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { bytesOfBase64 } from "../../../kernel/texts/base64.ts";

/**
 * The bytes of a base64 text, which may have several lines.
 * @throws AppError VALIDATION for any other text and an empty one, naming `field`
 */
export const base64Bytes = (field: string, base64: string): Uint8Array => {
  const bytes = bytesOfBase64(base64);
  if (bytes === undefined || bytes.length === 0) throw invalid(issue(field, "format", "must be base64"));
  return bytes;
};
