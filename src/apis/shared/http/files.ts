import { invalid } from "../../../kernel/errors.ts";
import { localFileOf } from "../../../kernel/local-files.ts";
import { streamOf } from "../../../kernel/network/bodies.ts";
import { issue } from "../../../kernel/schema.ts";
import { attachmentOf, inlineOf } from "../../../kernel/texts/disposition.ts";
import type { BodyIntake } from "./body-intake.ts";
import { boundaryOf, type FormFile, firstFileIn } from "./multipart.ts";

/** A form has a few lines beside its file. */
export const FORM_BYTES = 128 * 1024;

/** The file of a request: the first one of a form, or the whole body. */
export const fileIn = async (intake: Pick<BodyIntake, "stream">, request: Request): Promise<FormFile> => {
  const contentType = request.headers.get("content-type")?.trim() ?? "";
  const body = intake.stream(request);
  if (!/^multipart\//i.test(contentType)) return { filename: undefined, contentType, body };
  const boundary = boundaryOf(contentType);
  const file = boundary === undefined ? undefined : await firstFileIn(body, boundary).catch(() => undefined);
  if (!file) throw invalid(issue("file", "required", "must be a file of the form"));
  return file;
};

/**
 * The body of an answer with a file. The runtime itself sends a file on this machine's disk: it does so outside the
 * event loop and with the length, which it drops for a stream.
 */
export const answerBody = (body: AsyncIterable<Uint8Array>): Blob | ReadableStream<Uint8Array> => {
  const path = localFileOf(body);
  return path === undefined ? streamOf(body) : Bun.file(path);
};

/** The types that a browser may show, because it executes nothing in them. It saves all others. */
const isShown = (contentType: string): boolean => /^(image|audio|video)\/|^application\/pdf\b/.test(contentType);

/** The headers of the answer with a file. No cache may keep it. */
export const fileHeaders = ({
  contentType,
  sizeBytes,
  filename,
}: {
  contentType: string;
  sizeBytes: number;
  filename: string | null;
}): Record<string, string> => ({
  "content-type": contentType,
  "content-length": String(sizeBytes),
  "content-disposition": (isShown(contentType) ? inlineOf : attachmentOf)(filename ?? undefined),
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cache-control": "private, no-store",
});

type Range = { from: number; to: number };

/** The one range of a request; undefined for none, for several, and for a form that we do not know. */
const rangeOf = ({ headers }: Request, sizeBytes: number): Range | undefined => {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get("range")?.trim() ?? "") ?? [];
  if ((first === "" && last === "") || headers.has("if-range")) return undefined; // the answers have no validators
  if (first === "") return { from: Math.max(0, sizeBytes - Number(last)), to: sizeBytes - 1 };
  return { from: Number(first), to: Math.min(last === "" ? sizeBytes : Number(last), sizeBytes - 1) };
};

async function* partOf(body: AsyncIterable<Uint8Array>, { from, to }: Range): AsyncGenerator<Uint8Array, undefined> {
  let at = 0;
  for await (const piece of body) {
    if (at + piece.length > from) yield piece.subarray(Math.max(0, from - at), to + 1 - at);
    at += piece.length;
    if (at > to) break;
  }
  return undefined;
}

const bodyPart = (body: AsyncIterable<Uint8Array>, { from, to }: Range): Blob | ReadableStream<Uint8Array> => {
  const path = localFileOf(body);
  return path === undefined ? streamOf(partOf(body, { from, to })) : Bun.file(path).slice(from, to + 1);
};

/** The answer with a file, or with the part that the request asks for: https://www.rfc-editor.org/rfc/rfc9110#section-14 */
export const fileAnswer = (
  request: Request,
  { body, ...file }: Parameters<typeof fileHeaders>[0] & { body: AsyncIterable<Uint8Array> },
): Response => {
  const headers = { ...fileHeaders(file), "accept-ranges": "bytes" };
  const range = rangeOf(request, file.sizeBytes);
  if (!range) return new Response(answerBody(body), { headers });
  if (range.from > range.to)
    return new Response(null, {
      status: 416,
      headers: { ...headers, "content-length": "0", "content-range": `bytes */${file.sizeBytes}` },
    });
  return new Response(bodyPart(body, range), {
    status: 206,
    headers: {
      ...headers,
      "content-length": String(range.to - range.from + 1),
      "content-range": `bytes ${range.from}-${range.to}/${file.sizeBytes}`,
    },
  });
};
