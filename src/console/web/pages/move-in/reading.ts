/** A session in a folder that a person has chosen. `session`: in the server's form. It is a credential. */
export type ChosenSession = { name: string; session: string };

/** The file that shows that a folder is a session. */
const CREDS = "creds.json";
/** The server takes bodies of 20 MB. */
export const MOST_CHARS = 19 * 1024 * 1024;

const folderOf = (file: File): string => file.webkitRelativePath.split("/").slice(0, -1).join("/");

const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  for (let from = 0; from < bytes.length; from += 0x8000)
    text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(text);
};

const gzipped = async (text: string): Promise<Uint8Array> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/** The files of a folder as one text: a line of JSON for each, gzipped, in base64. */
const packed = async (files: readonly File[]): Promise<string> => {
  const lines: string[] = [];
  for (const file of files) lines.push(`${JSON.stringify({ name: file.name, text: await file.text() })}\n`);
  return toBase64(await gzipped(lines.join("")));
};

/** The sessions in a chosen folder: each folder at or below it that has credentials, named after itself. */
export const sessionsIn = async (files: readonly File[]): Promise<ChosenSession[]> => {
  const folders = [...new Set(files.filter(({ name }) => name === CREDS).map(folderOf))];
  const sessions: ChosenSession[] = [];
  for (const folder of folders.toSorted()) {
    const own = files.filter((file) => folderOf(file) === folder && file.name.endsWith(".json"));
    sessions.push({ name: folder.split("/").at(-1) ?? folder, session: await packed(own) });
  }
  return sessions;
};
