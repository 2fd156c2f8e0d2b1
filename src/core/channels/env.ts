import type { Enqueuer } from "../../runtime/jobs.ts";
import type { EventsEnv } from "../events/env.ts";
import type { JobPayloads } from "../job-payloads.ts";
import type { Owners } from "./owners.ts";
import type { Registry } from "./registry.ts";
import type { Supervisor } from "./supervisor.ts";

/** What the functions of `channels` may ask for. */
export type ChannelsEnv = EventsEnv & {
  registry: Registry;
  owners: Owners;
  supervisor: Supervisor;
  /** Where clients and upstreams find the gateway API, without a slash at the end. Known once the process listens. */
  gatewayUrl(): string;
  /** The URL of the page where the owner of a channel uses a passkey. */
  passkeyPage(token: string): string;
  /** The jobs that `channels` enqueues. */
  jobs: Enqueuer<
    Pick<
      JobPayloads,
      "channel.refresh" | "channel.reset" | "channel.unlink" | "channel.announce-qr" | "channel.give-up"
    >
  >;
};
