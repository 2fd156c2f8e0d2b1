import { emailKeysOf } from "../../../kernel/texts/emails.ts";
import type { Reader } from "../../../store/engine/db.ts";
import { findOperatorByEmail, type OperatorRow } from "../../../store/tables/tenancy/operators.ts";
import { findUserByEmail, type UserRow } from "../../../store/tables/tenancy/users.ts";

/** The first row that is found under a key of the mailbox. Rows of earlier versions have keys of other forms. */
const firstBy = async <Row>(
  email: string,
  find: (key: string) => Promise<Row | undefined>,
): Promise<Row | undefined> => {
  for (const key of emailKeysOf(email)) {
    const found = await find(key);
    if (found) return found;
  }
  return undefined;
};

/** The user of a mailbox, however its address is spelled. */
export const userWithEmail = (r: Reader, email: string): Promise<UserRow | undefined> =>
  firstBy(email, (key) => findUserByEmail(r, key));

/** The operator of a mailbox, however its address is spelled. */
export const operatorWithEmail = (r: Reader, email: string): Promise<OperatorRow | undefined> =>
  firstBy(email, (key) => findOperatorByEmail(r, key));
