import { type Column, type Sheet, variableName } from "./mapping.ts";
import { batchesTexts } from "./texts.ts";

const ROLES = ["number", "variable", "unused"] as const;
/** The number of lines that show a column's values. */
const SAMPLES = 3;

/** Each column of the file with its first values and its purpose. One column has the numbers. */
export const Columns = ({ sheet, onChange }: { sheet: Sheet; onChange: (columns: Column[]) => void }) => {
  const t = batchesTexts().file;
  const change = (at: number, changed: Partial<Column>): void =>
    onChange(
      sheet.columns.map((column, index) => {
        if (index === at) return { ...column, ...changed };
        return changed.role === "number" && column.role === "number" ? { ...column, role: "variable" } : column;
      }),
    );
  return (
    <ul class="csv-columns" aria-label={t.columns}>
      {sheet.columns.map((column, index) => (
        <li key={index}>
          <div class="column-values">
            <b>{column.title}</b>
            <span class="small soft">
              {sheet.rows
                .slice(0, SAMPLES)
                .map(({ cells }) => cells[index] ?? "")
                .filter((cell) => cell !== "")
                .join(" · ")}
            </span>
          </div>
          <select
            aria-label={t.role(column.title)}
            value={column.role}
            onChange={({ currentTarget }) => change(index, { role: currentTarget.value as Column["role"] })}
          >
            {ROLES.map((role) => (
              <option key={role} value={role} selected={role === column.role}>
                {t.roles[role]}
              </option>
            ))}
          </select>
          {column.role === "variable" ? (
            <input
              aria-label={t.variable(column.title)}
              class="mono"
              value={column.variable}
              maxLength={60}
              onChange={({ currentTarget }) =>
                change(index, { variable: variableName(currentTarget.value) || column.variable })
              }
            />
          ) : (
            <span />
          )}
        </li>
      ))}
    </ul>
  );
};
