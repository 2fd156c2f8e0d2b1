import type { WASocket } from "@whiskeysockets/baileys";
import { isRecord, parsedJson } from "../../../src/kernel/texts/json.ts";
import { type ActiveSocket, childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { iq, node, textIn } from "../ask.ts";

/** A question of the network's GraphQL kind, and the field of the data that answers it. */
export type MexQuestion = { queryId: string; variables: object; field: string };

/** The data of an answer, and the code of its first error, if it has one. */
type MexAnswer = { data: Record<string, unknown>; error?: string };

/**
 * Asks the network, and gives its whole answer; undefined for an answer that cannot be read.
 * @throws errors of the library
 */
export const mexAnswer = async (
  sock: Pick<WASocket, "query">,
  { queryId, variables }: Omit<MexQuestion, "field">,
): Promise<MexAnswer | undefined> => {
  const query = node("query", { query_id: queryId }, Buffer.from(JSON.stringify({ variables })));
  const answer: unknown = await sock.query(iq("get", { xmlns: "w:mex", to: "s.whatsapp.net" }, [query]));
  return readMex(childOf(answer as Stanza | undefined, "result"));
};

/**
 * Asks the network. Resolves to the answer's object as the network wrote it, even with words that the library does not
 * know.
 * @throws Error for an answer that is an error or cannot be read, and errors of the library
 */
export const askMex = async (
  sock: Pick<WASocket, "query">,
  { field, ...question }: MexQuestion,
): Promise<Record<string, unknown>> => {
  const read = await mexAnswer(sock, question);
  const found = read?.data[field];
  if (!isRecord(found)) throw new Error(`the network did not answer${read?.error ? `: error ${read.error}` : ""}`);
  return found;
};

/** Calls `take` with the network's own reports under an operation's name. */
export const onMex = (
  { sock, isCurrent }: ActiveSocket,
  { operation, field }: { operation: string; field: string },
  take: (update: Record<string, unknown>) => void,
): void => {
  sock.ws.on("CB:notification,type:mex", (stanza: Stanza) => {
    const update = childrenOf(stanza).find(({ attrs }) => attrs["op_name"] === operation);
    const found = update && readMex(update)?.data[field];
    if (isRecord(found) && isCurrent()) take(found);
  });
};

/** The data of a stanza's JSON, and the code of the first error in it. Undefined for text that is not JSON. */
export const readMex = (stanza: Stanza | undefined): MexAnswer | undefined => {
  try {
    const said: unknown = parsedJson(textIn(stanza));
    if (!isRecord(said)) return undefined;
    const errors: unknown = said["errors"];
    const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
    const code = isRecord(first) && isRecord(first["extensions"]) ? first["extensions"]["error_code"] : undefined;
    const data = isRecord(said["data"]) ? said["data"] : {};
    return { data, ...(typeof code === "number" || typeof code === "string" ? { error: `${code}` } : {}) };
  } catch {
    return undefined;
  }
};

/** A number of the network, which may be a text; undefined for anything else. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** Seconds of the network as milliseconds; undefined for 0 and for invalid times. */
export const timeOf = (value: unknown): number | undefined => {
  const seconds = numberOf(value);
  return seconds !== undefined && seconds > 0 && seconds < 8_640_000_000_000 ? seconds * 1000 : undefined;
};

/** One word of the network, cut to the length of a column. */
export const wordOf = (value: unknown, fallback: string): string =>
  typeof value === "string" && /^\w{1,100}$/.test(value) ? value : fallback;
