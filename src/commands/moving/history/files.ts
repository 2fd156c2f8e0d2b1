import type { FileTaken, WantedFile } from "../../../core/messaging/importing/files.ts";
import type { FoundHistory, RowFile } from "./found.ts";
import type { MediaPlace, SourceFile } from "./media.ts";

/** The files of messages that came or would come, their bytes, and by reason how many messages have none. */
export type FileCounts = { count: number; bytes: number; without: Readonly<Record<string, number>> };

export const NO_FILES: FileCounts = { count: 0, bytes: 0, without: {} };

export const sumOfFiles = (one: FileCounts, other: FileCounts): FileCounts => ({
  count: one.count + other.count,
  bytes: one.bytes + other.bytes,
  without: summed(one.without, other.without),
});

/** Counts by reason, of two records. */
export const summed = (...records: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const [reason, count] of records.flatMap((one) => Object.entries(one)))
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  return Object.fromEntries(counts);
};

const counted = ({ sizeBytes, reason }: FileTaken): FileCounts =>
  sizeBytes === null ? { count: 0, bytes: 0, without: { [reason]: 1 } } : { count: 1, bytes: sizeBytes, without: {} };

const NOT_SAID = "its file stays there: --media says where it lies";
const NOT_FOUND = "its file is not where --media says";
const TOO_LARGE = "the file is too large";

/** Finds the file of a message. */
type Finder = (wanted: WantedFile, row: RowFile | undefined) => Promise<SourceFile | undefined>;

/** TABLE: how a program names the file of a message in its place of files, by the format of its history. */
const NAMES: Readonly<
  Record<
    string,
    (media: MediaPlace, at: { session: string; key: string; row: RowFile | undefined }) => Promise<string[]>
  >
> = {
  // its bucket has a folder of its own
  evolution: async (_, { row }) => (row?.name === undefined ? [] : [`evolution-api/${row.name}`, row.name]),
  async waha(media, { session, key }) {
    const places = new Set([session, "", ...(await media.folders())]);
    const names: string[] = [];
    for (const folder of places) if (names.length === 0) names.push(...(await media.named(folder, key)));
    return names;
  },
};

const finderOf =
  ({ format, name: session }: FoundHistory, media: MediaPlace | undefined): Finder =>
  async ({ key }, row) => {
    const names = media ? ((await NAMES[format]?.(media, { session, key, row })) ?? []) : [];
    for (const name of names) {
      const file = await media?.open(name);
      if (file) return file;
    }
    return row?.inside;
  };

/** `take`: keeps a file; without it, files are counted alone. */
type Taking = {
  media: MediaPlace | undefined;
  take?: (wanted: WantedFile, file: SourceFile) => Promise<FileTaken>;
};

/** Looks for the wanted files of a page, and passes on those that are there, one after the other. */
export const filesOfPage = (history: FoundHistory, { media, take }: Taking) => {
  const find = finderOf(history, media);
  const one = async (wanted: WantedFile, row: RowFile | undefined): Promise<FileTaken> => {
    const file = await find(wanted, row);
    if (!file) return { sizeBytes: null, reason: media ? NOT_FOUND : NOT_SAID };
    if (file.sizeBytes > wanted.maxBytes) return { sizeBytes: null, reason: TOO_LARGE };
    return take ? take(wanted, file) : { sizeBytes: file.sizeBytes, reason: null };
  };
  return async (wanted: readonly WantedFile[], rows: ReadonlyMap<string, RowFile>): Promise<FileCounts> => {
    let counts = NO_FILES;
    for (const each of wanted) counts = sumOfFiles(counts, counted(await one(each, rows.get(each.key))));
    return counts;
  };
};
