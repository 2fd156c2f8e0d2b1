import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { attachmentOf, filenameIn, inlineOf } from "../../../src/kernel/texts/disposition.ts";

test.each([
  [undefined, "attachment"],
  ["nota.pdf", `attachment; filename="nota.pdf"; filename*=UTF-8''nota.pdf`],
  ["Orçamento (1).pdf", `attachment; filename="Or_amento (1).pdf"; filename*=UTF-8''Or%C3%A7amento%20%281%29.pdf`],
  [`a"b\\c%41.txt`, `attachment; filename="a_b_c_41.txt"; filename*=UTF-8''a%22b%5Cc%2541.txt`],
  ["👍.webp", `attachment; filename="_.webp"; filename*=UTF-8''%F0%9F%91%8D.webp`],
  ["it's*.png", `attachment; filename="it's*.png"; filename*=UTF-8''it%27s%2A.png`],
])("a file named %p", (filename, expected) => {
  expect(attachmentOf(filename)).toBe(expected);
});

test("no name ends the header, leaves its quotes, or is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 255 }), (filename) => {
      const header = attachmentOf(filename);
      expect(header).toMatch(/^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.~%!-]*$/);
      expect(decodeURIComponent(header.split("UTF-8''").at(-1) ?? "")).toBe(filename.toWellFormed());
    }),
  );
});

/** What clients write for `orçamento.pdf`, and for other names that some of them break. */
const OF_BUDGET = [
  'filename="orçamento.pdf"',
  "filename=orçamento.pdf",
  "filename*=UTF-8''or%C3%A7amento.pdf",
  "filename*=utf-8'pt-BR'or%c3%a7amento.pdf",
  "filename*=ISO-8859-1''or%E7amento.pdf",
  "filename*=\"UTF-8''or%C3%A7amento.pdf\"",
  "filename*=or%C3%A7amento.pdf",
  "filename=\"orcamento.pdf\"; filename*=UTF-8''or%C3%A7amento.pdf",
  "filename*=UTF-8''or%C3%A7amento.pdf; filename=\"orcamento.pdf\"",
  'filename="or%C3%A7amento.pdf"',
  'filename="=?UTF-8?B?b3LDp2FtZW50by5wZGY=?="',
  'filename="=?utf-8?Q?or=C3=A7?= =?utf-8?q?amento.pdf?="',
  'filename="=?ISO-8859-1?Q?or=E7amento.pdf?="',
  "filename*0*=UTF-8''or%C3%A7; filename*1=amento; filename*2=.pdf",
  'FILENAME = "orçamento.pdf"',
];

describe("the name of a file is read in every form that clients write", () => {
  const read = (written: string, charset: BufferEncoding = "utf8") =>
    filenameIn(Buffer.from(`form-data; name="file"; ${written}`, charset).toString("latin1"));

  test.each(OF_BUDGET)("%s", (written) => {
    expect(read(written)).toBe("orçamento.pdf");
  });

  test("in bytes of Latin-1", () => {
    expect(read('filename="orçamento.pdf"', "latin1")).toBe("orçamento.pdf");
  });

  test.each([
    ['filename="plain.pdf"', "plain.pdf"],
    ["filename=plain.pdf ; size=1", "plain.pdf"],
    ['filename="a;b=c.pdf"; size=1', "a;b=c.pdf"],
    [String.raw`filename="a\"b\\c.pdf"`, 'a"b\\c.pdf'],
    ['filename="a%22b.pdf"', 'a"b.pdf'],
    ['filename="a"b".pdf"', 'a"b".pdf'],
    ['filename="never closed.pdf', "never closed.pdf"],
    ['filename="100% certo.pdf"', "100% certo.pdf"],
    ['filename="100%25 certo.pdf"', "100% certo.pdf"],
    [String.raw`filename="C:\notas\abril.pdf"`, String.raw`C:\notas\abril.pdf`],
    ['filename="=?x-nobody?B?YS5wZGY=?="', "a.pdf"],
    ['filename="=?is this a name.pdf"', "=?is this a name.pdf"],
    ["filename*=UTF-8''; filename=\"x.pdf\"", "x.pdf"],
    ["filename*=UTF-8''%ZZ; filename=\"x.pdf\"", "x.pdf"],
    ["filename=\"x.pdf\"; filename*=UTF-8''50%", "x.pdf"],
    ['filename*=; filename="x.pdf"', "x.pdf"],
    ['filename*0=""; filename="x.pdf"', "x.pdf"],
    ["filename*=UTF-8''%ZZ; filename*0=y; filename*1=.pdf", "y.pdf"],
    ["filename*=UTF-8''50%", "50%"],
    ["filename*=UTF-8''%ZZ; filename=\"\"", "%ZZ"],
    ['filename=""', undefined],
    ["size=1", undefined],
    ["filename", undefined],
  ])("%s", (written, name) => {
    expect(read(written)).toBe(name);
  });

  test.each(["\0", "a\0b\0", "\0a\0b", "\ufeffx.pdf", "Ã£.pdf"])(
    "the name %j of our own header is read back",
    (name) => {
      expect(filenameIn(attachmentOf(name))).toBe(name);
    },
  );

  test("every name that is written by our own headers is read back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 255 }), (filename) => {
        for (const header of [attachmentOf(filename), inlineOf(filename)])
          expect(filenameIn(header)).toBe(filename.toWellFormed());
      }),
    );
  });

  test("any header is read to its end, without a fault", () => {
    const piece = fc.constantFrom(
      ..."filename*0*=UTF-8''%C3 ; = \" \\ =?utf-8?q?=41?= % ' ç".split(" "),
      " ",
      "a",
      "filename=",
      "\x00",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(["string", "undefined"]).toContain(typeof filenameIn(`form-data;${pieces.join("")}`));
      }),
      { numRuns: 2000 },
    );
  });

  // a form's header has 4 KB at most; these would take minutes in quadratic time
  test.each([
    ['filename="', '\\"'],
    ["", ";"],
    ["", "filename*0=a;"],
    ["filename=", "=?u?q?"],
    ['filename="', '" '],
    ["filename*=", "%41'"],
    ["", "="],
    ["", " \t"],
    ["", ' ="" '],
  ])("%j and 400,000 times %j", (begin, piece) => {
    expect(["string", "undefined"]).toContain(typeof filenameIn(`x;${begin}${piece.repeat(400_000)}`));
  });
});
