/** The codes of each status, in alphabetical order, from an API's two tables of refusals. */
export const codesByStatus = (
  ofCore: Readonly<Record<string, readonly [number, string]>>,
  own: Readonly<Record<string, readonly [number, string]>>,
): Readonly<Record<string, readonly string[]>> => {
  const pairs = [...Object.values(ofCore), ...Object.entries(own).map(([code, [status]]) => [status, code] as const)];
  const byStatus: Record<string, Set<string>> = {};
  for (const [status, code] of pairs) (byStatus[status] ??= new Set()).add(code);
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => [status, [...codes].toSorted()]));
};
