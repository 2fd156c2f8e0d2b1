import { fstatSync } from "node:fs";
import { type Logger, pino } from "pino";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error"> & { child(bindings: Record<string, unknown>): Log };
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** Fields whose values must never reach a log line, wherever a caller puts them. */
const SECRET_FIELD =
  /^(key|text|body|content|caption)$|(authorization|cookie|password|secrets?|token|apikey|masterkey|privatekey)$/;
/** Fields that hold addresses of people. */
const ADDRESS_FIELD = /^(to|from|phonenumber|recipient|sender)$/;
const PHONE = /\d{8,20}/g;
const DEEPEST = 8;

/** A number as logs may show it: enough to recognise, too little to call. */
export const shortNumber = (number: string): string =>
  number.replace(PHONE, (digits) => `${digits.slice(0, 4)}…${digits.slice(-2)}`);

const isPlain = (value: unknown): value is string | number | bigint =>
  ["string", "number", "bigint"].includes(typeof value);

/**
 * What a log line shows of the field `name`: secrets and addresses at every depth as their names tell, errors by type,
 * message, stack and cause alone.
 */
const shown = (name: string, value: unknown, depth: number): unknown => {
  const field = name.replace(/[-_]/g, "").toLowerCase();
  if (value === undefined || value === null) return value;
  if (SECRET_FIELD.test(field)) return "[redacted]";
  if (isPlain(value)) return ADDRESS_FIELD.test(field) ? shortNumber(String(value)) : value;
  if (typeof value !== "object") return value;
  if (value instanceof Date) return value;
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
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

// pino does not pass the bindings of a child through its formatters
const wrapped = (logger: Logger): Log => ({
  debug: logger.debug.bind(logger),
  info: logger.info.bind(logger),
  warn: logger.warn.bind(logger),
  error: logger.error.bind(logger),
  child: (bindings) => wrapped(logger.child(shownFields(bindings))),
});

/** The same log, which also says of what level each warning and error is. */
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
 * Whether what is written to stdout goes to systemd's journal, which names the device and inode of the pipe that it has
 * given.
 */
const isJournal = (): boolean => {
  const { dev, ino } = fstatSync(STDOUT);
  return process.env["JOURNAL_STREAM"] === `${dev}:${ino}`;
};

/** Syslog's numbers, by which the journal sorts lines that begin with them. */
const PRIORITIES: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

const withPriority = (stream: LineStream): LineStream => ({
  write: (line) => stream.write(`<${PRIORITIES[/^\{"level":"(\w+)"/.exec(line)?.[1] ?? "info"]}>${line}`),
});

type Destination = ReturnType<typeof pino.destination>;
let written: Destination | undefined;

const stdout = (): LineStream => {
  const plain = pino.destination({ fd: STDOUT, sync: false });
  // the library's own repeats for ever what fails where nobody reads any more, and with it the process never ends
  plain.flushSync = () => {};
  written = plain;
  return isJournal() ? withPriority(plain) : plain;
};

/** What nobody has read by then is not waited for. */
const END_MS = 1000;

/** Nothing more is logged to stdout. Resolves when what was logged is written, after a second at the latest. */
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
 * JSON lines on stdout (fd 1), each after its priority where that is systemd's journal, or on the given stream; secrets
 * are replaced by field name, addresses shortened.
 */
export const createLog = (level: LogLevel, stream: LineStream = stdout()): Log =>
  wrapped(
    pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        // not pino's `redact`: its paths name a depth, and a secret one level deeper would pass
        formatters: { level: (label) => ({ level: label }), log: (fields) => shownFields(fields) },
        serializers: { err: (shownError: unknown) => shownError },
      },
      stream,
    ),
  );
