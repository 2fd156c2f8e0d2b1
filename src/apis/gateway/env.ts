import type { Env } from "../../core/env.ts";
import type { AdminEnv } from "../../core/tenancy/admin-token.ts";
import type { Actor } from "../../core/tenancy/audit.ts";
import type { ApiEnv } from "../shared/api-env.ts";

/** What the gateway API asks for. */
export type GatewayEnv = Env &
  ApiEnv &
  AdminEnv & {
    /** An admin token that only those know who hold the master key: the commands of this machine. */
    localToken: string;
    /** What must work for requests to be served, checked now. */
    readiness(): Promise<{ database: boolean; cache: boolean; storage: boolean }>;
    /**
     * Moves the clock and resolves with its new time once everything that became due has been started; undefined unless
     * the operator enabled it.
     */
    advanceClock: ((byMs: number, actor: Actor) => Promise<number>) | undefined;
  };
