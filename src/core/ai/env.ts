import type { ReadText } from "../../contract/ports/documents.ts";
import type { Llm } from "../../contract/ports/llm.ts";
import type { ShrinkPicture } from "../../contract/ports/pictures.ts";
import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { MessagingEnv } from "../messaging/env.ts";
import type { LimitEnv } from "../tenancy/accounts/limits.ts";
import type { AI_JOBS } from "./jobs.ts";

/** The environment of the functions of `ai`. */
export type AiEnv = MessagingEnv &
  LimitEnv & {
    config: Pick<Config, "llmUrl" | "llmTokens">;
    llm: Llm;
    /** Requests that wait for a provider of language models, by tenant. */
    llmTurns: KeyedSemaphore;
    readText: ReadText;
    shrinkPicture: ShrinkPicture;
    /** Limits the documents in memory (`fetching`), and the number of them that are parsed at once (`reading`). */
    fetching: KeyedSemaphore;
    reading: KeyedSemaphore;
    /** The background work that ai enqueues. */
    jobs: Enqueuer<PayloadsOf<typeof AI_JOBS>>;
  };
