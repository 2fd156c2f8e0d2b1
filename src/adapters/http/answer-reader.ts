/** An answer. `isCut`: it was longer than allowed, or its frame was. */
export type Answer = { status: number; headers: Record<string, string>; body: Uint8Array; isCut: boolean };

/**
 * Reads one HTTP/1.1 answer from the bytes of a connection, as RFC 9112 says, without leniency: the other side may be
 * hostile. Holds at most the limit, a head of 16 KiB and one chunk of the connection.
 */
export type AnswerReader = {
  /**
   * Takes the next bytes. True when the answer is whole or cut.
   * @throws Error for anything but HTTP/1
   */
  take(chunk: Buffer): boolean;
  /** Notes the end of the connection. True when it ends the answer. */
  end(): boolean;
  /**
   * Whether the status of the answer is known, because its head has been read. It is also known if `take` threw for
   * bytes after the status line of a success.
   */
  hasHead(): boolean;
  /** The answer, or the part that arrived after its head. @throws Error before that */
  answer(): Answer;
  /** How long the connection may be kept for the next request, in ms; 0 when it must be closed. */
  keepMs(): number;
};

/** The limit of all heads before the answer, its own and its trailers, together. */
const MAX_HEAD_BYTES = 16 * 1024;
/** The limit of a line with the size of a chunk, whose extensions are not read. */
const MAX_LINE_BYTES = 1024;
const NOTHING = Buffer.alloc(0);

/** The minimum cost of a piece, in bytes: reading one takes as long as copying a few hundred bytes. */
const PIECE_BYTES = 16;
/** Pieces of this size and more are free. */
const FREE_PIECE_BYTES = 256;
/**
 * The budget for 67,000 pieces of one byte, which take some 100 ms of processor, or for 10 MB in lines of 100 bytes.
 */
const MOST_FRAMING_BYTES = 1024 * 1024;

/** Whether the pieces of an answer, and the bytes between them, cost more than a body of `maxBytes` may. */
export type FramingLimit = {
  /** Counts a piece of this size, and the bytes that stood before it. */
  add(pieceBytes: number, betweenBytes?: number): void;
  isExceeded(): boolean;
};

/**
 * Counts the pieces of an answer, and the bytes between them. Otherwise one-byte chunks and long extensions could cost
 * a hundred times as much as the body. Servers that write each line or each few words separately stay within it. A body
 * of up to 1 MiB may come whole in pieces of 16 bytes, and a body of 10 MB in pieces of 100.
 */
export const createFramingLimit = (maxBytes: number): FramingLimit => {
  let left = MAX_HEAD_BYTES + Math.min(maxBytes, MOST_FRAMING_BYTES);
  return {
    add(pieceBytes, betweenBytes = 0) {
      left += (pieceBytes / FREE_PIECE_BYTES) * PIECE_BYTES - Math.max(PIECE_BYTES, betweenBytes);
    },
    isExceeded: () => left < 0,
  };
};
const END_OF_HEAD = "\r\n\r\n";
const BEGINNING = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;
/** Of these headers the first value counts, as everywhere. The others are lists. */
const SINGLE: ReadonlySet<string> = new Set(["content-type", "location", "retry-after", "etag", "last-modified"]);

/** `isOld`: of HTTP/1.0, which closes each connection. */
type Head = { status: number; headers: Record<string, string>; isOld: boolean };

const isBlank = (text: string, at: number): boolean => text[at] === " " || text[at] === "\t";

/** Without the blanks around it. Not by a pattern: a hostile value would make it take minutes. */
const trimmed = (text: string): string => {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text, from)) from++;
  while (from < to && isBlank(text, to - 1)) to--;
  return text.slice(from, to);
};

/** A head whose status line alone is known. */
const beginningOf = (statusLine: string): Head => {
  const [, minor, status] = STATUS_LINE.exec(statusLine) ?? [];
  if (status === undefined) throw new Error("the answer is not HTTP/1");
  return { status: Number(status), headers: {}, isOld: minor === "0" };
};

const headOf = (whole: string): Head => {
  const [statusLine = "", ...lines] = whole.split("\r\n");
  const head = beginningOf(statusLine);
  const { headers } = head;
  for (const line of lines) {
    const [, name, text] = HEADER.exec(line) ?? [];
    if (name === undefined || text === undefined) throw new Error("the answer has a malformed header");
    const key = name.toLowerCase();
    const value = trimmed(text);
    const known = Object.hasOwn(headers, key) ? headers[key] : undefined;
    if (known === undefined) headers[key] = value;
    else if (!SINGLE.has(key)) headers[key] = `${known}, ${value}`;
  }
  return head;
};

/** `left`: bytes of the body, or of its chunk, that have not come. */
type Framing = { is: "length" | "chunked" | "until-end"; left: number };

const framingOf = ({ status, headers }: Head): Framing => {
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

/** A body up to its limit, copied: a part of the network's bytes would keep all of them in memory. */
const createBody = (maxBytes: number) => {
  let held: Buffer = NOTHING;
  let cameBytes = 0;
  const usedBytes = () => Math.min(cameBytes, maxBytes);
  return {
    add(some: Buffer): void {
      const used = usedBytes();
      const kept = some.subarray(0, maxBytes - used);
      if (used + kept.length > held.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(used + kept.length, held.length * 2)));
        held.copy(larger, 0, 0, used);
        held = larger;
      }
      held.set(kept, used);
      cameBytes += some.length;
    },
    isCut: () => cameBytes > maxBytes,
    bytes: () => held.subarray(0, usedBytes()),
  };
};

/** The bytes that arrived and were not taken yet. */
const createInput = () => {
  let rest: Buffer = NOTHING;
  return {
    add(chunk: Buffer): void {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    },
    get size() {
      return rest.length;
    },
    /** The text before `end`, which stays; undefined while `end` has not come, or if the text is longer than `most`. */
    peek(end: string, most: number): string | undefined {
      const at = rest.indexOf(end);
      return at < 0 || at > most ? undefined : rest.toString("latin1", 0, at);
    },
    /** Whether it is, or may become, this text and more. */
    mayBegin: (text: string): boolean => text.startsWith(rest.toString("latin1", 0, text.length)),
    /**
     * Takes the text before `end`; undefined while `end` has not come.
     * @throws Error if the text is longer than `most`
     */
    textBefore(end: string, most: number): string | undefined {
      const at = rest.indexOf(end);
      if (at > most || (at < 0 && rest.length >= most + end.length))
        throw new Error("a part of the answer's frame is too long");
      if (at < 0) return undefined;
      const text = rest.toString("latin1", 0, at);
      rest = rest.subarray(at + end.length);
      return text;
    },
    /** Takes the bytes that have arrived, at most `most`. */
    take(most: number): Buffer {
      const some = rest.subarray(0, Math.min(most, rest.length));
      rest = rest.subarray(some.length);
      return some;
    },
  };
};

/** Whether the other side lets a connection be kept after this answer, and for how long, in ms. */
const keptFor = ({ headers, isOld }: Head, framing: Framing, idleMs: number): number => {
  if (framing.is === "until-end" || isOld) return 0;
  const { connection = "", "keep-alive": hint = "", "transfer-encoding": encoding, ...others } = headers;
  if (/\bclose\b/i.test(connection) || (encoding !== undefined && others["content-length"] !== undefined)) return 0;
  const seconds = /\btimeout=(\d{1,5})/i.exec(hint)?.[1];
  return seconds === undefined ? idleMs : Math.max(0, Math.min(idleMs, Number(seconds) * 1000 - 1000));
};

/** The next part. `after`: the line end behind a chunk. */
type State = "head" | "body" | "size" | "after" | "trailers" | "whole";

/** The parts of an answer read so far, and the steps that read on. Each step returns the next part. */
const createSteps = (maxBytes: number) => {
  let head: Head | undefined;
  let framing: Framing = { is: "until-end", left: 0 };
  const input = createInput();
  let headBytes = 0;
  const body = createBody(maxBytes);
  const chunks = createFramingLimit(maxBytes);
  const reads = createFramingLimit(maxBytes);

  const wholeHead = (): Head | undefined => {
    const statusLine = input.peek("\r\n", MAX_LINE_BYTES);
    try {
      const text = input.textBefore(END_OF_HEAD, MAX_HEAD_BYTES - headBytes);
      if (text === undefined) return undefined;
      headBytes += text.length + END_OF_HEAD.length;
      return headOf(text);
    } catch (error) {
      if (statusLine !== undefined) noteSuccess(beginningOf(statusLine));
      throw error;
    }
  };
  /** A success stays a success whatever follows it. Another status may have effects, such as the end of a webhook. */
  const noteSuccess = (beginning: Head): void => {
    if (beginning.status >= 200 && beginning.status < 300) head = beginning;
  };
  const readHead = (): State => {
    if (!input.mayBegin(BEGINNING)) throw new Error("the answer is not HTTP/1"); // before more of it comes, or nothing
    const read = wholeHead();
    if (read === undefined) return "head";
    if (read.status < 200 && read.status !== 101) return "head"; // the answer follows
    if (read.status === 101) throw new Error("the answer changes the protocol");
    head = read;
    framing = framingOf(read);
    if (framing.is === "chunked") return "size";
    return framing.left > 0 ? "body" : "whole";
  };
  const readBody = (): State => {
    const some = input.take(framing.left);
    body.add(some);
    framing.left -= some.length;
    if (framing.left > 0) return "body";
    return framing.is === "chunked" ? "after" : "whole";
  };
  const readSize = (): State => {
    const line = input.textBefore("\r\n", MAX_LINE_BYTES);
    if (line === undefined) return "size";
    framing.left = sizeOfChunk(line);
    chunks.add(framing.left, line.length);
    return framing.left > 0 ? "body" : "trailers";
  };
  const readAfter = (): State => {
    const line = input.textBefore("\r\n", 0);
    return line === undefined ? "after" : "size";
  };
  const readTrailers = (): State => {
    const line = input.textBefore("\r\n", MAX_HEAD_BYTES - headBytes);
    if (line === undefined) return "trailers";
    headBytes += line.length;
    return line === "" ? "whole" : "trailers";
  };
  return {
    input,
    body,
    read: { head: readHead, body: readBody, size: readSize, after: readAfter, trailers: readTrailers },
    head: () => head,
    framing: () => framing,
    /** Takes what the connection brought in one piece. */
    add(piece: Buffer): void {
      input.add(piece);
      reads.add(piece.length);
    },
    isCut: () => body.isCut() || chunks.isExceeded() || reads.isExceeded(),
  };
};

export const createAnswerReader = (maxBytes: number, idleMs: number): AnswerReader => {
  const { input, add, body, read, head, framing, isCut } = createSteps(maxBytes);
  let state: State = "head";
  const isOver = () => state === "whole" || isCut();
  return {
    take(chunk) {
      add(chunk);
      while (!isOver() && input.size > 0) {
        const before = input.size;
        state = state === "whole" ? state : read[state]();
        if (input.size === before) break; // more must come
      }
      return isOver();
    },
    end() {
      if (state === "body" && framing().is === "until-end") state = "whole";
      return state === "whole";
    },
    hasHead: () => head() !== undefined,
    answer() {
      const read = head();
      if (!read) throw new Error("the answer has no head");
      return { status: read.status, headers: read.headers, body: body.bytes(), isCut: isCut() };
    },
    keepMs() {
      const whole = head();
      if (!whole || state !== "whole" || isCut() || input.size > 0) return 0;
      return keptFor(whole, framing(), idleMs);
    },
  };
};
