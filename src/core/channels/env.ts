import type { KeptFile } from "../../contract/ports/kept-files.ts";
import type { MadeStandard, MadeSticker, MadeThumbnail } from "../../contract/ports/pictures.ts";
import type { Proxies } from "../../contract/ports/proxy.ts";
import type { MadeVoice, MadeWav } from "../../contract/ports/voice.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { EventsEnv } from "../events/env.ts";
import type { CHANNEL_JOBS } from "./jobs.ts";
import type { Owners } from "./links/owners.ts";
import type { Registry } from "./links/registry.ts";
import type { Supervisor } from "./links/supervisor.ts";

/** The environment of the functions of `channels`. */
export type ChannelsEnv = EventsEnv & {
  registry: Registry;
  owners: Owners;
  proxies: Proxies;
  supervisor: Supervisor;
  /** Opens a file that an account keeps here. */
  openKeptFile(tenantId: TenantId, handle: string): Promise<KeptFile | undefined>;
  /** Makes voice notes, for links whose networks accept only one form. Accounts take turns. */
  makeVoice(account: string, body: AsyncIterable<Uint8Array>): Promise<MadeVoice>;
  /** Makes stickers of pictures. Accounts take turns. */
  makeSticker(account: string, bytes: Uint8Array): Promise<MadeSticker>;
  /** Makes small JPEGs of pictures. Accounts take turns. */
  makeThumbnail(account: string, bytes: Uint8Array): Promise<MadeThumbnail>;
  /** Makes pictures in standard quality. Accounts take turns. */
  makeStandard(account: string, bytes: Uint8Array): Promise<MadeStandard>;
  /** Makes WAV of sound, for language models that hear nothing else. Accounts take turns. */
  makeWav(account: string, body: AsyncIterable<Uint8Array>): Promise<MadeWav>;
  /**
   * The URL of the gateway API for clients and upstreams, without a slash at the end. Known once the process listens.
   */
  gatewayUrl(): string;
  /** The URL of the page where the owner of a channel uses a passkey. */
  passkeyPage(token: string): string;
  /** The URL of the page of a pairing link; undefined on a server without the console. */
  pairingPage(token: string): string | undefined;
  /** The jobs that `channels` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof CHANNEL_JOBS>>;
};
