import type { ReadDocument, ReadText } from "../../contract/ports/documents.ts";
import { type ChildLimits, runLimited } from "../machine/limited-child.ts";
import { charsetOf } from "./document-charsets.ts";
import { kindOf } from "./document-kinds.ts";
import { readHere, type Unread } from "./document-reading.ts";

/**
 * More than an ordinary document of 10 MB takes, on a busy machine too. Bun reserves half of the memory without using
 * it: the reader holds about 300 MB at most.
 */
const LIMITS: ChildLimits = {
  cpuSeconds: 20,
  seconds: 60,
  memoryKib: 512 * 1024,
  outputBytes: 16 * 1024 * 1024,
};
/** Plain texts up to this size are decoded in this process: starting another takes longer. */
const SHORT_BYTES = 256 * 1024;

export const readText: ReadText = async ({ bytes, contentType, name }) => {
  const kind = await kindOf({ bytes, contentType, name });
  if (!kind) return { ok: false, reason: "UNSUPPORTED_TYPE" };
  if (kind === "encrypted") return { ok: false, reason: "ENCRYPTED" };
  if (kind === "old") return { ok: false, reason: "OLD_FORMAT" };
  const unread = { bytes, kind, charset: charsetOf(contentType) };
  return kind === "text" && bytes.length <= SHORT_BYTES ? readHere(unread) : readElsewhere(unread);
};

/** Reads a document in another process, because a hostile document can take minutes or gigabytes. */
const readElsewhere = async ({ bytes, kind, charset }: Unread): Promise<ReadDocument> => {
  const output = await runLimited(
    ["read-document", kind, ...(charset === undefined ? [] : ["--charset", charset])],
    bytes,
    LIMITS,
  );
  return output === undefined ? { ok: false, reason: "UNREADABLE" } : (JSON.parse(output) as ReadDocument);
};
