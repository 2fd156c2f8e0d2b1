import type { Http } from "../../../src/contract/ports/http.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { isRecord, parsedJson } from "../../../src/kernel/texts/json.ts";

/** The answer of a source, or in words why there is no answer. */
export type Answer = { ok: true; text: string } | { ok: false; reason: string };

/** The network's own page is 300 KB; the number stands near its beginning. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 20 * SECOND_MS;
/** The page is given to browsers only. https://github.com/WhiskeySockets/Baileys `fetchLatestWaWebVersion` */
const HEADERS = {
  "sec-fetch-site": "none",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
};

/** Reads a source that the operator has named, a path or an http(s) URL, at most 1 MiB of it. Never throws. */
export const readSource = async (source: string, http: Pick<Http, "trusted">): Promise<Answer> => {
  if (!/^https?:/i.test(source)) return readFrom(source);
  const answer = await http.trusted({
    url: source,
    method: "GET",
    headers: HEADERS,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_BYTES,
  });
  if (!answer.ok) return { ok: false, reason: `${answer.failure}: ${answer.message}` };
  return answer.status === 200
    ? { ok: true, text: Buffer.from(answer.body).toString() }
    : { ok: false, reason: `HTTP ${answer.status}` };
};

const readFrom = async (path: string): Promise<Answer> => {
  try {
    return { ok: true, text: await Bun.file(path).slice(0, MAX_BYTES).text() };
  } catch (thrown) {
    return { ok: false, reason: reasonOf(thrown) };
  }
};

const PLAIN = /^(?:2\.3000\.)?(\d{1,12})$/;
const REVISION = /\\?"client_revision\\?"\s*:\s*"?(\d{1,12})/;

/**
 * The number `n` of version 2.3000.n in a text: `2.3000.n` or `n` alone, the JSON array `[2,3000,n]` (also as the
 * `version` of an object), or the field `client_revision` of the network's `sw.js`. Undefined if there is none.
 */
export const numberIn = (text: string): number | undefined => {
  const [, plain] = PLAIN.exec(text.trim()) ?? [];
  if (plain !== undefined) return Number(plain);
  const json = parsedJson(text);
  const version: unknown = isRecord(json) ? json["version"] : json;
  if (Array.isArray(version)) return numberOf(version);
  if (typeof version === "string") return numberIn(version);
  const [, revision] = REVISION.exec(text) ?? [];
  return revision === undefined ? undefined : Number(revision);
};

const numberOf = ([primary, secondary, tertiary]: unknown[]): number | undefined =>
  primary === 2 && secondary === 3000 && Number.isSafeInteger(tertiary) ? Number(tertiary) : undefined;
