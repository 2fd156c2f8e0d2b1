import type { ApiEnv } from "../../apis/shared/api-env.ts";
import type { Env } from "../../core/env.ts";
import type { AdminEnv } from "../../core/tenancy/keys/admin-token.ts";

/** The environment of the console's pages. */
export type ConsoleEnv = Env & ApiEnv & AdminEnv;
