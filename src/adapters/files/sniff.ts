/** The library is loaded with the first file. */
const library = () => import("file-type");

/** The media type that a file's first bytes show; undefined when they show none. */
export const sniffedType = async (head: Uint8Array): Promise<string | undefined> =>
  (await (await library()).fileTypeFromBuffer(head))?.mime;
