/** TABLE: the fields of each type whose words come first. */
const TEXT_FIELDS = ["text", "body", "caption", "question", "title", "name", "filename", "emoji", "address"];
const DEEPEST = 3;

/** The words of a message that a person reads first; empty for a message without words. */
export const wordsOf = (content: unknown, depth = 0): string => {
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || depth > DEEPEST) return "";
  const fields = content as Readonly<Record<string, unknown>>;
  for (const name of TEXT_FIELDS) {
    const found = wordsOf(fields[name], depth + 1);
    if (found !== "") return found;
  }
  return "";
};

/** Why a message failed: `[CODE] reason`, as it is stored. */
export const failureIn = (failedReason: string | null): { code: string; reason: string } => {
  const [, code = "", reason = failedReason ?? ""] = /^\[(\w+)\] (.*)$/s.exec(failedReason ?? "") ?? [];
  return { code, reason };
};
