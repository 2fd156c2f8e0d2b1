/** Characters that a terminal would take for a command, or would show in another order. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of others on one line of a terminal: it cannot move the cursor, colour or reorder anything. */
export const plain = (text: string): string => text.replaceAll(UNSAFE, " ");

/** The text, or its beginning with an ellipsis. */
export const shortened = (text: string, characters: number): string => {
  const all = Array.from(text);
  return all.length > characters ? `${all.slice(0, characters - 1).join("")}…` : text;
};

/** The lines of a table whose first row is its head. */
export const tableLines = (rows: readonly (readonly string[])[]): string[] => {
  const safe = rows.map((row) => row.map(plain));
  const widths = safe[0]?.map((_, column) => Math.max(...safe.map((row) => Bun.stringWidth(row[column] ?? "")))) ?? [];
  return safe.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(cell))))
      .join("  ")
      .trimEnd(),
  );
};
