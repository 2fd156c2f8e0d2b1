import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import { statement } from "../../engine/statement.ts";
import type { Days } from "../billing/usage.ts";

/** The use of the server by an account, and its debt in cents. `overdue`: the part of the debt that is past due. */
export type AccountUse = {
  phones: number;
  connectedPhones: number;
  members: number;
  sent: number;
  received: number;
  owedCents: number;
  overdueCents: number;
};

type Part<Name extends keyof AccountUse> = { id: TenantId } & Pick<AccountUse, Name>;
type Ids = { ids: readonly TenantId[] };

const OF = "tenant_id IN (SELECT value FROM json_each(:ids))";
const phones = statement<Part<"phones" | "connectedPhones">, Ids>(
  `SELECT tenant_id AS id, count(*) AS phones,
    count(*) FILTER (WHERE state IN ('CONNECTED', 'RESTRICTED')) AS connectedPhones FROM channels WHERE ${OF}
    AND environment = 'live' GROUP BY tenant_id`,
);
const members = statement<Part<"members">, Ids>(
  `SELECT tenant_id AS id, count(*) AS members FROM members WHERE ${OF} GROUP BY tenant_id`,
);
const messages = statement<Part<"sent" | "received">, Ids & Days>(
  `SELECT tenant_id AS id, sum(sent) AS sent, sum(received) AS received FROM usage_days WHERE ${OF}
    AND day >= :from AND day < :to GROUP BY tenant_id`,
);
const owed = statement<Part<"owedCents" | "overdueCents">, Ids & { today: string }>(
  `SELECT tenant_id AS id, sum(total_cents) AS owedCents,
    coalesce(sum(total_cents) FILTER (WHERE due_date < :today), 0) AS overdueCents FROM invoices WHERE ${OF}
    AND status IN ('OPEN', 'ISSUED', 'OVERDUE') GROUP BY tenant_id`,
);

const NOTHING: AccountUse = {
  phones: 0,
  connectedPhones: 0,
  members: 0,
  sent: 0,
  received: 0,
  owedCents: 0,
  overdueCents: 0,
};

/**
 * The use of these accounts; messages of these days. `today` is a day, `YYYY-MM-DD`. Bound: one row per account of the
 * caller.
 */
export const readAccountUse = async (
  r: Reader,
  ids: readonly TenantId[],
  { days, today }: { days: Days; today: string },
): Promise<Map<TenantId, AccountUse>> => {
  const parts: Part<never>[] = [
    await phones.all(r, { ids }),
    await members.all(r, { ids }),
    await messages.all(r, { ids, ...days }),
    await owed.all(r, { ids, today }),
  ].flat();
  const uses = new Map(ids.map((id) => [id, { ...NOTHING }]));
  for (const { id, ...part } of parts) Object.assign(uses.get(id) ?? {}, part);
  return uses;
};
