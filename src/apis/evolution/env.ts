import type { Env } from "../../core/env.ts";
import type { ApiEnv } from "../shared/api-env.ts";

/** The environment of the API that is compatible with Evolution's. */
export type EvolutionEnv = Env & ApiEnv;
