import { type Log, shortNumber } from "../../../src/kernel/log.ts";

/** The interface that Baileys expects of a logger. */
export type SocketLog = {
  level: string;
  child(): SocketLog;
  trace(): void;
  debug(): void;
  info(): void;
  warn(fields: unknown, message?: string): void;
  error(fields: unknown, message?: string): void;
};

/** TABLE: warnings about reports that the library does not read and this adapter does (`newsletters/reports.ts`). */
const READ_HERE: ReadonlySet<string> = new Set([
  "Unknown newsletter notification child",
  "invalid mex newsletter notification",
  "invalid mex newsletter notification content",
]);

const LONGEST_MESSAGE = 200;
/** A text is looked at no further: what a cut here leaves of a key is far behind the end of the message. */
const LOOKED_AT = 10_000;

/**
 * The log of one socket, from warnings on. Baileys passes whole stanzas, keys and messages to its logger. Only the name
 * and text of an error are logged, without anything that could be a key or a number.
 */
export const socketLog = (log: Log): SocketLog => {
  const self: SocketLog = {
    level: "warn",
    child: () => self,
    trace: () => {},
    debug: () => {},
    info: () => {},
    warn: (fields, message) => {
      if (!READ_HERE.has(message ?? "")) log.warn({ cause: causeIn(fields) }, lineOf(fields, message));
    },
    // an error that ends the socket is reported by its end; no other error needs an operator
    error: (fields, message) => log.warn({ cause: causeIn(fields) }, lineOf(fields, message)),
  };
  return self;
};

const lineOf = (fields: unknown, message: string | undefined): string =>
  `session socket: ${plain(message ?? (typeof fields === "string" ? fields : "no message"))}`;

const causeIn = (fields: unknown): string | undefined => {
  if (typeof fields !== "object" || fields === null) return undefined;
  const error = [fields, ...(Object.values(fields) as unknown[])].find((value) => value instanceof Error);
  return error ? plain(`${error.name}: ${error.message}`) : undefined;
};

/** Removes long unbroken texts (keys, ids, QR codes) and shortens numbers, before a cut could make them look short. */
const plain = (text: string): string =>
  shortNumber(text.slice(0, LOOKED_AT).replace(/[A-Za-z0-9+/=_-]{20,}/g, "…")).slice(0, LONGEST_MESSAGE);
