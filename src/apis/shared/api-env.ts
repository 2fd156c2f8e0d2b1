import type { LimitEnv } from "../../core/tenancy/accounts/limits.ts";
import type { BodyIntake } from "./http/body-intake.ts";
import type { NeededLink } from "./route-table.ts";

/** The environment of every API, besides that of the core. */
export type ApiEnv = LimitEnv & {
  intake: BodyIntake;
  version: { version: string; commit: string; startedAt: number };
  /** The address of the API that is compatible with the Cloud API; undefined if it is off. */
  cloudUrl(): string | undefined;
  /**
   * In a cluster: forwards a request to the node that holds the live link that it needs. Undefined, or a result of
   * undefined, means that this node answers.
   */
  elsewhere?: ((asked: Asked) => Promise<Response | undefined>) | undefined;
};

/** An authenticated request that needs a channel's live link. */
export type Asked = { request: Request; requestId: string; link: NeededLink };

/** Where an API is mounted. `prefix`: the path of its base URL, without a trailing slash. `url`: its public URL. */
export type Mount = { prefix: string; url(): string };
