import type { Env } from "../../core/env.ts";
import type { ApiEnv } from "../shared/api-env.ts";

/** The environment of the API that is compatible with WAHA's. */
export type WahaEnv = Env & ApiEnv;
