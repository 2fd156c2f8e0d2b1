import { locale } from "../../frame/texts/languages.ts";

/** The colours that a part of a bar may have: tokens of `styles/tokens.css`. */
export type BarColour = "accent" | "busy" | "warning" | "bad" | "good" | "soft";

/** A month with its values, by the names of the parts. `month`: `YYYY-MM`. */
export type MonthBar = { month: string; values: Readonly<Record<string, number>> };

const monthText = (month: string, style: "short" | "long"): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale(), {
    month: style,
    timeZone: "UTC",
    ...(style === "long" ? { year: "numeric" } : {}),
  });

/**
 * Months as stacked bars, with a legend, and the same numbers as a table for people who do not see bars. `parts`: from
 * the bottom up.
 */
export const MonthBars = ({
  label,
  parts,
  months,
  format,
}: {
  label: string;
  parts: readonly { name: string; text: string; colour: BarColour }[];
  months: readonly MonthBar[];
  format: (value: number) => string;
}) => {
  const sumOf = ({ values }: MonthBar): number => parts.reduce((sum, { name }) => sum + (values[name] ?? 0), 0);
  const highest = Math.max(1, ...months.map(sumOf));
  const last = months.at(-1);
  return (
    <figure class="month-bars">
      <ul class="legend" aria-hidden="true">
        {parts.map(({ name, text, colour }) => (
          <li key={name} class={colour}>
            {text}
          </li>
        ))}
        {last && (
          <li class="now">
            {monthText(last.month, "short")} {format(sumOf(last))}
          </li>
        )}
      </ul>
      <div class="bars" aria-hidden="true">
        {months.map((bar) => (
          <div key={bar.month} class="month" title={`${monthText(bar.month, "long")}: ${format(sumOf(bar))}`}>
            <div class="column">
              {parts.toReversed().map(({ name, colour }) => (
                <i key={name} class={colour} style={{ height: `${((bar.values[name] ?? 0) / highest) * 100}%` }} />
              ))}
            </div>
            <span class="name">{monthText(bar.month, "short")}</span>
          </div>
        ))}
      </div>
      <div class="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{label}</th>
              {parts.map(({ name, text }) => (
                <th key={name} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((bar) => (
              <tr key={bar.month}>
                <th scope="row">{monthText(bar.month, "long")}</th>
                {parts.map(({ name }) => (
                  <td key={name}>{format(bar.values[name] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
};
