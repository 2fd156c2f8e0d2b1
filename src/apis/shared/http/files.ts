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
