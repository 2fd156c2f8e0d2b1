import type { Actor } from "../../core/tenancy/audit.ts";
import type { LimitEnv } from "../../core/tenancy/limits.ts";
import type { BodyIntake } from "./body-intake.ts";
import type { NeededLink } from "./route-table.ts";

/** What each API needs beside what the core asks for. */
export type ApiEnv = LimitEnv & {
  intake: BodyIntake;
  version: { version: string; commit: string; startedAt: number };
  /**
   * Where several nodes serve: has the one answer that has the link which the request needs. Undefined, also as its
   * answer, where this one is to.
   */
  elsewhere?: ((asked: Asked) => Promise<Response | undefined>) | undefined;
};

/** A request whose sender is known, and which needs a channel's live link. */
export type Asked = { request: Request; requestId: string; link: NeededLink };

/** Where a face is mounted: the path of its base URL, without a slash at its end. */
export type Mount = { prefix: string; url: string };

/** The env as whoever acts has it: what they do is recorded as theirs. */
export const actingAs = <Env extends { actor: Actor }>(env: Env, { actor }: { actor: Actor }): Env => ({
  ...env,
  actor,
});
