import type { Env } from "../../core/env.ts";
import type { Actor } from "../../core/tenancy/audit.ts";
import type { LimitEnv } from "../../core/tenancy/limits.ts";
import type { BodyIntake } from "./body-intake.ts";
import type { NeededLink } from "./route-table.ts";

/** What the faces need besides the core's Env. */
export type FaceEnv = Env &
  LimitEnv & {
    intake: BodyIntake;
    /** The admin token that the operator has configured. */
    adminToken: string | undefined;
    /** An admin token that only those know who hold the master key: the commands of this machine. */
    localToken: string;
    version: { version: string; commit: string; startedAt: number };
    /** What must work for requests to be served, checked now. */
    readiness(): Promise<{ database: boolean; cache: boolean; storage: boolean }>;
    /** All figures in Prometheus' text format, at most a few seconds old. */
    scrape(): Promise<string>;
    /** Moves the clock and resolves with its new time once everything that became due has been started; undefined unless the operator enabled it. */
    advanceClock: ((byMs: number, actor: Actor) => Promise<number>) | undefined;
    /** Where several nodes serve: has the one answer that has the link which the request needs. Undefined, also as its answer, where this one is to. */
    elsewhere?: ((asked: Asked) => Promise<Response | undefined>) | undefined;
  };

/** A request whose sender is known, and which needs a channel's live link. */
export type Asked = { request: Request; requestId: string; link: NeededLink };

/** Where a face is mounted: the path of its base URL, without a slash at its end. */
export type Mount = { prefix: string; url: string };

/** The env as whoever acts has it: what they do is recorded as theirs. */
export const actingAs = (env: FaceEnv, { actor }: { actor: Actor }): FaceEnv => ({ ...env, actor });
