/**
 * The known name that was probably meant: the one with the fewest edits, whatever its case, unless that is more than a third
 * of the name. `prefix`: every name has it, so that it does not count.
 */
export const nearestName = (
  name: string,
  known: readonly string[],
  { prefix = "" }: { prefix?: string } = {},
): string | undefined => {
  const ranked = known
    .map((one) => ({ one, edits: editsBetween(name.toUpperCase(), one.toUpperCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const limit = Math.ceil((name.length - prefix.length) / 3);
  return ranked.find(({ edits }) => edits <= limit)?.one;
};

/** The Levenshtein distance, with one row of the table at a time. */
const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (to[column] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};
