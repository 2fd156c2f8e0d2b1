import type {
  AccountAuditEntry,
  AuditEntry,
  ListAuditEntriesQuery,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { admin, gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { account, isOperator } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Pager } from "../../parts/lists/filters.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Loaded, Notice } from "../../parts/states.tsx";
import { EntryTable } from "./entries.tsx";
import { AuditFilters, DEFAULTS } from "./filters.tsx";
import { auditTexts } from "./texts.ts";

export type Entry = AccountAuditEntry & Partial<Pick<AuditEntry, "hash">>;

/** The local midnight of a day, or the one after it. */
const midnight = (day: string, after: 0 | 1): string | undefined => {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined || Number.isNaN(year + month + date))
    return undefined;
  return new Date(year, month - 1, date + after).toISOString();
};

/** Leaves out what is empty. */
const given = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== "")) as Values;

/** The audit log: of all accounts for operators, of their own for members. */
export const AuditPage = () => {
  const t = auditTexts();
  const [filters, change] = useFilters(DEFAULTS);
  const { search, action, of, since, until, cursor } = filters;
  const asked = given({
    search,
    action: action as ListAuditEntriesQuery["action"],
    since: midnight(since, 0),
    until: midnight(until, 1),
    cursor,
    limit: 50,
  });
  const query = useQuery(
    `audit ${JSON.stringify([asked, of])}`,
    async (): Promise<{ items: readonly Entry[]; nextCursor: string | null }> =>
      isOperator.value
        ? admin.audit.list({ ...asked, ...given({ tenantId: of === "chosen" ? account.value?.id : undefined }) }).page()
        : gateway.audit.listAccountEntries(asked).page(),
    { everyMs: 20_000 },
  );
  return (
    <>
      <PageHeader title={pageNames().audit} lead={t.lead} />
      <AuditFilters filters={filters} change={change} />
      <Loaded query={query} lines={10}>
        {({ items, nextCursor }) => (
          <>
            {items.length > 0 && <EntryTable entries={items} />}
            {items.length === 0 &&
              (nextCursor === null ? <Empty title={t.empty} hint={t.emptyHint} /> : <Notice>{t.continues}</Notice>)}
            <Pager cursor={cursor} nextCursor={nextCursor} onCursor={(next) => change({ cursor: next })} />
          </>
        )}
      </Loaded>
    </>
  );
};
