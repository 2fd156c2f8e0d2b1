/** A variable in the text of a canned reply, such as `{{contact.firstName}}`. */
const VARIABLE = /\{\{\s*([\p{L}\p{Nd}_.-]+)\s*\}\}/gu;

/** The text with the values of its variables. A variable without a value stays, so that people see it. */
export const filled = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(VARIABLE, (whole: string, name: string) => values.get(name) || whole);

/** The variables that a text still has, each once. */
export const unfilled = (text: string): string[] => [...new Set([...text.matchAll(VARIABLE)].map(([whole]) => whole))];

/** The names of the variables in a text. */
export const variablesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].flatMap(([, name]) => name ?? []);

/** The first word of a name. */
export const firstNameOf = (name: string): string => name.trim().split(/\s+/)[0] ?? "";

/** What somebody has typed after `/`, where the answer has nothing else; undefined for any other text. */
export const shortcutIn = (text: string): string | undefined => /^\/([\p{L}\p{M}\p{Nd}_-]*)$/u.exec(text)?.[1];

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The replies for a typed word: those whose shortcut begins with it, then those that have it anywhere. */
export const repliesFor = <Reply extends { shortcut: string; text: string }>(
  replies: readonly Reply[],
  word: string,
): Reply[] => {
  const wanted = folded(word);
  const begins = replies.filter(({ shortcut }) => folded(shortcut).startsWith(wanted));
  const has = replies.filter(
    (reply) => !begins.includes(reply) && folded(`${reply.shortcut} ${reply.text}`).includes(wanted),
  );
  return [...begins, ...has];
};
