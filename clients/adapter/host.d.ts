/** What a link gets of the process through its host. */

/** Cancels a timer. */
export type Cancel = () => void;

/** The only source of time. Times are milliseconds since the epoch; delays are in milliseconds. */
export type Clock = {
  now(): number;
  /** Calls `fire` once, `delayMs` from now by this clock, unless cancelled before. */
  timer(delayMs: number, fire: () => void): Cancel;
};

/** The only source of randomness. */
export type Random = {
  bytes(count: number): Uint8Array;
  /** Uniform in [0, 1). */
  float(): number;
};

type Line = (fields: object, text?: string) => void;

/** The log of the server. Fields with names of secrets are hidden. */
export type Log = { debug: Line; info: Line; warn: Line; error: Line; child(bindings: Record<string, unknown>): Log };

/** What emphasises a text. */
export type TextMarks = { bold: string; italic: string; strike: string; code: string; block: string };

/** A rule of a schema that a value breaks, and where. */
export type Issue = { path: string; rule: string; message: string };
