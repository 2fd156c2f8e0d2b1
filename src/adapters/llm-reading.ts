/** What lies at a path of names into an answer of which nothing is certain; undefined where it does not go so far. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[name] : undefined,
    value,
  );

/** The same for a text that says something. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
};
