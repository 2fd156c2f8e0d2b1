import type { MediaEnv } from "../media/env.ts";

/** What the functions of `conversations` may ask for. */
export type ConversationsEnv = MediaEnv;
