import { and, asc, eq } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { laws } from "../table-laws.ts";
import { forgetSessions, type PersonKey } from "./console-sessions.ts";

/**
 * What the console keeps of a person: their choices, and their second step of sign-in. `totp`: the sealed secret of
 * their authenticator app. `totpSince`: null until they have shown a code of it. `totpStep`: the time step of the last
 * code, which is good once. `recoveryCodes`: hashes of the unused ones.
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
  keeps: { group: "setup", setting: "none", rule: "goes with its operator or user", isSwept: false },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: { totp: "console_people:{person}:totp" },
  grows: { bound: "one per operator and user" },
  files: { recovery_codes: "holds no content of a message" },
  backup: "rows alone",
});

/** Passkeys of people. `publicKey`: base64url of the COSE key. `counter`: that of the last use. */
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
    rule: "until they are deleted; goes with its operator or user",
    isSwept: false,
  },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most 20 per operator and user" },
  files: { transports: "holds no content of a message" },
  backup: "rows alone",
});

const NONE = { language: null, theme: null, totp: null, totpSince: null, totpStep: null, recoveryCodes: [] };

/** What is kept of a person; a person of whom nothing is kept has no choices and no second step. */
export const findConsolePerson = async (r: Reader, person: PersonKey): Promise<ConsolePersonRow> =>
  (await r.q.select().from(consolePeople).where(eq(consolePeople.person, person)).get()) ?? { person, ...NONE };

export const putConsolePerson = async (
  tx: Tx,
  person: PersonKey,
  changes: Partial<Omit<ConsolePersonRow, "person">>,
): Promise<void> => {
  forgetSessions(tx);
  await tx.q
    .insert(consolePeople)
    .values({ person, ...changes })
    .onConflictDoUpdate({ target: consolePeople.person, set: changes });
};

/** In the order of their creation. */
export const listPasskeys = (r: Reader, person: PersonKey): Promise<PasskeyRow[]> =>
  r.q.select().from(passkeys).where(eq(passkeys.person, person)).orderBy(asc(passkeys.createdAt), asc(passkeys.id));

export const findPasskey = (r: Reader, id: string): Promise<PasskeyRow | undefined> =>
  r.q.select().from(passkeys).where(eq(passkeys.id, id)).get();

/** False when the passkey is already known. */
export const insertPasskey = async (tx: Tx, row: PasskeyRow): Promise<boolean> =>
  (await tx.q.insert(passkeys).values(row).onConflictDoNothing().returning({ id: passkeys.id })).length > 0;

export const updatePasskey = async (
  tx: Tx,
  id: string,
  changes: Pick<PasskeyRow, "counter" | "lastUsedAt">,
): Promise<void> => void (await tx.q.update(passkeys).set(changes).where(eq(passkeys.id, id)));

/** False when the person has no such passkey. */
export const deletePasskey = async (tx: Tx, person: PersonKey, id: string): Promise<boolean> =>
  (
    await tx.q
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.person, person)))
      .returning({ id: passkeys.id })
  ).length > 0;

/** Deletes everything that a person signs in with besides the password. Their choices stay. */
export const deleteSecondSteps = async (tx: Tx, person: PersonKey): Promise<void> => {
  await tx.q.delete(passkeys).where(eq(passkeys.person, person));
  await tx.q
    .update(consolePeople)
    .set({ totp: null, totpSince: null, totpStep: null, recoveryCodes: [] })
    .where(eq(consolePeople.person, person));
};

export const deleteConsolePerson = async (tx: Tx, person: PersonKey): Promise<void> => {
  await tx.q.delete(passkeys).where(eq(passkeys.person, person));
  await tx.q.delete(consolePeople).where(eq(consolePeople.person, person));
};
