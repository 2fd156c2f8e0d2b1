import { type Logger, pino } from "pino";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error"> & { child(bindings: Record<string, unknown>): Log };
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** Fields whose values must never reach a log line, wherever a caller puts them. */
const SECRET_FIELD = /^(key|text|body|content|caption)$|(authorization|cookie|password|secrets?|token|apikey|masterkey|privatekey)$/;
/** Fields that hold addresses of people. */
const ADDRESS_FIELD = /^(to|from|phonenumber|recipient|sender)$/;
const PHONE = /\d{8,20}/g;
const DEEPEST = 8;

/** A number as logs may show it: enough to recognise, too little to call. */
export const shortNumber = (number: string): string => number.replace(PHONE, (digits) => `${digits.slice(0, 4)}…${digits.slice(-2)}`);

const isPlain = (value: unknown): value is string | number | bigint => ["string", "number", "bigint"].includes(typeof value);

/** What a log line shows of the field `name`: secrets and addresses at every depth as their names tell, errors by type, message, stack and cause alone. */
const shown = (name: string, value: unknown, depth: number): unknown => {
  const field = name.replace(/[-_]/g, "").toLowerCase();
  if (value === undefined || value === null) return value;
  if (SECRET_FIELD.test(field)) return "[redacted]";
  if (isPlain(value)) return ADDRESS_FIELD.test(field) ? shortNumber(String(value)) : value;
  if (typeof value !== "object") return value;
  if (value instanceof Date) return value;
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (depth === DEEPEST) return "[deep]";
  if (value instanceof Error) return { type: value.name, message: value.message, stack: value.stack, cause: shown("cause", value.cause, depth + 1) };
  return Array.isArray(value) ? value.map((one) => shown(name, one, depth + 1)) : shownFields(value, depth + 1);
};

const shownFields = (fields: object, depth = 0): Record<string, unknown> => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(name, value, depth)]));

// pino does not pass the bindings of a child through its formatters
const wrapped = (logger: Logger): Log => ({
  debug: logger.debug.bind(logger),
  info: logger.info.bind(logger),
  warn: logger.warn.bind(logger),
  error: logger.error.bind(logger),
  child: (bindings) => wrapped(logger.child(shownFields(bindings))),
});

/** JSON lines on stdout (fd 1) or the given stream; secrets are replaced by field name, addresses shortened. */
export const createLog = (level: LogLevel, stream?: { write(line: string): void }): Log =>
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
      stream ?? pino.destination({ fd: 1, sync: false }),
    ),
  );
