import type { OwnAccount, Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { bytes, dateTime, number } from "../../frame/texts/format.ts";
import { Bar, Card } from "../../parts/layout.tsx";
import { InSteps } from "../../parts/lists/in-steps.tsx";
import { limitsToShow } from "./range.ts";
import { overviewTexts } from "./texts.ts";

const isNamed = (name: string, names: object): name is keyof typeof names => Object.hasOwn(names, name);

/** The account's use of its limits, and of this minute's rates. */
export const LimitsCard = ({ account: { limits, rates } }: { account: OwnAccount }) => {
  const t = overviewTexts();
  const rateOf = (name: string, { limit, left }: { limit: number; left: number }) => ({
    name,
    limit,
    used: limit - left,
  });
  const shown = limitsToShow([
    ...limits,
    rateOf("sends", rates.sendsPerMinute),
    rateOf("requests", rates.requestsPerMinute),
  ]);
  if (shown.length === 0) return null;
  return (
    <Card title={t.limits} hint={t.limitsHint}>
      <div class="overview-bars">
        {shown.map(({ name, used, limit }) => {
          const format = name === "stored-bytes" ? bytes : number;
          return (
            <Bar
              key={name}
              name={isNamed(name, t.limitNames) ? t.limitNames[name] : name}
              used={used}
              limit={limit}
              text={t.ofLimit(format(used), format(limit))}
            />
          );
        })}
      </div>
    </Card>
  );
};

/** How much of a restriction has passed, as a share. */
const passed = (since: string, until: string, nowMs: number): number => {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  return Math.min(1, Math.max(0, (nowMs - from) / Math.max(1, to - from)));
};

/** The number of rows of one answer. The page asks for all answers. */
const AT_ONCE = 200;

/** The phones that their network restricts, with the end of each restriction. */
export const RestrictionsCard = () => {
  const t = overviewTexts();
  const phones = useQuery(
    "overview/restricted",
    (signal) => gateway.phones.search({ status: "RESTRICTED", limit: AT_ONCE }, { signal }).toArray(),
    { on: ["channel:"] },
  );
  const restricted = phones.data ?? [];
  if (restricted.length === 0) return null;
  return (
    <Card title={t.restricted}>
      <InSteps rows={restricted} step={10}>
        {(rows) => <Restricted phones={rows} />}
      </InSteps>
    </Card>
  );
};

const Restricted = ({ phones }: { phones: readonly Phone[] }) => {
  const t = overviewTexts();
  return (
    <ul class="overview-bars">
      {phones.map(({ id, label, restriction, stateSince }) => (
        <li key={id}>
          <a href={href(`/phones/${id}`)}>{label}</a>{" "}
          <span class="small soft">
            {restriction?.until ? t.restrictedUntil(dateTime(restriction.until)) : t.restrictedOpen}
          </span>
          {restriction?.until && stateSince && (
            <meter
              class="warning"
              min={0}
              max={1}
              value={passed(stateSince, restriction.until, Date.now())}
              aria-label={`${label}: ${t.restrictedUntil(dateTime(restriction.until))}`}
            />
          )}
        </li>
      ))}
    </ul>
  );
};
