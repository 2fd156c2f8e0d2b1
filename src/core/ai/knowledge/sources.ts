import type { ReadDocument } from "../../../contract/ports/documents.ts";
import type { HttpAnswer, HttpFailure } from "../../../contract/ports/http.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { filenameIn } from "../../../kernel/texts/disposition.ts";
import type { DocumentRow } from "../../../store/tables/ai/knowledge.ts";
import type { AiEnv } from "../env.ts";
import { KNOWLEDGE_MAX_BYTES, openKnowledgeFile } from "./knowledge-files.ts";

/** The text of a document, or the reason why it has no text, as clients see it: a code and a short text. */
export type SourceText = { ok: true; title: string | null; text: string } | Failed;
export type Failed = { ok: false; reason: string };
type Fetched = { ok: true; bytes: Uint8Array; contentType: string; name: string } | Failed;

export const failed = (code: string, words: string): Failed => ({ ok: false, reason: `${code}: ${words}` });

/** How long a page may take, with its redirects. */
const FETCH_TIMEOUT_MS = 15 * SECOND_MS;
const MAX_REDIRECTS = 3;

const tooLarge = () => failed("TOO_LARGE", `it has more than ${KNOWLEDGE_MAX_BYTES} bytes`);

/**
 * Fetches and parses the source of a document. One semaphore limits the documents in memory; a smaller one limits
 * parsing, which takes more memory. A slow host does not hold up the parsing of others. Throws only for our own errors.
 */
export const sourceText = async (env: AiEnv, document: DocumentRow): Promise<SourceText> => {
  if (document.source === "TEXT_INLINE") return { ok: true, title: null, text: document.inlineText ?? "" };
  return env.fetching.run("", async () => {
    const fetched = await (document.source === "URL"
      ? fetchPage(env, document.sourceRef ?? "")
      : readFile(env, document));
    return fetched.ok ? env.reading.run("", async () => said(await env.readText(fetched))) : fetched;
  });
};

/** TABLE: why a document has no text, in a few words. */
const UNREAD: Record<Extract<ReadDocument, { ok: false }>["reason"], string> = {
  UNSUPPORTED_TYPE: "it is not text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, PPTX, ODT, ODS or ODP",
  OLD_FORMAT: "it is of an old format of an office program: save it as .docx, .xlsx, .pptx or .pdf",
  ENCRYPTED: "it is protected by a password: save it without one",
  UNREADABLE: "it is damaged, protected, or too intricate to be read",
  TOO_LONG: "it has more text than a document may have",
  TOO_LARGE: "unpacked it is larger than a document may be",
  EMPTY: "it has no text: pages that are pictures, such as scanned ones, are not read",
};

const said = (read: ReadDocument): SourceText => (read.ok ? read : failed(read.reason, UNREAD[read.reason]));

const readFile = async (env: AiEnv, { tenantId, sourceRef }: DocumentRow): Promise<Fetched> => {
  const key = sourceRef ?? "";
  const body = await openKnowledgeFile(env, tenantId, key);
  if (!body) return failed("OBJECT_NOT_FOUND", "the account has no such file, or its seven days are over");
  return { ok: true, bytes: await new Response(body).bytes(), contentType: "", name: key };
};

/** TABLE: why an address gave no answer. */
const UNREACHED: Record<HttpFailure, string> = {
  dns: "the host is not known",
  connect: "the host could not be connected to",
  tls: "the host's certificate is not accepted",
  timeout: "the host did not answer in time",
  blocked: "the host may not be reached from here",
  aborted: "the host broke off the connection",
};

const unreachable = (words: string) => failed("UNREACHABLE", words);

/** Fetches a page. Redirects are followed, and each target is checked like the first URL. */
const fetchPage = async (env: AiEnv, url: string): Promise<Fetched> => {
  let at = url;
  let leftMs = FETCH_TIMEOUT_MS;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!env.http.isUrlAllowed(at)) return unreachable(UNREACHED.blocked);
    if (leftMs <= 0) return unreachable(UNREACHED.timeout);
    const answer = await env.http.guarded({
      method: "GET",
      url: at,
      headers: HEADERS,
      timeoutMs: leftMs,
      maxResponseBytes: KNOWLEDGE_MAX_BYTES,
    });
    leftMs -= answer.durationMs;
    if (!answer.ok) return unreachable(UNREACHED[answer.failure]);
    const next = redirectOf(answer, at);
    if (next === undefined) return pageOf(answer, at);
    at = next;
  }
  return unreachable(`it leads on more than ${MAX_REDIRECTS} times`);
};

/** Asks for no compression: a few compressed bytes can expand without limit. */
const HEADERS = {
  "user-agent": "Recado",
  accept: "text/html, text/*, application/json, application/pdf;q=0.9, */*;q=0.1",
  "accept-encoding": "identity",
};

const redirectOf = ({ status, headers }: HttpAnswer, from: string): string | undefined => {
  const location = headers["location"];
  return [301, 302, 303, 307, 308].includes(status) && location !== undefined
    ? (URL.parse(location, from)?.href ?? "")
    : undefined;
};

const pageOf = ({ status, headers, body, isCut }: HttpAnswer, url: string): Fetched => {
  if (status !== 200) return unreachable(`the address answered with ${status}`);
  if (isCut) return tooLarge();
  if (!["", "identity"].includes(headers["content-encoding"] ?? ""))
    return failed("UNREADABLE", "it was sent packed, which was not asked for");
  const name = filenameIn(headers["content-disposition"] ?? "") ?? new URL(url).pathname;
  return { ok: true, bytes: body, contentType: headers["content-type"] ?? "", name };
};
