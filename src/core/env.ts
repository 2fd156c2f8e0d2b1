import type { ReadText } from "../contract/documents.ts";
import type { Http } from "../contract/http.ts";
import type { Llm } from "../contract/llm.ts";
import type { Mailer } from "../contract/mail.ts";
import type { Processor } from "../contract/processor.ts";
import type { KeyedSemaphore } from "../kernel/async.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Secrets, Tokens } from "../kernel/crypto.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Random } from "../kernel/random.ts";
import type { Enqueuer } from "../runtime/jobs.ts";
import type { Node } from "../runtime/node.ts";
import type { Db, Tx } from "../store/db.ts";
import type { Owners } from "./channels/owners.ts";
import type { Registry } from "./channels/registry.ts";
import type { Supervisor } from "./channels/supervisor.ts";
import type { PublishedFact, Renderers } from "./events/fact.ts";
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
  renderers: Renderers;
  /** Where clients and upstreams find the gateway API, without a slash at the end; known once the process listens. */
  gatewayUrl(): string;
  /** A page of the console for somebody who was sent a link: what it opens, and by what token. */
  linkTo(page: "invitation" | "reset-password" | "verify-email", token: string): string;
  stream: EventStream;
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

/** Backups of the database at the operator's place. `pattern` is the timetable's. */
export type Backups = {
  readonly pattern: string;
  /** Makes one that is of this time, checks it and keeps it under a name that says which installation's it is; then the oldest of that one go. Never throws. */
  make(atMs: number, installation: string): Promise<BackupOutcome>;
  /** Ends the one that is being made: the process stops. */
  stop(): void;
};

/** `files` of messages are listed in it. `removed` older ones are gone. `warning`: what did not keep it from being made. */
export type BackupOutcome =
  | { ok: true; name: string; sizeBytes: number; files: number; durationMs: number; removed: number; warning?: string }
  | { ok: false; error: string; isStopped: boolean };

/** What is done with files: kept for good, held while they are looked at, and recognised. */
export type Files = {
  store: FileStore;
  /** Writes a body of unknown size and honesty to a private file, where it lies until it is disposed of. Throws only when our own disk fails. */
  spool(body: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<SpoolResult>;
  /** The media type that a file's first 4100 bytes show, such as `image/webp`, `audio/ogg; codecs=opus` for voice; undefined when they show none. */
  sniffedType(head: Uint8Array): Promise<string | undefined>;
};

/**
 * Where files lie: a directory or a bucket. A key is one to four names joined by slashes, each of 1 to 200 of `A-Z a-z 0-9 . _ -` and not beginning
 * with a dot; every function throws for anything else. A key is never the beginning of another's path.
 */
export type FileStore = {
  /**
   * Nothing is seen at `key` before all of it is there, what was there before stays until then, and nothing stays behind after a failure. Throws when
   * the body throws or is not of the announced size, and when the store fails. `sha256` is in hex.
   */
  put(key: string, body: AsyncIterable<Uint8Array>, facts: { contentType: string; sizeBytes?: number }): Promise<{ sizeBytes: number; sha256: string }>;
  /** Undefined when nothing lies there. Nothing is opened before the body is read, and reading throws when the file breaks off or has gone meanwhile. */
  read(key: string): Promise<{ body: ReadableStream<Uint8Array>; sizeBytes: number } | undefined>;
  /** Also succeeds when nothing lies there. */
  remove(key: string): Promise<void>;
  /**
   * An address at which the store itself serves the file as an attachment, to whoever has it and for so long; absent where the store serves nothing.
   * Its time is that of the machine and of the store, not the clock's: a store refuses what was signed in its future.
   */
  urlOf?(key: string, terms: { ttlSeconds: number; filename: string | undefined; contentType: string }): string;
  /** Rejects when nothing can be written. */
  check(): Promise<void>;
};

/** `too-large`: the body has more than `maxBytes`, of which no more were kept. `broken`: reading it threw. Nothing is kept of either. */
export type SpoolResult = ({ ok: true } & Spooled) | { ok: false; failure: "too-large" | "broken"; message: string };

/** A file that lies in private until `dispose`, which may be called again. */
export type Spooled = {
  path: string;
  sizeBytes: number;
  sha256: { hex: string; base64: string };
  /** The first 4100 bytes, or all when there are fewer. */
  head: Uint8Array;
  /** The whole of it, as often as it is asked for. */
  stream(): AsyncIterable<Uint8Array>;
  dispose(): Promise<void>;
};
