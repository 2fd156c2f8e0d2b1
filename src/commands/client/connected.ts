import { type Gateway, Recado, RecadoConnectionError, RecadoError } from "../../../clients/typescript/src/index.ts";
import { fetchFromOwn } from "../../adapters/http/own-server.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { remoteOf } from "../remote.ts";
import { onSignal } from "../signals.ts";
import { plain } from "./text.ts";

/** The input of the command is unusable; the message says why. */
export class InputFault extends Error {
  override readonly name = "InputFault";
}

/** The client of a command. `ended` aborts when the user ends the command, or its output is no longer read. */
export type Session = { recado: Recado; ended: AbortSignal };

type Options = { name: string; url: string | undefined };

/**
 * Runs `work` with the client of the account whose key is set. Prints missing settings and refusals; resolves to the
 * exit code.
 */
export const withClient = async (
  { env, err, unread }: CommandContext,
  { name, url }: Options,
  work: (session: Session) => Promise<number>,
): Promise<number> => {
  const remote = remoteOf(env, { url });
  if (typeof remote === "string") {
    err(`recado ${name}: ${remote}`);
    return EXIT.usage;
  }
  const recado = new Recado({ url: remote.url, apiKey: remote.key, fetch: fetchFromOwn });
  const ended = AbortSignal.any([unread, onSignal()]);
  try {
    return await work({ recado, ended });
  } catch (error) {
    if (ended.aborted) return unread.aborted ? EXIT.ok : EXIT.fault; // running requests were ended with it
    const [reason, code] = reasonIn(error);
    err(`recado ${name}: ${reason}`);
    return code;
  }
};

const reasonIn = (error: unknown): [reason: string, code: number] => {
  if (error instanceof RecadoError) return [refusalOf(error), EXIT.fault];
  if (error instanceof RecadoConnectionError) return [error.message, EXIT.fault];
  if (error instanceof InputFault) return [error.message, EXIT.usage];
  throw error;
};

/** A refusal for people: the server's sentence, the invalid fields, and the code. */
const refusalOf = ({ message, code, details }: RecadoError): string =>
  plain([message, ...fieldsIn(details)].join(" ") + ` (${code})`);

const fieldsIn = (details: unknown): string[] => {
  const { fieldErrors } = (details ?? {}) as { fieldErrors?: Readonly<Record<string, readonly string[]>> };
  return Object.entries(fieldErrors ?? {}).flatMap(([field, faults]) => faults.map((fault) => `${field} ${fault}.`));
};

type Following<Answer> = {
  phoneId: string;
  types: readonly Gateway.GatewayEvent["type"][];
  ended: AbortSignal;
  /** Called each time that the stream has been opened, so that nothing is missed. */
  look(): Promise<Answer | undefined>;
  onEvent(event: Gateway.GatewayEvent): Promise<Answer | undefined>;
};

/**
 * Follows the events of a phone until one of them, or a look at the present state, gives an answer. Undefined when
 * `ended` aborts before.
 */
export const followUntil = async <Answer>(
  recado: Recado,
  { phoneId, types, ended, look, onEvent }: Following<Answer>,
): Promise<Answer | undefined> => {
  const found = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
  const take = (answer: Promise<Answer | undefined>) =>
    void answer.then((value) => (value === undefined ? undefined : resolve(value)), reject);
  const follow = async () => {
    const signal = AbortSignal.any([ended, found.signal]);
    for await (const event of recado.events.stream({ phoneId, types, signal, onOpen: () => take(look()) }))
      if (event.type !== "gap") take(onEvent(event));
    resolve(undefined);
  };
  follow().catch(reject);
  try {
    return await promise;
  } finally {
    found.abort();
  }
};
