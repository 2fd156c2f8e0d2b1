import { useState } from "preact/hooks";
import type { StatsSeries } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { number, span } from "../../frame/texts/format.ts";
import { Card } from "../../parts/layout.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { Plot, type PlotSeries } from "../../parts/plots/plot.tsx";
import { Skeleton } from "../../parts/states.tsx";
import type { SeriesQuery } from "./queries.ts";
import type { Range } from "./range.ts";
import { overviewTexts } from "./texts.ts";

/** TABLE: the lines of the messages' plot. */
const LINES = [
  { name: "sent", colour: "accent" },
  { name: "received", colour: "busy" },
  { name: "failed", colour: "bad", isBars: true },
] as const;

type Counts = StatsSeries["total"]["messages"];
const ALL = "";

/** The messages of all networks, or of one. */
const chosenOf = (data: StatsSeries, type: string): { total: Counts; points: readonly Counts[] } =>
  data.types.find((one) => one.type === type) ?? {
    total: data.total.messages,
    points: data.points.map(({ messages }) => messages),
  };

const MessagesPlot = ({ data, type }: { data: StatsSeries; type: string }) => {
  const t = overviewTexts();
  const { total, points } = chosenOf(data, type);
  const series = LINES.map(
    ({ name, ...look }): PlotSeries => ({ ...look, name: t[name], values: points.map((point) => point[name]) }),
  );
  return (
    <Plot
      label={t.messages}
      at={data.points.map(({ at }) => Date.parse(at))}
      step={data.step}
      format={number}
      series={series}
      totals={LINES.map(({ name }) => number(total[name]))}
    />
  );
};

/** Messages out and in, and failed messages. */
export const MessagesCard = ({ series: { data, error } }: { series: SeriesQuery; range: Range }) => {
  const t = overviewTexts();
  const [type, setType] = useState(ALL);
  if (!data) return error === undefined ? <Skeleton lines={8} /> : null;
  const types = data.types.map((one) => [one.type, one.type] as const);
  const choice = types.length > 1 && (
    <FilterSelect label={t.type} value={type} options={[[ALL, t.allTypes], ...types]} onChange={setType} />
  );
  return (
    <Card title={t.messages} hint={t.messagesHint} actions={choice}>
      <MessagesPlot data={data} type={type} />
      <Funnel counts={chosenOf(data, type).total} />
    </Card>
  );
};

/** The progress of the messages, as shares of the accepted messages. */
const Funnel = ({ counts }: { counts: Counts }) => {
  const t = overviewTexts();
  const most = Math.max(1, counts.accepted, counts.sent);
  return (
    <ul class="overview-funnel">
      {(["accepted", "sent", "delivered", "read"] as const).map((name) => (
        <li key={name}>
          <span>{t[name]}</span>
          <span class="overview-funnel-bar" aria-hidden="true">
            <span style={{ width: `${(counts[name] / most) * 100}%` }} />
          </span>
          <b>{number(counts[name])}</b>
        </li>
      ))}
    </ul>
  );
};

/** The delay of deliveries to the customer's webhooks. */
export const LagCard = ({ series: { data } }: { series: SeriesQuery }) => {
  const t = overviewTexts();
  if (!data) return null;
  const { lag } = data.total;
  const lines = [
    { name: t.p50, colour: "accent", key: "p50Ms" },
    { name: t.p95, colour: "warning", key: "p95Ms" },
    { name: t.p99, colour: "bad", key: "p99Ms" },
  ] as const;
  return (
    <Card title={t.lag} hint={t.lagHint}>
      {lag === null ? (
        <p class="soft">{t.lagNone}</p>
      ) : (
        <Plot
          label={t.lag}
          at={data.points.map(({ at }) => Date.parse(at))}
          step={data.step}
          format={span}
          series={lines.map(({ key, ...look }) => ({
            ...look,
            values: data.points.map((point) => point.lag?.[key] ?? null),
          }))}
          totals={lines.map(({ key }) => span(lag[key]))}
        />
      )}
    </Card>
  );
};
