import type { Random } from "../../src/kernel/random.ts";
import type { RawBody } from "./graph.ts";

/** Bodies of the few calls that take no JSON. */

/** A form, as browsers post it. */
export const formBody = (fields: Record<string, string>): RawBody => ({
  content: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});

/** A part of a multipart body. Names are ours and hold nothing that would have to be escaped. */
export type Part = { name: string; content: string; filename?: string; contentType?: string };

export const multipartBody = (random: Random, parts: readonly Part[]): RawBody => {
  const boundary = boundaryOf(random);
  const texts = parts.map((part) => `${headOf(boundary, part)}${part.content}\r\n`);
  return { content: `${texts.join("")}--${boundary}--\r\n`, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
};

const boundaryOf = (random: Random): string => `recado-${Buffer.from(random.bytes(16)).toString("hex")}`;

const headOf = (boundary: string, { name, filename, contentType }: Part): string => {
  const file = filename === undefined ? "" : `; filename="${filename}"`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`}\r\n`;
};
