import { SlidersHorizontal } from "lucide-preact";
import { FilterSearch, FilterSelect } from "../../../parts/lists/filters.tsx";
import { type InboxFilters, useAssignees } from "../data.ts";
import { workTexts } from "../work/texts.ts";

/** TABLE: the hours without an answer that people look for. */
const WAITS = [1, 4, 8, 24, 72] as const;

type MoreProps = { filters: InboxFilters; change: (changed: Partial<InboxFilters>) => void };

/** The filters that are not always needed: colleague, time without an answer, tag. */
export const MoreFilters = ({ filters: { view, assignee, wait, tag }, change }: MoreProps) => {
  const t = workTexts();
  const members = useAssignees();
  // these tabs say whose chats they show
  const hasAssignee = members.length > 0 && view !== "mine" && view !== "unassigned";
  const set = [hasAssignee ? assignee : "", wait, tag].filter((value) => value !== "").length;
  return (
    <details class="more-filters" open={set > 0}>
      <summary>
        <SlidersHorizontal size={15} aria-hidden="true" /> {t.filters}
        {set > 0 && <span class="count">{set}</span>}
      </summary>
      {hasAssignee && (
        <FilterSelect
          label={t.colleague}
          value={assignee}
          options={[
            ["", t.everybody],
            ["nobody", t.nobody],
            ...members.map(({ userId, name }) => [userId, name] as const),
          ]}
          onChange={(value) => change({ assignee: value })}
        />
      )}
      <FilterSelect
        label={t.waits}
        value={wait}
        options={[["", t.any], ...WAITS.map((hours) => [String(hours), t.forHours(hours)] as const)]}
        onChange={(value) => change({ wait: value })}
      />
      <FilterSearch label={t.tag} value={tag} onChange={(value) => change({ tag: value })} />
    </details>
  );
};
