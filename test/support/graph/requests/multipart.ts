/** A part of a form; with a `filename` it is a file. `type`: the part's own statement of its type. */
export type FormPart = { filename: string | undefined; type: string; bytes: Uint8Array };

const HEAD_END = "\r\n\r\n";

/**
 * The parts of a `multipart/form-data` body by their names; undefined for a body that is not well-formed. Bun's own
 * `formData` cannot be used: it gives a file the type of its name's extension, not that of the part (seen in 1.4.5).
 */
export const partsOf = (body: Uint8Array, contentType: string): ReadonlyMap<string, FormPart> | undefined => {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const fence = `--${boundary?.[1] ?? boundary?.[2] ?? ""}`;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts = new Map<string, FormPart>();
  let at = bytes.indexOf(fence) + fence.length;
  while (at >= fence.length && bytes.toString("latin1", at, at + 2) === "\r\n") {
    const head = bytes.indexOf(HEAD_END, at);
    const end = bytes.indexOf(`\r\n${fence}`, head);
    if (head < 0 || end < 0) return undefined;
    const [name, part] = partOf(bytes.toString("utf8", at, head), bytes.subarray(head + HEAD_END.length, end));
    parts.set(name, part);
    at = end + 2 + fence.length;
  }
  return at >= fence.length && bytes.toString("latin1", at, at + 2) === "--" ? parts : undefined;
};

const partOf = (head: string, bytes: Uint8Array): [name: string, part: FormPart] => {
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? "";
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] ?? "";
  return [
    /[;\s]name="([^"]*)"/i.exec(disposition)?.[1] ?? "",
    { filename: /filename="([^"]*)"/i.exec(disposition)?.[1], type, bytes },
  ];
};
