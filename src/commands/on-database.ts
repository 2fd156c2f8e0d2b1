import { fetchFromOwn } from "../adapters/http/own-server.ts";
import { composeOffline } from "../app.ts";
import type { ServerEnv } from "../composition.ts";
import { reasonOf } from "../kernel/errors.ts";
import { createLog } from "../kernel/log.ts";
import { streamOf } from "../kernel/network/bodies.ts";
import type { Config } from "../kernel/settings/config.ts";
import { parsedJson } from "../kernel/texts/json.ts";
import { ConfigFault, localTokenOf, type Serving, servingOf } from "../setup.ts";
import { DatabaseInUse } from "../store/engine/db.ts";

/** Posts to a path below `/v1/admin`; resolves with the JSON of the answer, throws for a refusal. */
export type AskServer = (path: string, body?: object) => Promise<Record<string, unknown>>;

/** The same, but resolves with the response, for bodies that are read as a stream. */
export type OpenOnServer = (path: string, body?: object) => Promise<Response>;

/** Posts a file; resolves with the JSON of the answer, throws for a refusal. */
export type SendToServer = (path: string, file: SentFile) => Promise<Record<string, unknown>>;
type SentFile = { contentType: string; body: AsyncIterable<Uint8Array> };

/** The same work directly on the database, and through the server that has it open. */
type Work<Result> = {
  offline(env: ServerEnv): Promise<Result>;
  served(ask: AskServer, open: OpenOnServer, send: SendToServer): Promise<Result>;
};

/**
 * Works on the database. If a server has it open, and only that server may write, works through its admin API with a
 * token that follows from the master key.
 */
export const onDatabase = async <Result>(config: Config, { offline, served }: Work<Result>): Promise<Result> => {
  try {
    const { env, close } = await composeOffline(config, createLog("error"));
    try {
      return await offline(env);
    } finally {
      await close();
    }
  } catch (thrown) {
    if (!(thrown instanceof DatabaseInUse)) throw thrown;
    const serving = servingOf(config);
    if (serving) {
      const post = posterOf(config, serving);
      const open: OpenOnServer = (path, body = {}) => post(path, JSON.stringify(body), "application/json");
      const answered = async (answer: Response) => (await answer.json()) as Record<string, unknown>;
      return served(
        async (path, body) => answered(await open(path, body)),
        open,
        async (path, { body, contentType }) => answered(await post(path, streamOf(body), contentType)),
      );
    }
    throw new Error(`${thrown.message}, and that program accepts no requests: try again in a moment`, {
      cause: thrown,
    });
  }
};

type Post = (path: string, body: string | ReadableStream<Uint8Array>, contentType: string) => Promise<Response>;

const posterOf = (config: Config, { gatewayUrl, host }: Serving): Post => {
  const headers = {
    prefer: "handling=strict",
    "x-admin-token": localTokenOf(config),
    host,
  };
  return async (path, body, contentType) => {
    const answer = await fetchFromOwn(`${gatewayUrl}/v1/admin${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": contentType },
      body,
    }).catch((cause: unknown) => {
      throw new Error(`the server at ${gatewayUrl} does not answer (${reasonOf(cause)}): try again once it runs`, {
        cause,
      });
    });
    if (answer.status === 403)
      throw new ConfigFault(
        `the server at ${gatewayUrl} has another master key: use its RECADO_MASTER_KEY and RECADO_DATA_DIR`,
      );
    if (!answer.ok)
      throw new Error(`the server at ${gatewayUrl} refused (HTTP ${answer.status}): ${refusalIn(await answer.text())}`);
    return answer;
  };
};

type Refusal = { error?: { message?: string; details?: { fieldErrors?: Record<string, string[]> } } };

/** The message of a refusal, with the fault of each field, as the command prints it without a server. */
const refusalIn = (text: string): string => {
  const { error } = (parsedJson(text) ?? {}) as Refusal;
  if (error?.message === undefined) return text;
  const faults = Object.entries(error.details?.fieldErrors ?? {}).map(
    ([field, texts]) => `${field} ${texts.join(", ")}`,
  );
  return [error.message, ...faults].join(" ");
};
