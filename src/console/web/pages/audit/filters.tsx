import { useId } from "preact/hooks";
import type { ListState } from "../../frame/address.ts";
import { isOperator } from "../../frame/session.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { actionTexts } from "./actions.ts";
import { auditTexts } from "./texts.ts";

export const DEFAULTS = { search: "", action: "", of: "", since: "", until: "", cursor: "" };

const FilterDay = ({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) => {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    </div>
  );
};

/** The filters of the audit log, which the address keeps. */
export const AuditFilters = ({ list: { field } }: { list: ListState<typeof DEFAULTS> }) => {
  const t = auditTexts();
  const actions = Object.entries(actionTexts()).toSorted(([, a], [, b]) => a.localeCompare(b));
  return (
    <>
      <FilterSearch label={t.search} {...field("search")} />
      <FilterSelect label={t.action} {...field("action")} options={[["", frameTexts().all], ...actions]} />
      {isOperator.value && (
        <FilterSelect
          label={t.account}
          {...field("of")}
          options={[
            ["", t.every],
            ["chosen", t.chosen],
          ]}
        />
      )}
      <FilterDay label={t.since} {...field("since")} />
      <FilterDay label={t.until} {...field("until")} />
    </>
  );
};
