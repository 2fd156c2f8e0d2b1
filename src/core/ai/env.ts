import type { ReadText } from "../../contract/ports/documents.ts";
import type { Llm } from "../../contract/ports/llm.ts";
import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer } from "../../runtime/jobs.ts";
import type { JobPayloads } from "../job-payloads.ts";
import type { MessagingEnv } from "../messaging/env.ts";

/** What the functions of `ai` may ask for. */
export type AiEnv = MessagingEnv & {
  config: Pick<Config, "llmUrl" | "llmTokens">;
  llm: Llm;
  /** Requests that wait for a provider of language models, by tenant. */
  llmTurns: KeyedSemaphore;
  readText: ReadText;
  /** Limits the documents in memory (`fetching`), and those of them that are parsed at once (`reading`). */
  fetching: KeyedSemaphore;
  reading: KeyedSemaphore;
  /** The background work that ai enqueues. */
  jobs: Enqueuer<Pick<JobPayloads, "agent.respond" | "agent.forget" | "document.ingest" | "document.forget">>;
};
