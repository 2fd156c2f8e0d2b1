import { deflateSync } from "node:zlib";

/**
 * A PDF of one page that shows these lines. `inflatesTo`: its page is so many packed bytes of blanks. `twice`: they are
 * packed again, to a kilobyte.
 */
export const pdfOf = (
  lines: readonly string[],
  { title, inflatesTo, twice = false }: { title?: string; inflatesTo?: number; twice?: boolean } = {},
): Uint8Array<ArrayBuffer> => {
  const shown = `BT /F1 24 Tf 72 700 Td ${lines.map((line) => `(${line}) Tj 0 -30 Td`).join(" ")} ET`;
  const plain = Buffer.from(shown);
  const packed =
    inflatesTo === undefined ? undefined : deflateSync(Buffer.alloc(inflatesTo, "BT (x) Tj ET "), { level: 9 });
  const page = packed && twice ? deflateSync(packed, { level: 9 }) : (packed ?? plain);
  const filter = twice ? " /Filter [/FlateDecode /FlateDecode]" : " /Filter /FlateDecode";
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    Buffer.concat([
      Buffer.from(`<< /Length ${page.length}${packed ? filter : ""} >>\nstream\n`),
      page,
      Buffer.from("\nendstream"),
    ]),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< ${title === undefined ? "" : `/Title (${title})`} >>`,
  ];
  const parts = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(lengthOf(parts));
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from("\nendobj\n"));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${lengthOf(parts)}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
};

const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);
