import { ERROR_MAP as GATEWAY } from "../../src/apis/gateway/errors.ts";
import { ERROR_MAP as PLATFORM } from "../../src/apis/platform/errors.ts";
import { CORE_CODES } from "../../src/kernel/errors.ts";

const shown = ([status, code]: readonly [status: number, code: string]): string => `${status} ${code}`;

/**
 * The rows of `npm run list -- errors`: each code of the core with its form in both APIs. The first row has the names
 * of the columns.
 */
export const errorRows = (): string[][] => [
  ["code", "gateway", "platform"],
  ...CORE_CODES.map((code) => [code, shown(GATEWAY[code]), shown(PLATFORM[code])]),
];
