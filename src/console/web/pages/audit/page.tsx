import type {
  AccountAuditEntry,
  AuditEntry,
  ListAccountAuditEntriesQuery,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { admin, gateway } from "../../frame/requests/client.ts";
import type { RowPage } from "../../frame/requests/endless-page.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { account, isOperator } from "../../frame/session.ts";
import { ListPage } from "../../parts/lists/list.tsx";
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

/** The audit log: of all accounts for operators, of their own for members. */
export const AuditPage = () => {
  const t = auditTexts();
  const list = useListState(DEFAULTS);
  const { search, action, of, since, until, cursor } = list.filters;
  const asked = given<ListAccountAuditEntriesQuery>({
    search,
    action,
    since: midnight(since, 0),
    until: midnight(until, 1),
    cursor,
    limit: 50,
  });
  const query = useQuery(
    `audit ${JSON.stringify([asked, of])}`,
    (): Promise<RowPage<Entry>> =>
      isOperator.value
        ? admin.audit.list({ ...asked, tenantId: of === "chosen" ? account.value?.id : undefined }).page()
        : gateway.audit.listAccountEntries(asked).page(),
    { everyMs: 20_000 },
  );
  return (
    <ListPage
      name="audit"
      lead={t.lead}
      state={list}
      filters={<AuditFilters list={list} />}
      query={query}
      lines={10}
      draw={(entries) => <EntryTable entries={entries} />}
      empty={{ title: t.empty, hint: t.emptyHint }}
    />
  );
};
