import type { Backups } from "../contract/backups.ts";
import type { ReadText } from "../contract/documents.ts";
import type { Files } from "../contract/files.ts";
import type { Http } from "../contract/http.ts";
import type { Llm } from "../contract/llm.ts";
import type { Mailer } from "../contract/mail.ts";
import type { Processor } from "../contract/processor.ts";
import type { KeyedSemaphore } from "../kernel/async.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Secrets, Tokens } from "../kernel/crypto.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Random } from "../kernel/random.ts";
import type { Enqueuer } from "../runtime/jobs.ts";
import type { Node } from "../runtime/node.ts";
import type { Db, Tx } from "../store/db.ts";
import type { Owners } from "./channels/owners.ts";
import type { Registry } from "./channels/registry.ts";
import type { Supervisor } from "./channels/supervisor.ts";
import type { Audiences } from "./events/audience.ts";
import type { PublishedFact } from "./events/fact.ts";
import type { EventStream } from "./events/stream.ts";
import type { GroupRequests } from "./groups/requests.ts";
import type { JobPayloads } from "./job-payloads.ts";
import type { Actor } from "./tenancy/audit.ts";
import type { KeyUse } from "./tenancy/key-use.ts";
import type { Passwords } from "./tenancy/passwords.ts";

/** What the core may ask for; a core function names the part it needs. Put together in composition.ts, and in the tests' World. */
export type Env = {
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  /** On whose behalf this env is used; the server's own, unless a face or a command says otherwise. */
  actor: Actor;
  config: Pick<
    Config,
    "registration" | "defaultPlan" | "uncertainSends" | "ringTimeoutSeconds" | "limits" | "llmUrl" | "llmTokens" | "billingTz" | "processor" | "keep" | "dataDir"
  >;
  db: Db;
  secrets: Secrets;
  tokens: Tokens;
  passwords: Passwords;
  /** What customers point it to; `to` is for somebody else, by the name under which such requests are counted. */
  http: Http & {
    isUrlAllowed(url: string): boolean;
    isPrivateUrl(url: string): boolean;
    refusalOf(url: string): Promise<string | undefined>;
    to(peer: string): Http;
    close(): void;
  };
  files: Files;
  /** Undefined where the operator has named no place for backups. */
  backups: Backups | undefined;
  jobs: Enqueuer<JobPayloads>;
  registry: Registry;
  /** This process among those that serve the database, and which channels are its own. */
  node: Node;
  owners: Owners;
  supervisor: Supervisor;
  audiences: Audiences;
  /** Where clients and upstreams find the gateway API, without a slash at the end; known once the process listens. */
  gatewayUrl(): string;
  /** A page of the console for somebody who was sent a link: what it opens, and by what token. */
  linkTo(page: "invitation" | "reset-password" | "verify-email", token: string): string;
  stream: EventStream;
  /** Ends the event streams of a tenant: what allowed them is gone. */
  endStreams(tenantId: TenantId): void;
  /** What else a fact causes, in the write that publishes it. */
  react(tx: Tx, published: PublishedFact): Promise<void>;
  llm: Llm;
  /** Requests that wait for a provider of language models, by tenant. */
  llmTurns: KeyedSemaphore;
  readText: ReadText;
  /** Documents that are being fetched and then read: each takes memory for so long. And those of them that are being read. */
  fetching: KeyedSemaphore;
  reading: KeyedSemaphore;
  /** Undefined where the operator has configured none. */
  processor: Processor | undefined;
  mailer: Mailer | undefined;
  keyUse: KeyUse;
  /** Who waits for what became of a group that was asked for. */
  groupRequests: GroupRequests;
  /** Idempotency keys whose first request is being answered. */
  beingAccepted: Set<string>;
  /** Files that are being fetched from networks, by kind of channel, and that customers upload, by tenant: each takes room on our disk for so long. */
  downloads: KeyedSemaphore;
  uploads: KeyedSemaphore;
  /** What is asked of the payment processor, one thing at a time for each invoice and each customer. */
  charging: KeyedSemaphore;
  /** What is done to a call, by its id: one thing after the other, each as the one before has left it. */
  callActs: KeyedSemaphore;
  /** Sends that have an unknown template looked for at the network, by channel. */
  templateSyncs: KeyedSemaphore;
};
