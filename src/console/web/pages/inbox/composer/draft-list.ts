/** The names under which the browser keeps the drafts of a person in an account: their list, and each. */
export const draftNames = (personId: string, accountId: string) => ({
  list: `drafts ${personId} ${accountId}`,
  of: (chatId: string): string => `draft ${personId} ${accountId} ${chatId}`,
});

/** The chats with a kept draft, the newest first: one that is written in comes to the front. `dropped`: those beyond `most`. */
export const draftsAfter = (
  chats: readonly string[],
  { id, isEmpty }: { id: string; isEmpty: boolean },
  most: number,
): { kept: string[]; dropped: string[] } => {
  const others = chats.filter((one) => one !== id);
  const all = isEmpty ? others : [id, ...others];
  return { kept: all.slice(0, most), dropped: all.slice(most) };
};

/** The list as it was kept; a damaged one counts as empty. */
export const draftListIn = (text: string | null): string[] => {
  try {
    const read: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(read) ? read.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
};
