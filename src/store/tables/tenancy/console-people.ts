import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, insertNew, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";
import { forgetSessions, type PersonKey } from "./console-sessions.ts";

/**
 * The console's data of a person: their choices, and their second step of sign-in. `totp`: the sealed secret of their
 * authenticator app. `totpSince`: null until they have shown a code of it. `totpStep`: the time step of the last code,
 * which is good once. `recoveryCodes`: hashes of the unused ones.
 */
export const consolePeople = sqliteTable("console_people", {
  person: text().$type<PersonKey>().primaryKey(),
  language: text(),
  theme: text(),
  totp: text(),
  totpSince: integer("totp_since"),
  totpStep: integer("totp_step"),
  recoveryCodes: text("recovery_codes", { mode: "json" }).$type<string[]>().notNull().default([]),
});
export type ConsolePersonRow = typeof consolePeople.$inferSelect;

export const consolePeopleLaws = laws(consolePeople, {
  keeps: { group: "setup", setting: "none", rule: "until the operator or user is deleted", isSwept: false },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: { totp: "console_people:{person}:totp" },
  grows: { bound: "one per operator and user" },
  files: { recovery_codes: "holds no content of a message" },
  backup: "rows alone",
});

/** Passkeys of people. `publicKey`: base64url of the COSE key. `counter`: the counter of the last use. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    person: text().$type<PersonKey>().notNull(),
    name: text().notNull(),
    publicKey: text("public_key").notNull(),
    counter: integer().notNull(),
    transports: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (t) => [index("passkeys_by_person").on(t.person)],
);
export type PasskeyRow = typeof passkeys.$inferSelect;

export const passkeysLaws = laws(passkeys, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until it is deleted, or its operator or user is",
    isSwept: false,
  },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most 20 per operator and user" },
  files: { transports: "holds no content of a message" },
  backup: "rows alone",
});

const NONE = { language: null, theme: null, totp: null, totpSince: null, totpStep: null, recoveryCodes: [] };

type OfPerson = { person: PersonKey };
const byPerson = statement<ConsolePersonRow, OfPerson>(
  "SELECT * FROM console_people WHERE person = :person",
  columnsOf(consolePeople),
);

/** The stored data of a person. A person without a row has no choices and no second step. */
export const findConsolePerson = async (r: Reader, person: PersonKey): Promise<ConsolePersonRow> =>
  (await byPerson.get(r, { person })) ?? { person, ...NONE };

const insertPerson = insertInto(consolePeople, "ON CONFLICT (person) DO NOTHING");
const updatePerson = updateOf<typeof consolePeople, OfPerson>(consolePeople, "WHERE person = :person");

export const putConsolePerson = async (
  tx: Tx,
  person: PersonKey,
  changes: Partial<Omit<ConsolePersonRow, "person">>,
): Promise<void> => {
  forgetSessions(tx);
  insertPerson(tx, { person });
  await updatePerson(tx, changes, { person });
};

const PASSKEY = columnsOf(passkeys);

const passkeysOf = statement<PasskeyRow, OfPerson>(
  "SELECT * FROM passkeys WHERE person = :person ORDER BY created_at, id",
  PASSKEY,
);

/** In the order of their creation. Bound: 20 per person. */
export const listPasskeys = (r: Reader, person: PersonKey): Promise<PasskeyRow[]> => passkeysOf.all(r, { person });

const passkeyById = statement<PasskeyRow, { id: string }>("SELECT * FROM passkeys WHERE id = :id", PASSKEY);
export const findPasskey = (r: Reader, id: string): Promise<PasskeyRow | undefined> => passkeyById.get(r, { id });

/** False when the passkey is already known. */
export const insertPasskey: (tx: Tx, row: PasskeyRow) => Promise<boolean> = insertNew(passkeys);

type Used = Pick<PasskeyRow, "counter" | "lastUsedAt">;
const use = statement<never, Used & { id: string }>(
  "UPDATE passkeys SET counter = :counter, last_used_at = :lastUsedAt WHERE id = :id",
);

export const updatePasskey = async (tx: Tx, id: string, { counter, lastUsedAt }: Used): Promise<void> =>
  use.run(tx, { id, counter, lastUsedAt });

const removePasskey = statement<unknown, OfPerson & { id: string }>(
  "DELETE FROM passkeys WHERE id = :id AND person = :person RETURNING 1",
);

/** False when the person has no such passkey. */
export const deletePasskey = async (tx: Tx, person: PersonKey, id: string): Promise<boolean> =>
  (await removePasskey.all(tx, { person, id })).length > 0;

const removePasskeys = statement<never, OfPerson>("DELETE FROM passkeys WHERE person = :person");
const forgetSteps = statement<never, OfPerson>(
  `UPDATE console_people SET totp = NULL, totp_since = NULL, totp_step = NULL, recovery_codes = '[]'
    WHERE person = :person`,
);

/** Deletes all means of sign-in of a person besides the password. Their choices stay. */
export const deleteSecondSteps = async (tx: Tx, person: PersonKey): Promise<void> => {
  removePasskeys.run(tx, { person });
  forgetSteps.run(tx, { person });
};

const removePerson = statement<never, OfPerson>("DELETE FROM console_people WHERE person = :person");

export const deleteConsolePerson = async (tx: Tx, person: PersonKey): Promise<void> => {
  removePasskeys.run(tx, { person });
  removePerson.run(tx, { person });
};
