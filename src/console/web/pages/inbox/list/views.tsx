import { account, session } from "../../../frame/session.ts";
import { number } from "../../../frame/texts/format.ts";
import { useAssignees, useCounts, VIEWS, type View } from "../data.ts";
import { inboxTexts } from "../texts.ts";

/** A count is exact below this number. */
const COUNTED_UP_TO = 1000;

/** The tabs of the inbox with their counts. Accounts with a team have the tabs of assignments. */
export const Views = ({ view, onView }: { view: string; onView: (view: View) => void }) => {
  const t = inboxTexts();
  const counts = useCounts();
  const hasTeam = useAssignees().length > 0;
  const isMember = session.value?.person.kind === "member";
  const numbers: Partial<Record<View, number>> = counts
    ? {
        open: counts.open,
        unread: counts.unread,
        mine: counts.assigned,
        unassigned: counts.unassigned,
        snoozed: counts.snoozed,
      }
    : {};
  const shown = VIEWS.filter((one) => (one === "mine" ? hasTeam && isMember : one === "unassigned" ? hasTeam : true));
  return (
    <div class="views" role="group" aria-label={t.views} key={account.value?.id}>
      {shown.map((one) => (
        <button type="button" key={one} aria-pressed={one === view} onClick={() => onView(one)}>
          {t.view[one]}
          {(numbers[one] ?? 0) > 0 && <span class="count">{countText(numbers[one] ?? 0)}</span>}
        </button>
      ))}
    </div>
  );
};

const countText = (count: number): string => (count >= COUNTED_UP_TO ? `${number(COUNTED_UP_TO - 1)}+` : number(count));
