/** The value at a path of an answer of unknown shape; undefined if the path does not exist. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[name] : undefined,
    value,
  );

/** The text at a path; undefined for anything else and for a blank text. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
};
