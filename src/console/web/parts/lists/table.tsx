import type { ComponentChildren } from "preact";
import { href } from "../../frame/base.ts";

/**
 * A column. `title`: its head, which narrow windows show before the value. `isMain`: the value that names the row.
 * `isNumber`: set to the right. `isMinor`: left out of narrow windows.
 */
export type Column<Row> = {
  title: string;
  cell: (row: Row) => ComponentChildren;
  isMain?: boolean;
  isNumber?: boolean;
  isMinor?: boolean;
};

const classOf = ({ isMain = false, isNumber = false, isMinor = false }: Column<never>): string =>
  [isMain && "main", isNumber && "number", isMinor && "minor"].filter(Boolean).join(" ");

export type TableProps<Row> = {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  linkOf?: (row: Row) => string | undefined;
};

/**
 * A table that becomes a list of cards in a narrow window. `linkOf`: the page of a row, reached through its main cell
 * or a click anywhere in the row.
 */
export const Table = <Row,>({ label, rows, columns, keyOf, linkOf }: TableProps<Row>) => (
  <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
    <table class={linkOf ? "linked" : ""}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const path = linkOf?.(row);
          return (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)} data-title={column.title}>
                  {column.isMain && path !== undefined ? (
                    <a class="row-link" href={href(path)}>
                      {column.cell(row)}
                    </a>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);
