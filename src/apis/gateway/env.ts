import type { Machine } from "../../contract/ports/machine.ts";
import type { Env } from "../../core/env.ts";
import type { Requester } from "../../core/tenancy/audit/audit.ts";
import type { AdminEnv } from "../../core/tenancy/keys/admin-token.ts";
import type { ApiEnv } from "../shared/api-env.ts";

/** The environment of the gateway API. */
export type GatewayEnv = Env &
  ApiEnv &
  AdminEnv & {
    /** An admin token derived from the master key, for the commands of this machine. */
    localToken: string;
    machine: Machine;
    /** Checks whether the server can answer requests now. */
    readiness(): Promise<{ database: boolean; cache: boolean; storage: boolean }>;
    /**
     * Advances the test clock, and resolves with the new time when all due work has started. Undefined unless the
     * operator enabled it.
     */
    advanceClock: ((byMs: number, by: Requester) => Promise<number>) | undefined;
  };
