/** An answer. `isCut`: it was longer than allowed. */
export type Answer = { status: number; headers: Record<string, string>; body: Uint8Array; isCut: boolean };

/**
 * Reads one HTTP/1.1 answer from the bytes of a connection, as RFC 9112 says, without leniency: the other side may be
 * hostile. Holds at most the limit and one chunk of the connection.
 */
export type AnswerReader = {
  /**
   * Takes the next bytes. True when the answer is whole or cut.
   * @throws Error for anything but HTTP/1
   */
  take(chunk: Buffer): boolean;
  /** Notes the end of the connection. True when it ends the answer. */
  end(): boolean;
  /** The answer, once it is whole or cut. */
  answer(): Answer;
  /** How long the connection may be kept for the next request, in ms; 0 when it must be closed. */
  keepMs(): number;
};

const MAX_HEAD_BYTES = 16 * 1024;
/** Of a line with the size of a chunk, whose extensions nobody reads. */
const MAX_LINE_BYTES = 1024;
const NOTHING = Buffer.alloc(0);
const END_OF_HEAD = "\r\n\r\n";
const BEGINNING = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/;
/** Of these the first counts, as everywhere. The others are lists. */
const SINGLE: ReadonlySet<string> = new Set(["content-type", "location", "retry-after", "etag", "last-modified"]);

/** `isOld`: of HTTP/1.0, which closes each connection. */
type Head = { status: number; headers: Record<string, string>; isOld: boolean };

const headOf = (text: string): Head => {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const [, minor, status] = STATUS_LINE.exec(statusLine) ?? [];
  if (status === undefined) throw new Error("the answer is not HTTP/1");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error("the answer has a malformed header");
    const key = name.toLowerCase();
    const known = Object.hasOwn(headers, key) ? headers[key] : undefined;
    if (known === undefined) headers[key] = value;
    else if (!SINGLE.has(key)) headers[key] = `${known}, ${value}`;
  }
  return { status: Number(status), headers, isOld: minor === "0" };
};

/** `left`: bytes of the body, or of its chunk, that have not come. */
type Framing = { is: "length" | "chunked" | "until-end"; left: number };

const framingOf = ({ status, headers }: Head): Framing => {
  if (status === 101) throw new Error("the answer changes the protocol");
  if (status === 204 || status === 304) return { is: "length", left: 0 };
  const encoding = headers["transfer-encoding"];
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== "chunked") throw new Error("the answer has an unknown transfer encoding");
    return { is: "chunked", left: 0 };
  }
  const length = headers["content-length"];
  if (length === undefined) return { is: "until-end", left: Number.POSITIVE_INFINITY };
  if (!/^\d{1,15}$/.test(length)) throw new Error("the answer has a malformed length");
  return { is: "length", left: Number(length) };
};

const sizeOfChunk = (line: string): number => {
  const [, size] = /^([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?$/.exec(line) ?? [];
  if (size === undefined) throw new Error("the answer has a malformed chunk");
  return Number.parseInt(size, 16);
};

/** What comes next. `after`: the line end behind a chunk. */
type State = "head" | "body" | "size" | "after" | "trailers" | "whole";

export const createAnswerReader = (maxBytes: number, idleMs: number): AnswerReader => {
  let state: State = "head";
  let head: Head | undefined;
  let framing: Framing = { is: "until-end", left: 0 };
  let rest: Buffer = NOTHING;
  let trailerBytes = 0;
  let sizeBytes = 0;
  const parts: Uint8Array[] = [];

  /** The text before `end`, which is taken; undefined while it has not come. */
  const textBefore = (end: string, most: number): string | undefined => {
    const at = rest.indexOf(end);
    if (at > most || (at < 0 && rest.length >= most + end.length))
      throw new Error("a part of the answer's frame is too long");
    if (at < 0) return undefined;
    const text = rest.toString("latin1", 0, at);
    rest = rest.subarray(at + end.length);
    return text;
  };
  const readHead = (): State => {
    if (!BEGINNING.startsWith(rest.toString("latin1", 0, BEGINNING.length)))
      throw new Error("the answer is not HTTP/1"); // before more of it comes, or nothing
    const text = textBefore(END_OF_HEAD, MAX_HEAD_BYTES);
    if (text === undefined) return "head";
    const read = headOf(text);
    if (read.status < 200 && read.status !== 101) return "head"; // the answer follows
    framing = framingOf(read);
    head = read;
    if (framing.is === "chunked") return "size";
    return framing.left > 0 ? "body" : "whole";
  };
  const readBody = (): State => {
    const some = rest.subarray(0, Math.min(framing.left, rest.length));
    rest = rest.subarray(some.length);
    if (sizeBytes < maxBytes) parts.push(some.subarray(0, maxBytes - sizeBytes));
    sizeBytes += some.length;
    framing.left -= some.length;
    if (framing.left > 0) return "body";
    return framing.is === "chunked" ? "after" : "whole";
  };
  const readSize = (): State => {
    const line = textBefore("\r\n", MAX_LINE_BYTES);
    if (line === undefined) return "size";
    framing.left = sizeOfChunk(line);
    return framing.left > 0 ? "body" : "trailers";
  };
  const readAfter = (): State => {
    const line = textBefore("\r\n", 0);
    return line === undefined ? "after" : "size";
  };
  const readTrailers = (): State => {
    const line = textBefore("\r\n", MAX_HEAD_BYTES - trailerBytes);
    if (line === undefined) return "trailers";
    trailerBytes += line.length;
    return line === "" ? "whole" : "trailers";
  };
  const READ: Record<Exclude<State, "whole">, () => State> = {
    head: readHead,
    body: readBody,
    size: readSize,
    after: readAfter,
    trailers: readTrailers,
  };

  const isOver = () => state === "whole" || sizeBytes > maxBytes;
  return {
    take(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (!isOver() && rest.length > 0) {
        const before = rest.length;
        state = READ[state as Exclude<State, "whole">]();
        if (rest.length === before) break; // more must come
      }
      return isOver();
    },
    end() {
      if (state === "body" && framing.is === "until-end") state = "whole";
      return state === "whole";
    },
    answer() {
      if (!head) throw new Error("the answer is not whole");
      const body = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      return { status: head.status, headers: head.headers, body, isCut: sizeBytes > maxBytes };
    },
    keepMs() {
      if (!head || state !== "whole" || sizeBytes > maxBytes || rest.length > 0) return 0;
      if (framing.is === "until-end" || head.isOld) return 0;
      const { connection = "", "keep-alive": hint = "", "transfer-encoding": encoding, ...others } = head.headers;
      if (/\bclose\b/i.test(connection) || (encoding !== undefined && others["content-length"] !== undefined)) return 0;
      const seconds = /\btimeout=(\d{1,5})/i.exec(hint)?.[1];
      return seconds === undefined ? idleMs : Math.max(0, Math.min(idleMs, Number(seconds) * 1000 - 1000));
    },
  };
};
