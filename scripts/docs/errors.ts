// The error codes of both APIs as the parts of docs/errors.md.
import { ERROR_MAP as GATEWAY_CORE, OWN as GATEWAY_OWN } from "../../src/apis/gateway/errors.ts";
import { ERROR_MAP as PLATFORM_CORE, OWN as PLATFORM_OWN } from "../../src/apis/platform/errors.ts";
import { phoneWords } from "../../src/apis/shared/channel-words.ts";
import { CORE_CODES, type CoreCode } from "../../src/kernel/errors.ts";
import { CORE_TEXTS, OWN_TEXTS } from "./error-texts.ts";

type OwnCode = keyof typeof OWN_TEXTS;
type Tables = {
  ofCore: Readonly<Record<CoreCode, readonly [status: number, code: string]>>;
  own: readonly (readonly [code: OwnCode, status: number, means: string])[];
  inWords(text: string): string;
};
type Row = { code: string; status: number; means: string; toDo: string };

const rowsOf = ({ ofCore, own, inWords }: Tables): Row[] => [
  ...CORE_CODES.map((one) => {
    const [status, code] = ofCore[one];
    const [means, toDo] = CORE_TEXTS[one];
    return { code, status, means: inWords(means), toDo: inWords(toDo) };
  }),
  ...own.map(([code, status, means]) => ({ code, status, means, toDo: OWN_TEXTS[code] })),
];

/** One line per code, status and meaning, by code. */
const tableOf = (tables: Tables): string => {
  const lines = rowsOf(tables)
    .toSorted((a, b) => (a.code === b.code ? a.status - b.status : a.code < b.code ? -1 : 1))
    .map(({ code, status, means, toDo }) => `| \`${code}\` | ${status} | ${means} | ${toDo} |`);
  return ["| Code | Status | What it means | What to do |", "|---|---|---|---|", ...new Set(lines)].join("\n");
};

const ownOf = <Code extends OwnCode>(own: Readonly<Record<Code, readonly [number, string]>>): Tables["own"] =>
  // the keys of the table
  (Object.entries(own) as [Code, readonly [number, string]][]).map(([code, [status, means]]) => [code, status, means]);

/** The codes of the gateway API. */
export const gatewayErrors = (): string =>
  tableOf({ ofCore: GATEWAY_CORE, own: ownOf(GATEWAY_OWN), inWords: phoneWords });

/** The codes of the platform API. */
export const platformErrors = (): string =>
  tableOf({ ofCore: PLATFORM_CORE, own: ownOf(PLATFORM_OWN), inWords: (text) => text });
