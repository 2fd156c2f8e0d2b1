/** The most bytes of XML that an archive may unpack to: a DOM of as many takes all memory that a reader has. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A document unpacks to more than 64 MB of XML. */
export class TooLarge extends Error {}
/** A document is protected by a password. */
export class Encrypted extends Error {}

const MANIFEST = "META-INF/manifest.xml";
export const isXml = (name: string): boolean => name.endsWith(".xml") || name.endsWith(".rels");

/**
 * The same archive with paths of slashes: some programs of Windows write `word\document.xml`, which no reader finds.
 *
 * @throws TooLarge, and for a broken archive.
 */
export const withSlashes = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const { unzipSync, zipSync } = await import("fflate");
  let hasBackslashes = false;
  let unpacked = 0;
  unzipSync(bytes, {
    filter({ name, originalSize }) {
      hasBackslashes ||= name.includes("\\");
      unpacked += originalSize;
      return false;
    },
  });
  if (!hasBackslashes) return bytes;
  if (unpacked > MOST_BYTES) throw new TooLarge();
  const files = Object.entries(unzipSync(bytes)).map(
    ([name, content]) => [name.replaceAll("\\", "/"), content] as const,
  );
  return zipSync(Object.fromEntries(files), { level: 0 });
};

/**
 * Some parts of a document that is a ZIP archive, by their names. No name becomes a path.
 *
 * @throws TooLarge, Encrypted, and for a broken archive.
 */
export const partsOf = async (
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, string>> => {
  const { unzipSync } = await import("fflate");
  let xmlBytes = 0;
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (isXml(name)) xmlBytes += originalSize;
      if (xmlBytes > MOST_BYTES) throw new TooLarge();
      return isWanted(name) || name === MANIFEST;
    },
  });
  const decoder = new TextDecoder();
  const parts = new Map(Object.entries(files).map(([name, content]) => [name, decoder.decode(content)]));
  if (parts.get(MANIFEST)?.includes("encryption-data")) throw new Encrypted();
  return parts;
};
