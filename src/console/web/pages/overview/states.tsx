import { href } from "../../frame/base.ts";
import { number } from "../../frame/texts/format.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { Card } from "../../parts/layout.tsx";
import type { NowQuery } from "./queries.ts";
import { overviewTexts } from "./texts.ts";

type StateName = keyof ReturnType<typeof overviewTexts>["stateNames"];

/** TABLE: the states of phones in the order of the bar, with their tones. */
const STATES: readonly (readonly [StateName, BadgeTone])[] = [
  ["CONNECTED", "good"],
  ["RESTRICTED", "warning"],
  ["CONNECTING", "busy"],
  ["PENDING", "busy"],
  ["PENDING_QR", "busy"],
  ["PENDING_WEBHOOK", "busy"],
  ["DISCONNECTED", "bad"],
  ["TOKEN_EXPIRED", "bad"],
  ["FAILED", "bad"],
];

/** The phones of the account by their states: a bar, and each state with its number. */
export const StatesCard = ({ now: { data } }: { now: NowQuery }) => {
  const t = overviewTexts();
  if (!data) return null;
  const countOf = (state: StateName): number =>
    data.phones.reduce((total, { status, count }) => total + (status === state ? count : 0), 0);
  const shown = STATES.map(([state, tone]) => ({ state, tone, count: countOf(state) })).filter(
    ({ count }) => count > 0,
  );
  return (
    <Card title={t.states}>
      {shown.length === 0 ? (
        <p class="soft">{t.statesNone}</p>
      ) : (
        <>
          <div class="overview-states" aria-hidden="true">
            {shown.map(({ state, tone, count }) => (
              <span key={state} class={tone} style={{ flexGrow: count }} />
            ))}
          </div>
          <ul class="overview-list">
            {shown.map(({ state, tone, count }) => (
              <li key={state}>
                <a href={href(`/phones?status=${state}`)}>
                  <Badge tone={tone}>{t.stateNames[state]}</Badge>
                </a>
                <b>{number(count)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
};
