import { useId } from "preact/hooks";
import { isOperator } from "../../frame/session.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { FilterSearch, FilterSelect, Filters } from "../../parts/lists/filters.tsx";
import { actionTexts } from "./actions.ts";
import { auditTexts } from "./texts.ts";

export const DEFAULTS = { search: "", action: "", of: "", since: "", until: "", cursor: "" };
type Chosen = typeof DEFAULTS;

const FilterDay = ({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) => {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    </div>
  );
};

/** What narrows the audit log down; the address has it. */
export const AuditFilters = ({ filters, change }: { filters: Chosen; change: (to: Partial<Chosen>) => void }) => {
  const t = auditTexts();
  const actions = Object.entries(actionTexts()).toSorted(([, a], [, b]) => a.localeCompare(b));
  return (
    <Filters>
      <FilterSearch label={t.search} value={filters.search} onChange={(search) => change({ search })} />
      <FilterSelect
        label={t.action}
        value={filters.action}
        options={[["", frameTexts().all], ...actions]}
        onChange={(action) => change({ action })}
      />
      {isOperator.value && (
        <FilterSelect
          label={t.account}
          value={filters.of}
          options={[
            ["", t.every],
            ["chosen", t.chosen],
          ]}
          onChange={(of) => change({ of })}
        />
      )}
      <FilterDay label={t.since} value={filters.since} onChange={(since) => change({ since })} />
      <FilterDay label={t.until} value={filters.until} onChange={(until) => change({ until })} />
    </Filters>
  );
};
