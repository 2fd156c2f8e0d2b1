import type { WASocket } from "@whiskeysockets/baileys";
import { type UpstreamFailure, type UpstreamResult, unavailable } from "../../src/contract/upstream.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import type { ActiveSocket, Stanza } from "./active-socket.ts";

/** Ends a call with its result, from anywhere inside it. */
export class Ended extends Error {
  override name = "Ended";
  readonly failure: UpstreamFailure;
  constructor(failure: UpstreamFailure) {
    super("the call has ended");
    this.failure = failure;
  }
}

/** A refusal of the network, or a refusal in its place. */
export const refusal = (message: string, code: number | null = null): UpstreamFailure => ({
  ok: false,
  kind: "refused",
  error: { code, error_subcode: null, message },
});

/** The call is held back, because the network punishes more of them. */
export const tooSoon = (reason: string, retryAfterMs: number): UpstreamFailure => ({
  ...unavailable(reason),
  retryAfterMs,
  isOwnLimit: true,
});

/** TABLE: the numbers by which the network refuses questions. */
export const WORDS: Readonly<Record<number, string>> = {
  400: "the network found the request malformed",
  401: "the network does not allow this account to do that, or to see it",
  403: "this account is not an administrator, or not a member",
  404: "the network does not know it",
  405: "the network does not offer it",
  406: "the network does not accept the value",
  409: "it has changed meanwhile, or is so already",
  410: "it was revoked",
  419: "there are too many of them",
  429: "the network wants fewer requests",
};

/** TABLE: refusals that the network names by a word, whatever their number. */
const BY_WORD: Readonly<Record<string, string>> = {
  account_reachout_restricted: "the network restricts this account for some hours or days",
};

/** Sends a question to the network, and gives its answer. @throws Ended without an answer */
export const ask = async (sock: Pick<WASocket, "query">, question: Stanza): Promise<Stanza> => {
  // it is `undefined` when no answer came in time, whatever its type says
  const answer = (await sock.query(question)) as Stanza | undefined;
  if (!answer) throw new Ended({ ...unavailable("the network did not answer"), mayHaveHappened: true });
  return answer;
};

const CONNECTION_CLOSED = 428;

type LibraryError = { isBoom: true; data: unknown; message: string; output: { statusCode: number } };
const isLibraryError = (thrown: unknown): thrown is LibraryError =>
  typeof thrown === "object" && thrown !== null && "isBoom" in thrown && thrown.isBoom === true;

/** The meaning of an error of the library, or of a question, for its call. */
export const failureOf = (thrown: unknown): UpstreamFailure => {
  if (thrown instanceof Ended) return thrown.failure;
  if (!isLibraryError(thrown)) return { ...unavailable(reasonOf(thrown)), mayHaveHappened: true };
  const { data, output } = thrown;
  if (typeof data === "number" && data >= 400 && data < 500)
    return refusal(BY_WORD[thrown.message] ?? WORDS[data] ?? `the network refused it (${data})`, data);
  return { ...unavailable(thrown.message), mayHaveHappened: output.statusCode !== CONNECTION_CLOSED };
};

/** Runs a call on the open socket. Never throws. */
export const onSocket = async <Value>(
  activeSocket: ActiveSocket | undefined,
  call: (open: ActiveSocket) => Promise<Value>,
): Promise<UpstreamResult<Value>> => {
  if (!activeSocket) return unavailable("the channel is not connected");
  try {
    return { ok: true, value: await call(activeSocket) };
  } catch (thrown) {
    return failureOf(thrown);
  }
};

/** A question or a change: `iq[type xmlns to]{…}`. */
export const iq = (
  type: "get" | "set",
  { xmlns, to, ...more }: { xmlns: string; to: string } & Record<string, string>,
  content?: Stanza[],
): Stanza => ({ tag: "iq", attrs: { type, xmlns, to, ...more }, ...(content === undefined ? {} : { content }) });

/** A stanza; without `content` it is empty. */
export const node = (tag: string, attrs: Record<string, string> = {}, content?: Stanza["content"]): Stanza => ({
  tag,
  attrs,
  ...(content === undefined ? {} : { content }),
});

/** The text of a stanza. */
export const textIn = (stanza: Stanza | undefined): string => {
  const content = stanza?.content;
  if (typeof content === "string") return content;
  return content instanceof Uint8Array ? Buffer.from(content).toString() : "";
};
