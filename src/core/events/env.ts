import type { DeliveryTarget } from "../../contract/ports/delivery-target.ts";
import type { Http } from "../../contract/ports/http.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { Node } from "../../runtime/node.ts";
import type { Tx } from "../../store/engine/db.ts";
import type { PublishedEvent } from "../domain-event.ts";
import type { TenancyEnv } from "../tenancy/env.ts";
import type { Audiences } from "./audience.ts";
import type { EVENT_JOBS } from "./jobs.ts";
import type { Places } from "./places.ts";
import type { EventStream } from "./stream.ts";

/** The environment of the functions of `events`. */
export type EventsEnv = TenancyEnv & {
  /**
   * The client for addresses that customers name. `to` is the client for another peer, whose name labels the requests
   * in the metrics.
   */
  http: Http & {
    isUrlAllowed(url: string): boolean;
    isPrivateUrl(url: string): boolean;
    refusalOf(url: string): Promise<string | undefined>;
    to(peer: string): Http;
    close(): void;
  };
  /** This process among those that serve the database, and the channels that it owns. */
  node: Node;
  audiences: Audiences;
  /** The target of the deliveries, which also decides which URLs a webhook may have. */
  target: DeliveryTarget;
  /** How many deliveries run at once to each endpoint. */
  places: Places;
  stream: EventStream;
  /** The headers that sign a body which is no event, as deliveries are signed; none without a secret. */
  signed(message: { id: string; body: string; secret: string | undefined }): Record<string, string>;
  /** Starts the other effects of a domain event, in the write that publishes it. */
  react(tx: Tx, published: PublishedEvent): Promise<void>;
  /** The jobs that `events` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof EVENT_JOBS>>;
};
