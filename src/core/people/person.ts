import { personIdOf } from "../../contract/events.ts";
import { hmacSha256 } from "../../kernel/crypto.ts";
import { invalid } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { asDigits, numberKeyOf, spellingsOf } from "../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../kernel/schema.ts";
import type { Reader } from "../../store/engine/db.ts";
import { listPeople, NAMES, type Names } from "../../store/tables/channels/identities.ts";
import { REDACTED, type Somebody } from "../../store/tables/table-laws.ts";
import type { PeopleEnv } from "./env.ts";

/** The person of one tenant, or of all tenants. */
export type Reach = TenantId | undefined;

const CANONICAL = new RegExp(`^(${NAMES.join("|")}):(.+)$`, "s");
const LONGEST_KEY = 200;
/** Fewer digits are neither a number nor an id, and would match too many texts. */
const DIGITS = /^\d{6,32}$/;
/** Rounds of following identifiers from channel to channel, until all of a person's identifiers are known. */
const MAX_ROUNDS = 10;

const badKey = () =>
  invalid(
    issue(
      "person",
      "pattern",
      "must be a number, a LID, a user id, a username that begins with @, or a canonical key such as pn:5511999990001",
    ),
  );

/**
 * The identifiers that a key may mean. Digits may be a phone number or another id.
 * @throws AppError VALIDATION.
 */
export const namesOfKey = (key: string): Names => {
  const text = key.trim();
  if (text.length > LONGEST_KEY) throw badKey();
  const [, kind, value = ""] = CANONICAL.exec(text) ?? [];
  const digits = asDigits((kind === undefined ? text : value).replaceAll(".", ""));
  if (kind === "username" || text.startsWith("@"))
    return { username: plausible((value || text).replace(/^@/, "").toLowerCase(), /^[\w.]{3,64}$/) };
  if (kind === "uid") return { uid: plausible(personIdOf(value), /^[\w.@+-]{1,140}$/) };
  if (kind === "bsuid" || kind === "parentBsuid") return { [kind]: plausible(value, /^[\w.-]{6,}$/) };
  if (kind !== undefined) return { [kind]: plausible(digits, DIGITS) };
  if (DIGITS.test(digits)) return { pn: digits, lid: digits, igsid: digits, uid: digits };
  const id = plausible(text, /^(?=.*[\d.])[\w.-]{6,}$/);
  return { bsuid: id, parentBsuid: id, uid: id };
};

const plausible = (value: string, pattern: RegExp): string => {
  if (!pattern.test(value)) throw badKey();
  return value;
};

/**
 * All identifiers of a person that the channels know, whichever of the person's chats they know it from. A username may
 * soon belong to another person, so it leads to no further identifiers.
 */
export const allNames = async (r: Reader, tenantId: Reach, first: Names): Promise<Names[]> => {
  let names = distinct([first, ...(first.pn === undefined ? [] : spellingsOf(first.pn).map((pn) => ({ pn })))]);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = (await listPeople(r, tenantId, names)).map(ofPerson);
    const merged = distinct([...names, ...found]);
    if (merged.length === names.length) break;
    names = merged;
  }
  return names;
};

/** The identifiers without the chat that the network knows them from. */
const ofPerson = (names: Names): Names => (names.uid === undefined ? names : { ...names, uid: personIdOf(names.uid) });

const distinct = (names: readonly Names[]): Names[] => [
  ...new Map(names.map((one) => [JSON.stringify(one), one])).values(),
];

const valuesOf = (all: readonly Names[], ...which: (keyof Names)[]): string[] => [
  ...new Set(all.flatMap((names) => which.flatMap((name) => names[name] ?? []))),
];
const anyOf = (values: readonly string[]): string =>
  values.length === 0 ? "(?!)" : values.map((value) => value.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&")).join("|");

/** A person as the rows of every table name them. */
export const somebody = (all: readonly Names[]): Somebody => {
  const digits = anyOf([...valuesOf(all, "pn").flatMap(spellingsOf), ...valuesOf(all, "lid", "igsid")]);
  const ids = anyOf(valuesOf(all, "bsuid", "parentBsuid", "uid"));
  const username = anyOf(valuesOf(all, "username"));
  // a canonical key, a number, or an address of a network, with or without a device or one of several chats
  const number = `(?:(?:pn|lid|igsid):)?\\+?(?:${digits})(?:[_:.]\\d+)*(?:@[\\w.]+)?`;
  const whole = `${number}|(?:bsuid:|parentBsuid:|uid:)?(?:${ids})(?:/[^"]*)?|username:@?(?:${username})`;
  const within = `(?<!\\d)(?:${digits})(?!\\d)|(?<![\\w.])(?:${ids})(?![\\w.])|username:(?:${username})\\b`;
  const [exact, quoted, inside] = [
    new RegExp(`^(?:${whole})$`),
    new RegExp(`"(?:${whole})"|"username":"@?(?:${username})"`),
    new RegExp(within),
  ];
  const holds = (pattern: RegExp) => (text: unknown) => typeof text === "string" && pattern.test(text);
  return {
    names: holds(exact),
    namesIn: holds(quoted),
    mentions: holds(inside),
    redact: (text) => text.replaceAll(new RegExp(within, "g"), REDACTED),
  };
};

/**
 * The person of an entry of the audit log, as a keyed hash. A reader with the person's number can find the entry; a
 * reader of the log alone cannot find the person.
 */
export const personHash = ({ secrets }: Pick<PeopleEnv, "secrets">, names: Names): string => {
  const name = names.pn === undefined ? JSON.stringify(names) : numberKeyOf(names.pn);
  return hmacSha256(secrets.derive("people"), name, "hex").slice(0, 32);
};
