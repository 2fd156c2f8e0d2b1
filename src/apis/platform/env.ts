import type { Env } from "../../core/env.ts";
import type { ApiEnv } from "../shared/api-env.ts";

/** What the platform API asks for. */
export type PlatformEnv = Env & ApiEnv;
