import { fstatSync } from "node:fs";
import { type Logger, pino } from "pino";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error"> & { child(bindings: Record<string, unknown>): Log };
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** The names of fields whose values never appear in a log line. */
const SECRET_FIELD =
  /^(key|text|body|content|caption)$|(authorization|cookie|password|secrets?|token|apikey|masterkey|privatekey|cpfcnpj)$/;
/** The names of fields with addresses of people. */
const ADDRESS_FIELD = /^(to|from|phonenumber|recipient|sender)$/;
const PHONE = /\d{8,20}/g;
const DEEPEST = 8;

/** A shortened number for logs: recognisable, but not callable. */
export const shortNumber = (number: string): string =>
  number.replace(PHONE, (digits) => `${digits.slice(0, 4)}…${digits.slice(-2)}`);

const isPlain = (value: unknown): value is string | number | bigint =>
  ["string", "number", "bigint"].includes(typeof value);

/** The size of raw bytes in any form: they may be a key. A Buffer that was made JSON is an object with their numbers. */
const byteLengthOf = (value: object): number | undefined => {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer)
    return value.byteLength;
  const { type, data } = value as { type?: unknown; data?: unknown };
  return type === "Buffer" && Array.isArray(data) ? data.length : undefined;
};

/**
 * The logged form of the field `name`. Secrets and addresses are replaced by their field names, at every depth. Errors
 * keep only type, message, stack and cause.
 */
const shown = (name: string, value: unknown, depth: number): unknown => {
  const field = name.replace(/[-_]/g, "").toLowerCase();
  if (value === undefined || value === null) return value;
  if (SECRET_FIELD.test(field)) return "[redacted]";
  if (isPlain(value)) return ADDRESS_FIELD.test(field) ? shortNumber(String(value)) : value;
  if (typeof value !== "object") return value;
  if (value instanceof Date) return value;
  const size = byteLengthOf(value);
  if (size !== undefined) return `[${size} bytes]`;
  if (depth === DEEPEST) return "[deep]";
  if (value instanceof Error)
    return {
      type: value.name,
      message: value.message,
      stack: value.stack,
      cause: shown("cause", value.cause, depth + 1),
    };
  return Array.isArray(value) ? value.map((one) => shown(name, one, depth + 1)) : shownFields(value, depth + 1);
};

const shownFields = (fields: object, depth = 0): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(name, value, depth)]));

// pino does not apply its formatters to the bindings of a child
const wrapped = (logger: Logger): Log => ({
  debug: logger.debug.bind(logger),
  info: logger.info.bind(logger),
  warn: logger.warn.bind(logger),
  error: logger.error.bind(logger),
  child: (bindings) => wrapped(logger.child(shownFields(bindings))),
});

/** The same log, which also counts warnings and errors. */
export const countedLog = (log: Log, count: (level: "warn" | "error") => void): Log => {
  const counting =
    (level: "warn" | "error"): Log["warn"] =>
    (...said: Parameters<Log["warn"]>) => {
      count(level);
      log[level](...said);
    };
  return {
    debug: log.debug,
    info: log.info,
    warn: counting("warn"),
    error: counting("error"),
    child: (bindings) => countedLog(log.child(bindings), count),
  };
};

type LineStream = { write(line: string): void };

const STDOUT = 1;

/**
 * Whether stdout goes to systemd's journal. JOURNAL_STREAM has the device and inode of its pipe:
 * https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html
 */
const isJournal = (): boolean => {
  const { dev, ino } = fstatSync(STDOUT);
  return process.env["JOURNAL_STREAM"] === `${dev}:${ino}`;
};

/** Syslog's priorities. The journal reads them at the beginning of a line. */
const PRIORITIES: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

const withPriority = (stream: LineStream): LineStream => ({
  write: (line) => stream.write(`<${PRIORITIES[/^\{"level":"(\w+)"/.exec(line)?.[1] ?? "info"]}>${line}`),
});

type Destination = ReturnType<typeof pino.destination>;
let written: Destination | undefined;

const stdout = (): LineStream => {
  const plain = pino.destination({ fd: STDOUT, sync: false });
  // the library's own flushSync retries for ever once nobody reads, and the process would never end
  plain.flushSync = () => {};
  written = plain;
  return isJournal() ? withPriority(plain) : plain;
};

/** After this time, unread lines are discarded. */
const END_MS = 1000;

/** Ends logging to stdout. Resolves when all lines are written, after a second at the latest. */
export const endLog = async (): Promise<void> => {
  const ending = written;
  if (!ending) return;
  await new Promise<void>((resolve) => {
    ending.once("close", () => resolve());
    setTimeout(resolve, END_MS).unref();
    ending.end();
    ending.write = () => true;
  });
};

/**
 * Writes JSON lines to stdout (fd 1) or to the given stream. In systemd's journal, each line begins with its priority.
 * Secrets are replaced by field name; addresses are shortened.
 */
export const createLog = (level: LogLevel, stream: LineStream = stdout()): Log =>
  wrapped(
    pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        // not pino's `redact`: its paths have a fixed depth, and a secret one level deeper would pass
        formatters: { level: (label) => ({ level: label }), log: (fields) => shownFields(fields) },
        serializers: { err: (shownError: unknown) => shownError },
      },
      stream,
    ),
  );
