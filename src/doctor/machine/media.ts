import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createS3Store } from "../../adapters/files/s3-storage.ts";
import type { FileStore } from "../../contract/ports/files.ts";
import { onePiece } from "../../kernel/async.ts";
import { fileRemedy, isThere } from "../../kernel/file-faults.ts";
import type { MediaConfig } from "../../kernel/settings/config.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped, warning } from "../check.ts";
import type { Installation } from "../installation.ts";
import { readOnlyFault } from "./service-view.ts";

const S3_LIMITS = { answerMs: 6000, stallMs: 6000, checkTtlMs: 0 };
const TEXT = "written by recado doctor";
const TYPE = "text/plain";
const DISK_REMEDY = "check whether the disk is full or mounted read-only, and who owns the directory";
const S3_REMEDY = [
  "check RECADO_MEDIA, RECADO_S3_ACCESS_KEY_ID and RECADO_S3_SECRET_ACCESS_KEY,",
  "and whether these keys may put, get and delete objects in the bucket",
].join(" ");
const LINK_REMEDY = "check that clients can resolve the endpoint's name and trust its certificate";
const REFUSED_REMEDY = "check this machine's clock (timedatectl), and whether the access key may get objects";

/** Tests the directory directly: the file store would remove unfinished files of a running server. */
const onDisk = async (installation: Installation, dir: string): Promise<Finding> => {
  if (!isThere(dir)) return skipped(`${dir} does not exist yet; the first start makes it`);
  const readOnly = await readOnlyFault(installation, dir);
  if (readOnly) return readOnly;
  const path = join(dir, `.doctor-${process.pid}`);
  let isMade = false; // if it cannot be made, removing it fails, too, and that would be reported
  try {
    await writeFile(path, TEXT, { mode: 0o600, flag: "wx" });
    isMade = true;
    const back = await readFile(path, "utf8");
    return back === TEXT
      ? ok(`${dir} stores files and returns them`)
      : fault(`${dir} returns other bytes than were written`, "look for errors of this disk in the system log");
  } catch (error) {
    return fault(`${dir}: ${saidBy(error)}`, fileRemedy(error, dir) ?? DISK_REMEDY);
  } finally {
    if (isMade) await rm(path, { force: true });
  }
};

const textAt = async (store: FileStore, key: string): Promise<string | undefined> => {
  const found = await store.read(key);
  return found && (await new Response(found.body).text());
};

const linkOf = async ({ http }: Installation, store: FileStore, key: string): Promise<Finding> => {
  const url = store.urlOf?.(key, { ttlSeconds: 60, filename: undefined, contentType: TYPE }) ?? "";
  const answer = await http.trusted({ url, method: "GET", timeoutMs: S3_LIMITS.answerMs });
  if (!answer.ok)
    return warning(
      `links to files of the bucket cannot be reached (${answer.failure}: ${answer.message})`,
      LINK_REMEDY,
    );
  return new TextDecoder().decode(answer.body) === TEXT
    ? ok("links open")
    : fault(`links to files of the bucket are refused (HTTP ${answer.status})`, REFUSED_REMEDY);
};

const inBucket = async (installation: Installation, media: Extract<MediaConfig, { kind: "s3" }>): Promise<Finding> => {
  const store = createS3Store(media, S3_LIMITS);
  const key = `doctor/${process.pid}-${installation.clock.now()}`;
  try {
    await store.put(key, onePiece(Buffer.from(TEXT)), { contentType: TYPE, sizeBytes: TEXT.length });
    if ((await textAt(store, key)) !== TEXT)
      return fault(`bucket ${media.bucket} returns other bytes than were written`, S3_REMEDY);
    const link = await linkOf(installation, store, key);
    await store.remove(key);
    return link.outcome === "ok"
      ? ok(`bucket ${media.bucket} stores files, returns them and signs links that open`)
      : link;
  } catch (error) {
    await store.remove(key).catch(() => undefined); // the error below is the one to report
    return fault(saidBy(error), saidBy(error).includes("RequestTimeTooSkewed") ? REFUSED_REMEDY : S3_REMEDY);
  }
};

/** Files can be stored, read and removed, and signed links of a bucket open. */
export const mediaStorage: Check = {
  name: "media-storage",
  limitMs: 20_000,
  run: (installation) =>
    installation.config.media.kind === "disk"
      ? onDisk(installation, installation.config.media.dir)
      : inBucket(installation, installation.config.media),
};
