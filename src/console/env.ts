import type { Env } from "../core/env.ts";
import type { AdminEnv } from "../core/tenancy/admin-token.ts";
import type { ApiEnv } from "../faces/shared/face-env.ts";

/** What the console's pages ask for. */
export type ConsoleEnv = Env & ApiEnv & AdminEnv;
