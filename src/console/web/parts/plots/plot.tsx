import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { dateTime, shortDate, timeOfDay, utcDay } from "../../frame/texts/format.ts";
import { frameTexts } from "../../frame/texts/texts.ts";

/** The colours that a line may have: tokens of `styles/tokens.css`. */
export type PlotColour = "accent" | "busy" | "warning" | "bad" | "good" | "soft";

/** One line of a plot. Null: no value. `isBars`: bars in place of a line. */
export type PlotSeries = {
  name: string;
  colour: PlotColour;
  values: readonly (number | null)[];
  isBars?: boolean;
};

type Shown = {
  /** The times of the values, in milliseconds. `step`: the distance between them. */
  at: readonly number[];
  step: "hour" | "day";
  series: readonly PlotSeries[];
  format: (value: number) => string;
};

const HEIGHT = 220;

/** The colour of a token in the present theme, because a canvas knows no tokens. */
const colourOf = (place: Element, token: string): string => {
  const probe = document.createElement("i");
  probe.style.color = `var(--${token})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

/** A computed colour is `rgb(r, g, b)`. */
const translucent = (colour: string, share: number): string =>
  colour.replace("rgb(", "rgba(").replace(")", `, ${share})`);

const momentText = (step: Shown["step"], at: number): string => (step === "day" ? utcDay(at) : dateTime(at));

/**
 * The ticks of times. Steps of days have the server's days, which are those of UTC. Others have hours, and the day
 * where it begins.
 */
const tickText = (step: Shown["step"], atMs: number): string => {
  if (step === "day") return utcDay(atMs, true);
  return new Date(atMs).getHours() === 0 ? shortDate(atMs) : timeOfDay(atMs);
};

const lineOf = (Plot: typeof uPlot, place: Element, { name, colour, isBars = false }: PlotSeries): uPlot.Series => {
  const stroke = colourOf(place, colour);
  return {
    label: name,
    stroke,
    width: isBars ? 0 : 2,
    fill: isBars ? stroke : translucent(stroke, 0.1),
    points: { show: false },
    ...(isBars && Plot.paths.bars ? { paths: Plot.paths.bars({ size: [0.5, 12] }) } : {}),
  };
};

const optionsOf = (
  Plot: typeof uPlot,
  place: HTMLElement,
  { step, series, format, onPoint }: Shown & { onPoint: (at: number | null) => void },
): uPlot.Options => {
  const soft = colourOf(place, "soft");
  const grid = { stroke: colourOf(place, "line"), width: 1 };
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  const axis = { stroke: soft, font, grid, ticks: { show: false } };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    padding: [10, 28, 0, 0],
    ...(step === "day" ? { tzDate: (at: number) => Plot.tzDate(new Date(at * 1000), "Etc/UTC") } : {}),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.1, 4)] } },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        space: 70,
        values: (_, ticks) => ticks.map((at) => tickText(step, at * 1000)),
      },
      {
        ...axis,
        size: 64,
        space: 42,
        values: (_, ticks) => ticks.map((value) => (value % 1 === 0 ? format(value) : "")),
      },
    ],
    series: [{}, ...series.map((one) => lineOf(Plot, place, one))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
};

const dataOf = ({ at, series }: Shown): uPlot.AlignedData => [
  at.map((ms) => ms / 1000),
  ...series.map(({ values }) => [...values]),
];

/** Draws the canvas, and draws it anew when the width or the theme changes. Returns a function that ends it. */
const drawn = (place: HTMLElement, shown: () => Shown, onPoint: (at: number | null) => void) => {
  let plot: uPlot | undefined;
  let hasEnded = false;
  let Plot: typeof uPlot | undefined;
  const draw = (): void => {
    if (!Plot || hasEnded || place.clientWidth === 0) return;
    plot?.destroy();
    plot = new Plot(optionsOf(Plot, place, { ...shown(), onPoint }), dataOf(shown()), place);
  };
  void import("uplot").then((loaded) => {
    Plot = loaded.default;
    draw();
  });
  const widths = new ResizeObserver(() => {
    if (place.clientWidth !== plot?.width) draw();
  });
  widths.observe(place);
  const themes = new MutationObserver(draw);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw);
  const end = (): void => {
    hasEnded = true;
    widths.disconnect();
    themes.disconnect();
    dark.removeEventListener("change", draw);
    plot?.destroy();
  };
  return { draw, end };
};

const NumbersTable = ({ label, at, step, series, format }: Shown & { label: string }) => (
  <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">{frameTexts().time}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {at.map((ms, row) => (
          <tr key={ms}>
            <th scope="row">{momentText(step, ms)}</th>
            {series.map(({ name, values }) => (
              <td key={name} class="number" data-title={name}>
                {typeof values[row] === "number" ? format(values[row]) : "–"}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/**
 * Lines over time. The pointer shows the numbers of a moment; a table below has all of them, for keyboards and screen
 * readers. `totals`: the texts beside the names while the pointer is elsewhere.
 */
export const Plot = ({ label, totals, ...shown }: Shown & { label: string; totals: readonly string[] }) => {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(shown);
  latest.current = shown;
  const drawing = useRef<ReturnType<typeof drawn> | undefined>(undefined);
  const [pointed, setPointed] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { at, step, series, format } = shown;
  useEffect(() => {
    if (!place.current) return undefined;
    drawing.current = drawn(place.current, () => latest.current, setPointed);
    return () => drawing.current?.end();
  }, []);
  const names = series.map(({ name }) => name).join();
  const data = JSON.stringify([at[0], step, series.map(({ values }) => values)]);
  useEffect(() => drawing.current?.draw(), [data, names]);
  const moment = pointed === null ? undefined : at[pointed];
  const valueAt = (values: PlotSeries["values"], row: number): string => {
    const value = values[row];
    return typeof value === "number" ? format(value) : "–";
  };
  return (
    <figure class="plot">
      <figcaption>
        <ul class="plot-names">
          {series.map(({ name, colour, values }, index) => (
            <li key={name}>
              <span class={`plot-key ${colour}`} aria-hidden="true" />
              {name} <b>{pointed === null ? totals[index] : valueAt(values, pointed)}</b>
            </li>
          ))}
        </ul>
        <span class="plot-moment small soft">{moment === undefined ? "" : momentText(step, moment)}</span>
      </figcaption>
      <div ref={place} class="plot-place" aria-hidden="true" />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{frameTexts().asTable}</summary>
        {isOpen && <NumbersTable label={label} {...shown} />}
      </details>
    </figure>
  );
};
