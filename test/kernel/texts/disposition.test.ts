import { expect, test } from "bun:test";
import fc from "fast-check";
import { attachmentOf } from "../../../src/kernel/texts/disposition.ts";

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
