const MAX_LENGTH = 255;
/** Control characters, and characters that change the direction of writing and so disguise a name's ending. */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a file without folders. Undefined if nothing is left. */
export const cleanFilename = (name: string): string | undefined => {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = [...last.toWellFormed().replaceAll(INVISIBLE, "").trim()].slice(0, MAX_LENGTH).join("");
  return /^\.*$/.test(clean) ? undefined : clean;
};

/** Whether a text is only a file name: no folder, no invisible character, not only dots. */
export const isBareFilename = (name: string): boolean => cleanFilename(name) === name.trim();

/** The handle of a file that Recado keeps to be sent is this and an id. The handles of networks begin otherwise. */
export const FILE_HANDLE_PREFIX = "file-";

export const isOwnHandle = (handle: string): boolean => handle.startsWith(FILE_HANDLE_PREFIX);
