const MAX_LENGTH = 255;
/** Control characters, and those that turn the direction of writing so that a name's end seems another. */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a file without the folders that came with it; undefined where nothing of it is left. */
export const cleanFilename = (name: string): string | undefined => {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = [...last.toWellFormed().replaceAll(INVISIBLE, "").trim()].slice(0, MAX_LENGTH).join("");
  return /^\.*$/.test(clean) ? undefined : clean;
};

/** Whether a text is the name of a file and no more: no folder, nothing invisible, not dots alone. */
export const isBareFilename = (name: string): boolean => cleanFilename(name) === name.trim();
