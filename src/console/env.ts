import type { ApiEnv } from "../apis/shared/api-env.ts";
import type { Env } from "../core/env.ts";
import type { AdminEnv } from "../core/tenancy/admin-token.ts";

/** What the console's pages ask for. */
export type ConsoleEnv = Env & ApiEnv & AdminEnv;
