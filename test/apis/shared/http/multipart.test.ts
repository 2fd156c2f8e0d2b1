import { expect, test } from "bun:test";
import fc from "fast-check";
import { boundaryOf, firstFileIn } from "../../../../src/apis/shared/http/multipart.ts";

/** The bytes in pieces of these lengths, one after the other, and again from the first. */
async function* inPieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? bytes.length;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

const read = async (form: Buffer, boundary: string, lengths: readonly number[]) => {
  const file = await firstFileIn(inPieces(form, lengths), boundary);
  return file && { ...file, body: Buffer.concat(await Array.fromAsync(file.body)) };
};

const boundaries = fc.stringMatching(/^[0-9A-Za-z'()+_,./:=?-]{1,70}$/);
const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });
/** Bytes that look like the frame of a form. */
const contents = fc
  .array(
    fc.oneof(fc.constantFrom("\r\n", "--", "\r\n--", "\r", "b", "\r\n\r\n", "\0\xff"), fc.string({ maxLength: 9 })),
  )
  .map((pieces) => Buffer.from(pieces.join(""), "latin1"));

test("a form is read as the runtime itself reads it, however it is cut into pieces", async () => {
  const fields = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), contents), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(boundaries, fields, contents, lengths, async (boundary, before, content, cut) => {
      const isFramed = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("\r\n")]).includes(`--${boundary}`);
      fc.pre(![content, ...before.map(([, value]) => value)].some(isFramed));
      const form = Buffer.concat([
        ...before.flatMap(([name, value]) => [
          Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
          value,
          Buffer.from("\r\n"),
        ]),
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="thefile"; filename="a.bin"\r\n`),
        Buffer.from("Content-Type: application/x-own\r\n\r\n"),
        content,
        Buffer.from(
          `\r\n--${boundary}\r\nContent-Disposition: form-data; name="g"; filename="b"\r\n\r\nx\r\n--${boundary}--\r\n`,
        ),
      ]);
      const type = `multipart/form-data; boundary="${boundary}"`;
      expect(boundaryOf(type)).toBe(boundary);
      const file = await read(form, boundary, cut);
      expect(file).toEqual({ filename: "a.bin", contentType: "application/x-own", body: content });
      const theirs = (await new Response(form, { headers: { "content-type": type } }).formData()).get(
        "thefile",
      ) as File;
      expect(Buffer.from(await theirs.arrayBuffer()).equals(content)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("whatever the bytes are, reading a form ends: with a file, without one, or with an error", async () => {
  const piece = fc.constantFrom(
    ..."--b|\r\n|\r\n\r\n|--|Content-Disposition: form-data; name=|filename=|filename*=UTF-8''%C3|\"|;|\\|:|Content-Type: |\0".split(
      "|",
    ),
    "a".repeat(5000),
    ": \t".repeat(2000),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 80 }), lengths, async (pieces, cut) => {
      const form = Buffer.from(`--b\r\n${pieces.join("")}`, "latin1");
      const ending = await read(form, "b", [...cut, 4096]).then(
        (file) => typeof file,
        (thrown: unknown) => (thrown instanceof Error ? "error" : "another"),
      );
      expect(["object", "undefined", "error"]).toContain(ending);
    }),
    { numRuns: 500 },
  );
});

test.each<[string, string]>([
  ["a header of 5,000 bytes", `Content-Disposition: form-data; name="f"; filename="${"a".repeat(5000)}"\r\n\r\n`],
  ["headers of 20,000 bytes", `${"X: y\r\n".repeat(4000)}\r\n`],
  ["a field of 70,000 bytes", `Content-Disposition: form-data; name="f"\r\n\r\n${"a".repeat(70_000)}\r\n--b--`],
  ["21 fields before its file", `Content-Disposition: form-data; name="f"\r\n\r\nx\r\n--b\r\n`.repeat(21)],
  ["no end", 'Content-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc'],
])("a form with %s is refused", async (_, rest) => {
  expect(await read(Buffer.from(`--b\r\n${rest}`), "b", [1000]).catch((thrown) => thrown)).toBeInstanceOf(Error);
});
