// Archives of the format ZIP, which are the same bytes for the same files. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
import { crc32, deflateRawSync } from "node:zlib";

type Entry = { name: string; bytes: Uint8Array };

const VERSION = 20;
const NAMES_ARE_UTF8 = 0x0800;
const DEFLATED = 8;
const MADE_BY_UNIX = 3 << 8;
const REGULAR_FILE = 0o100644;

/** A time in seconds in the form of DOS: pairs of seconds since 1980, in UTC. */
const dosTime = (time: number): number => {
  const at = new Date(Math.max(time, 315_532_800) * 1000);
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const second = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return day * 65_536 + second;
};

const numbers = (fields: readonly [value: number, bytes: 2 | 4][]): Buffer =>
  Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

/** An archive of files, in the given order. `time`: the time of every file, in seconds. */
export const zipOf = (entries: readonly Entry[], time: number): Uint8Array<ArrayBuffer> => {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const [title, body] = [Buffer.from(name), deflateRawSync(bytes, { level: 9 })];
    const common = numbers([
      [VERSION, 2],
      [NAMES_ARE_UTF8, 2],
      [DEFLATED, 2],
      [dosTime(time), 4],
      [crc32(bytes), 4],
      [body.length, 4],
      [bytes.length, 4],
      [title.length, 2],
      [0, 2], // no extra field
    ]);
    const head = Buffer.concat([numbers([[0x04034b50, 4]]), common, title]);
    const tail = numbers([
      [0, 2], // no comment
      [0, 2], // the first disk
      [0, 2], // not marked as text
      [REGULAR_FILE * 65_536, 4],
      [offset, 4],
    ]);
    const mark = numbers([
      [0x02014b50, 4],
      [MADE_BY_UNIX | VERSION, 2],
    ]);
    directory.push(Buffer.concat([mark, common, tail, title]));
    parts.push(head, body);
    offset += head.length + body.length;
  }
  const list = Buffer.concat(directory);
  const end = numbers([
    [0x06054b50, 4],
    [0, 4], // one disk
    [entries.length, 2],
    [entries.length, 2],
    [list.length, 4],
    [offset, 4],
    [0, 2], // no comment
  ]);
  return new Uint8Array(Buffer.concat([...parts, list, end]));
};
