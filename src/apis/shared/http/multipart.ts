import { filenameIn } from "../../../kernel/texts/disposition.ts";
import { UNKNOWN_TYPE } from "../../../kernel/texts/media-types.ts";

/** The first file of a form (https://www.rfc-editor.org/rfc/rfc7578). Read its body at once, and once. */
export type FormFile = { filename: string | undefined; contentType: string; body: AsyncIterable<Uint8Array> };

/** More than any client writes before a file. */
const MAX_HEADER_BYTES = 16 * 1024;
/** The maximum of one header: it has room for the longest name of a file, percent-encoded beside the plain one. */
const MAX_LINE_BYTES = 4 * 1024;
const MAX_PARTS = 20;
const MAX_FIELD_BYTES = 64 * 1024;

/** The boundary that a content type names; undefined for a type that is not a form. */
export const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))/i.exec(
    contentType,
  ) ?? [undefined, undefined, undefined];
  return quoted ?? plain;
};

/**
 * Reads a form up to its first file, which is streamed and never held as a whole. Undefined for a form without a file.
 * Parts after the file are not read.
 * @throws Error for a form that breaks off or whose parts are too large; its body throws the same
 */
export const firstFileIn = async (body: AsyncIterable<Uint8Array>, boundary: string): Promise<FormFile | undefined> => {
  const input = inputOf(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // the first boundary stands at the beginning, without a line before it
  input.prepend(Buffer.from("\r\n"));
  await skip(input.until(delimiter), MAX_FIELD_BYTES);
  for (let part = 0; part < MAX_PARTS; part++) {
    if ((await input.take(2)).toString("latin1") === "--") return undefined;
    const headers = (await whole(input.until(Buffer.from("\r\n\r\n")), MAX_HEADER_BYTES)).toString("latin1");
    const file = fileOf(headers);
    if (file) return { ...file, body: input.until(delimiter) };
    await skip(input.until(delimiter), MAX_FIELD_BYTES);
  }
  throw new Error(`the form has more than ${MAX_PARTS} parts before its file`);
};

/**
 * The headers of a part by their names in small letters; of a repeated header the first counts. Lines are split and
 * trimmed without a pattern: `\s*(.+?)\s*$` would take quadratic time.
 */
const headersIn = (head: string): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  // a line that begins with a blank goes on with the one before
  for (const line of head.replaceAll(/\r\n[ \t]/g, " ").split("\n")) {
    if (line.length > MAX_LINE_BYTES) throw new Error(`a header of the form has more than ${MAX_LINE_BYTES} bytes`);
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
};

const fileOf = (head: string): Omit<FormFile, "body"> | undefined => {
  const headers = headersIn(head);
  const disposition = headers.get("content-disposition") ?? "";
  if (!/;\s*filename(?:\*\d*\*?)?\s*=/i.test(disposition)) return undefined;
  return { filename: filenameIn(disposition), contentType: headers.get("content-type") || UNKNOWN_TYPE };
};

type Input = {
  prepend(bytes: Buffer): void;
  /** Exactly this many bytes. */
  take(size: number): Promise<Buffer>;
  /** Everything before a delimiter, which is taken too. */
  until(delimiter: Buffer): AsyncGenerator<Uint8Array, undefined>;
};

const inputOf = (body: AsyncIterable<Uint8Array>): Input => {
  const reading = body[Symbol.asyncIterator]();
  let pending = Buffer.alloc(0);
  const more = async (): Promise<void> => {
    const next = await reading.next();
    if (next.done) throw new Error("the form breaks off");
    pending = Buffer.concat([pending, next.value]);
  };
  return {
    prepend(bytes) {
      pending = Buffer.concat([bytes, pending]);
    },
    async take(size) {
      while (pending.length < size) await more();
      const taken = pending.subarray(0, size);
      pending = pending.subarray(size);
      return taken;
    },
    async *until(delimiter) {
      try {
        while (!pending.includes(delimiter)) {
          // the end may be the beginning of the delimiter
          const sure = Math.max(0, pending.length - delimiter.length + 1);
          const piece = pending.subarray(0, sure);
          pending = pending.subarray(sure);
          if (piece.length > 0) yield piece;
          await more();
        }
        const last = pending.subarray(0, pending.indexOf(delimiter));
        pending = pending.subarray(last.length + delimiter.length);
        if (last.length > 0) yield last;
        return undefined;
      } catch (thrown) {
        await reading.return?.();
        throw thrown;
      }
    },
  };
};

const whole = async (pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> => {
  let read = Buffer.alloc(0);
  for await (const piece of pieces) {
    read = Buffer.concat([read, piece]);
    if (read.length > maxBytes) throw new Error(`a part of the form has more than ${maxBytes} bytes`);
  }
  return read;
};

const skip = async (pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void> => {
  await whole(pieces, maxBytes);
};
