import { type Static, Type } from "@sinclair/typebox";
import type { Http } from "../contract/ports/http.ts";
import { issuesOf } from "../kernel/schema.ts";
import { parsedJson } from "../kernel/texts/json.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import type { Reader } from "../store/engine/db.ts";
import { readMeta, writeMeta } from "../store/tables/meta.ts";
import type { Env } from "./env.ts";

const NAME = "updates";
const MAX_BYTES = 16 * 1024;
const TIMEOUT_MS = 15_000;

const Version = Type.String({ pattern: String.raw`^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$` });
/** The file that `npm run release` makes; unknown fields are ignored. */
const ReleaseFile = Type.Object({
  version: Version,
  date: Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }),
  notes: Type.Optional(Type.String({ pattern: String.raw`^https?://\S+$`, maxLength: 1000 })),
  minimum: Type.Optional(Version),
});

/**
 * The newest release. `notes`: the address of its changes. `minimum`: the oldest version that may stay in use; older
 * versions have a fault that requires an update at once.
 */
export type Release = Static<typeof ReleaseFile>;

/** The stored state. A failure stays until the next answer. */
type Noted = { readAt?: number; release?: Release; failure?: { at: number; reason: string } };

/** A release that is newer than the version in use. */
export type Newer = Release & { isUrgent: boolean };

/** The known newer releases. `isOn`: whether the operator has named an address. Times are ms since the epoch. */
export type Updates = { isOn: boolean; readAt: number | null; failure: string | null; newer: Newer | null };

const notedIn = async (r: Reader): Promise<Noted> => JSON.parse((await readMeta(r, NAME)) ?? "{}") as Noted; // only readUpdate writes it

type Read = { ok: true; release: Release } | { ok: false; reason: string };

/** The release in a file's JSON, or why it is invalid. */
export const releaseIn = (file: unknown): Read => {
  const [issue] = issuesOf(ReleaseFile, file);
  if (issue)
    return {
      ok: false,
      reason: `the file is not one of a release${issue.path ? `: its ${issue.path} is wrong` : ""}`,
    };
  const { version, date, notes, minimum } = file as Release; // its form has been checked
  return {
    ok: true,
    release: {
      version,
      date,
      ...(notes === undefined ? {} : { notes }),
      ...(minimum === undefined ? {} : { minimum }),
    },
  };
};

/** Reads the file at an address. It sends nothing about this server, not even its version. */
const readRelease = async (http: Pick<Http, "trusted">, url: string): Promise<Read> => {
  const answer = await http.trusted({
    url,
    method: "GET",
    headers: { accept: "application/json", "user-agent": "recado" },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_BYTES,
  });
  if (!answer.ok) return { ok: false, reason: `${answer.failure}: ${answer.message}` };
  if (answer.status !== 200) return { ok: false, reason: `HTTP ${answer.status}` };
  return releaseIn(parsedJson(Buffer.from(answer.body).toString()));
};

/** Reads the newest release and stores it. A failure is logged and stored, and tried again the next day. */
export const readUpdate = async (
  env: Pick<Env, "clock" | "config" | "db" | "http" | "log">,
  job: Job<Record<string, never>>,
): Promise<JobOutcome> => {
  const url = env.config.updateUrl;
  if (url === undefined) return { is: "done" };
  const read = await readRelease(env.http, url);
  if (!read.ok) env.log.warn({ reason: read.reason }, "the newest release could not be read from RECADO_UPDATE_URL");
  const at = env.clock.now();
  await env.db.write(async (tx) => {
    const noted: Noted = read.ok
      ? { readAt: at, release: read.release }
      : { ...(await notedIn(tx)), failure: { at, reason: read.reason } };
    await writeMeta(tx, NAME, JSON.stringify(noted));
    job.end(tx);
  });
  return { is: "settled" };
};

/** The known releases, for the version in use. It sends no request. */
export const knownUpdates = async (r: Reader, url: string | undefined, version: string): Promise<Updates> => {
  if (url === undefined) return { isOn: false, readAt: null, failure: null, newer: null };
  const { readAt = null, release, failure } = await notedIn(r);
  const isNewer = release !== undefined && Bun.semver.order(release.version, version) > 0;
  return {
    isOn: true,
    readAt,
    failure: failure?.reason ?? null,
    newer: isNewer ? { ...release, isUrgent: isBelow(version, release.minimum) } : null,
  };
};

const isBelow = (version: string, minimum: string | undefined): boolean =>
  minimum !== undefined && Bun.semver.order(version, minimum) < 0;
