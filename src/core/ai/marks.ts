/** What stands in an agent's turns, in words of Recado, for what a contact sent without words. */

export const PICTURE = "[picture]";
/** What the agent reads of a note without a transcript. It can ask for words. */
export const UNREADABLE_NOTE = "(voice note that could not be understood)";

const MAX_NAME = 120;
const DOCUMENT = "[document";

export const documentMark = (filename: string | undefined): string =>
  filename === undefined ? `${DOCUMENT}]` : `${DOCUMENT}: ${filename.slice(0, MAX_NAME).toWellFormed()}]`;

/** Whether a turn is a mark and nothing else. An album has as many of them as pictures. */
export const isMark = (text: string): boolean =>
  text === PICTURE || text === UNREADABLE_NOTE || (text.startsWith(DOCUMENT) && text.endsWith("]"));
