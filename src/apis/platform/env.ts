import type { Env } from "../../core/env.ts";
import type { ApiEnv } from "../shared/api-env.ts";

/** The environment of the platform API. */
export type PlatformEnv = Env & ApiEnv;
