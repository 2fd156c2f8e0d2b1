/** The pairs of metadata as lines of a form: a text stays unchanged, any other value becomes JSON. */
export const metadataLines = (metadata: Readonly<Record<string, unknown>>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");

/** The metadata of such lines. A line with an unchanged text keeps the known value, so that its type stays. */
export const metadataOf = (lines: string, known: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
  const metadata: Record<string, unknown> = {};
  for (const line of lines.split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (name === "") continue;
    const value = line.slice(colon + 1).trim();
    const before = known[name];
    metadata[name] =
      before !== undefined && typeof before !== "string" && JSON.stringify(before) === value ? before : value;
  }
  return metadata;
};

/** The tags of a line that separates them by commas, each once. */
export const tagsOf = (line: string): string[] => [
  ...new Set(
    line
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];
