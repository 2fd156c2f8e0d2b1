import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, type Zippable, zipSync } from "fflate";

/** A file that an office program made: office/make.py says how. */
export const officeFile = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dir, "office", name)));

/** An archive of these parts. */
export const zipOf = (parts: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])) as Zippable),
  );

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const packageOf = (main: string, type: string, parts: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> =>
  zipOf({
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    "_rels/.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="${main}"/></Relationships>`,
    ...parts,
  });

export const docxParagraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A DOCX document of this body. */
export const docxOf = (body: string, prolog = ""): Uint8Array<ArrayBuffer> =>
  packageOf("word/document.xml", "wordprocessingml.document", {
    "word/document.xml": `${XML}${prolog}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });

/** An XLSX workbook of so many sheets, each with these rows. */
export const sheetsOf = (count: number, rows: string): Uint8Array<ArrayBuffer> => {
  const each = (text: (n: number) => string): string => Array.from({ length: count }, (_, n) => text(n + 1)).join("");
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  return packageOf("xl/workbook.xml", "spreadsheetml.sheet", {
    "xl/workbook.xml": `${XML}<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${each((n) => `<sheet name="${n}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}</Relationships>`,
    ...Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `xl/worksheets/sheet${n + 1}.xml`,
        `${XML}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
};

/** An XLSX workbook of one sheet with these rows; `more`: other parts. */
export const xlsxOf = (
  rows: string,
  { target = "worksheets/sheet1.xml", more = {} }: { target?: string; more?: Readonly<Record<string, string>> } = {},
): Uint8Array<ArrayBuffer> =>
  packageOf("xl/workbook.xml", "spreadsheetml.sheet", {
    "xl/workbook.xml": `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="${target}"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  });
