import type { UpstreamError } from "../../src/contract/upstream.ts";

const MAX_TEXT_LENGTH = 500;

/**
 * Why a call did not succeed.
 * - `error`: an answer that says no; `code` is Graph's, missing where somebody else answered in its place.
 * - `unreadable`: an answer that says yes, but not what.
 * - `silence`: no answer; `mayHaveArrived` is false only when no byte can have left.
 */
export type GraphFault =
  | { kind: "error"; status: number; code?: number; text: string; regainAccessMs: number; said: UpstreamError }
  | { kind: "unreadable"; status: number }
  | { kind: "silence"; failure: string; mayHaveArrived: boolean };

/** The text of an upstream error as a customer sees it: the number first, then title and details, each once. */
export const upstreamText = (code: number, title?: string, details?: string): string => {
  const bare = (title ?? "").replace(/^\(#\d+\)\s*/, "");
  const parts = [...new Set([bare, details ?? ""])].filter(Boolean);
  return `(#${code}) ${parts.join(": ")}`.trim().slice(0, MAX_TEXT_LENGTH);
};
