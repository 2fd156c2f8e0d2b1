import type { Http } from "../../contract/http.ts";
import type { Enqueuer } from "../../runtime/jobs.ts";
import type { Node } from "../../runtime/node.ts";
import type { Tx } from "../../store/db.ts";
import type { PublishedEvent } from "../domain-event.ts";
import type { JobPayloads } from "../job-payloads.ts";
import type { TenancyEnv } from "../tenancy/env.ts";
import type { Audiences } from "./audience.ts";
import type { EventStream } from "./stream.ts";

/** What the functions of `events` may ask for. */
export type EventsEnv = TenancyEnv & {
  /** What customers point it to; `to` is for somebody else, by the name under which such requests are counted. */
  http: Http & {
    isUrlAllowed(url: string): boolean;
    isPrivateUrl(url: string): boolean;
    refusalOf(url: string): Promise<string | undefined>;
    to(peer: string): Http;
    close(): void;
  };
  /** This process among those that serve the database, and which channels are its own. */
  node: Node;
  audiences: Audiences;
  stream: EventStream;
  /** What else a fact causes, in the write that publishes it. */
  react(tx: Tx, published: PublishedEvent): Promise<void>;
  /** The background work that events enqueues. */
  jobs: Enqueuer<
    Pick<
      JobPayloads,
      | "event.dispatch"
      | "event.retry"
      | "event.fan-out"
      | "subscription.resume"
      | "subscription.retry"
      | "subscription.forget"
    >
  >;
};
