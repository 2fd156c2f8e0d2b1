import type { OutgoingFile } from "../../src/contract/content/media.ts";
import type { Random } from "../../src/kernel/random.ts";
import type { RawBody } from "./graph.ts";

/** Bodies of the few calls that do not take JSON. */

/** A form, as browsers post it. */
export const formBody = (fields: Record<string, string>): RawBody => ({
  content: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});

/** A part of a multipart body. Names are ours and never need escaping. */
export type Part = { name: string; content: string; filename?: string; contentType?: string };

export const multipartBody = (random: Random, parts: readonly Part[]): RawBody => {
  const boundary = boundaryOf(random);
  const texts = parts.map((part) => `${headOf(boundary, part)}${part.content}\r\n`);
  return {
    content: `${texts.join("")}--${boundary}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
};

/** The same with a file as its last part, which is read while it is sent. `name`: what the network calls that part. */
export const multipartFileBody = (
  random: Random,
  fields: Record<string, string>,
  file: OutgoingFile,
  name = "file",
): RawBody => {
  const boundary = boundaryOf(random);
  const texts = Object.entries(fields).map(([field, content]) => `${headOf(boundary, { name: field })}${content}\r\n`);
  const head = Buffer.from(
    texts.join("") + headOf(boundary, { name, filename: escaped(file.filename), contentType: file.contentType }),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* stream() {
    yield head;
    yield* file.stream();
    yield tail;
  }
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return { content: { stream: stream(), sizeBytes: head.length + file.sizeBytes + tail.length }, headers };
};

/** The names of customers' files, as browsers write them. */
const escaped = (filename: string): string =>
  filename.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** A file from an offset on, unchanged. */
export const fileBody = (file: OutgoingFile, offset: number): RawBody => ({
  content: { stream: after(file.stream(), offset), sizeBytes: file.sizeBytes - offset },
  headers: { "content-type": "application/octet-stream", file_offset: String(offset) },
});

async function* after(body: AsyncIterable<Uint8Array>, offset: number): AsyncGenerator<Uint8Array> {
  let skip = offset;
  for await (const chunk of body) {
    if (skip < chunk.length) yield chunk.subarray(skip);
    skip = Math.max(0, skip - chunk.length);
  }
}

const boundaryOf = (random: Random): string => `recado-${Buffer.from(random.bytes(16)).toString("hex")}`;

const headOf = (boundary: string, { name, filename, contentType }: Omit<Part, "content">): string => {
  const file = filename === undefined ? "" : `; filename="${filename}"`;
  const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
};
