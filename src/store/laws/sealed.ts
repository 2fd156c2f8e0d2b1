import type { Reader, Tx } from "../engine/db.ts";
import { noteSubscriptionChange } from "../tables/events/subscriptions.ts";

/**
 * TABLE: every column with sealed texts. `row`: SQL for the name of the row that a text is bound to, the same as at its
 * sealing.
 */
export const SEALED: readonly { table: string; column: string; row: string }[] = [
  { table: "vault", column: "sealed", row: "'vault:' || channel_id || ':' || field" },
  { table: "key_rows", column: "sealed", row: "'ring:' || channel_id || ':' || kind || ':' || id" },
  { table: "cached_messages", column: "sealed", row: "'copy:' || channel_id || ':' || provider_message_id" },
  { table: "subscriptions", column: "secret", row: "'subscriptions:' || id || ':secret'" },
  { table: "subscriptions", column: "previous_secret", row: "'subscriptions:' || id || ':secret'" },
  { table: "subscriptions", column: "sealed_url", row: "'subscriptions:' || id || ':sealed_url'" },
  { table: "subscriptions", column: "headers", row: "'subscriptions:' || id || ':headers'" },
  { table: "mails", column: "sealed_body", row: "'mails:' || id || ':sealed_body'" },
  { table: "keyed_requests", column: "sealed", row: "'keyed_requests:' || id || ':sealed'" },
  { table: "console_people", column: "totp", row: "'console_people:' || person || ':totp'" },
  { table: "billing_customers", column: "cpf_cnpj", row: "'billing_customers:' || tenant_id || ':cpf_cnpj'" },
  { table: "llm_settings", column: "key", row: "'llm_settings:' || tenant_id || ':key'" },
];

/** SQL for the id of the key that sealed a text. */
export const keyIdIn = (column: string): string => `substr(${column}, 3, 8)`;

/** A sealed text with its row's name and its rowid. */
export type SealedText = { at: number; row: string; sealed: string };

const select = ({ table, column, row }: (typeof SEALED)[number], where: string): string =>
  `SELECT rowid AS at, ${row} AS row, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL AND ${where}`;

/** One text of each column that has any. */
export const sampleSealed = async (r: Reader): Promise<(SealedText & { table: string })[]> => {
  const found = await Promise.all(
    SEALED.map(async (place) =>
      (await r.rows<SealedText>(`${select(place, "1")} LIMIT 1`)).map((one) => ({ ...one, table: place.table })),
    ),
  );
  return found.flat();
};

/** A column's texts after `at` that another key sealed. */
export const listSealedByOthers = (
  r: Reader,
  place: (typeof SEALED)[number],
  { keyId, after, limit }: { keyId: string; after: number; limit: number },
): Promise<SealedText[]> =>
  r.rows<SealedText>(`${select(place, `rowid > ?1 AND ${keyIdIn(place.column)} <> ?2`)} ORDER BY rowid LIMIT ?3`, [
    after,
    keyId,
    limit,
  ]);

/** Replaces a text, unless it has changed meanwhile. */
export const replaceSealed = (
  tx: Tx,
  { table, column }: (typeof SEALED)[number],
  { at, sealed, by }: Pick<SealedText, "at" | "sealed"> & { by: string },
): void => {
  tx.run(`UPDATE ${table} SET ${column} = ?1 WHERE rowid = ?2 AND ${column} = ?3`, [by, at, sealed]);
  if (table === "subscriptions") noteSubscriptionChange(tx);
};

/** Whether this key has sealed anything; with `isOther`, whether another key has. */
export const hasSealed = async (r: Reader, keyId: string, { isOther }: { isOther: boolean }): Promise<boolean> => {
  const exists = SEALED.map(
    ({ table, column }) =>
      `EXISTS (SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND ${keyIdIn(column)} ${isOther ? "<>" : "="} ?1)`,
  );
  const [found] = await r.rows<{ has: number }>(`SELECT ${exists.join(" OR ")} AS has`, [keyId]);
  return found?.has === 1;
};
