import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Card, readCards, writeCard } from "../../../src/kernel/texts/vcards.ts";
import { CARDS } from "../../support/files/cards.ts";

const one = (...lines: string[]): Card | undefined =>
  readCards(["BEGIN:VCARD", "VERSION:3.0", ...lines, "END:VCARD"].join("\n"))[0];

describe("a card is read as its program wrote it", () => {
  test.each(CARDS)("%s", (_, text, says) => {
    expect(readCards(text)).toEqual([says]);
  });

  test("a name is found where a card has none: the parts of it, a nickname, the business, the company", () => {
    expect(one("N:Reis;Eva;Maria;Dra.;")?.name).toBe("Dra. Eva Maria Reis");
    expect(one("NICKNAME:Vivi", "ORG:Luz")?.name).toBe("Vivi");
    expect(one("X-WA-BIZ-NAME:Bia Doces")?.name).toBe("Bia Doces");
    expect(one("ORG:Luz;RH")?.name).toBe("Luz");
    expect(one("TEL:1")?.name).toBe("");
  });

  test("a picture in front, however large, hides no number", () => {
    const picture = `PHOTO;ENCODING=b;TYPE=JPEG:${"A".repeat(500_000)}`;
    expect(one(picture, "TEL:+5511999990001")?.phones).toEqual([{ number: "+5511999990001" }]);
    const folded = `PHOTO;ENCODING=b:${"A".repeat(70)}\n${` ${"A".repeat(70)}\n`.repeat(5000)}TEL:+5511999990001`;
    expect(one(folded)?.phones).toEqual([{ number: "+5511999990001" }]);
  });

  test("several cards in one text are several people; a card within another is nobody", () => {
    const card = (name: string, more = "") => `BEGIN:VCARD\nVERSION:2.1\n${more}FN:${name}\nEND:VCARD\n`;
    expect(readCards(card("Ana") + card("Bia")).map(({ name }) => name)).toEqual(["Ana", "Bia"]);
    expect(readCards(card("Ana", `AGENT:\n${card("Zoe")}`)).map(({ name }) => name)).toEqual(["Ana"]);
    expect(readCards("FN:Caio")).toEqual([{ name: "Caio", phones: [], emails: [] }]);
    expect(readCards("")).toEqual([]);
  });

  test("an escaped backslash before n is no line break, and version 2.1 has none", () => {
    expect(one(String.raw`FN:C:\\novo\nB`)?.name).toBe("C:\\novo\nB");
    expect(readCards("VERSION:2.1\nFN:C:\\novo")[0]?.name).toBe("C:\\novo");
  });

  test("an id at WhatsApp has digits alone", () => {
    expect(one("TEL;waid=5511@x:1", "TEL;waid=5511999990001:2")?.phones).toEqual([
      { number: "1" },
      { number: "2", waId: "5511999990001" },
    ]);
  });
});

describe("a card is written", () => {
  const text = fc.string({ unit: fc.constantFrom(...('aé🎂 ,;:\\"\n=TELN'.match(/./gsu) ?? [])), maxLength: 12 });

  test("so that it is read again, and no value adds a line", () => {
    fc.assert(
      fc.property(text, text, text, (name, email, company) => {
        const card = {
          name,
          phones: [{ number: "+5511999990001", waId: "5511999990001", type: "CELL" }],
          emails: [email],
          company,
        };
        const written = writeCard(card);
        expect(written.split("\n")).toHaveLength(8);
        const [read, ...others] = readCards(written);
        expect(others).toEqual([]);
        expect(read?.phones).toEqual(card.phones);
        expect(read?.emails ?? []).toEqual(email.trim() === "" ? [] : [email.trim()]);
        expect(read?.company ?? "").toBe(company.trim());
        expect(read?.name).toBe(name.trim() || company.trim());
      }),
    );
  });

  test("a carriage return in a name adds no line, and a type that is none is left out", () => {
    const phones = [{ number: "1\r2", waId: "x:1", type: "CELL:1" }];
    expect(writeCard({ name: "A\rTEL:+1", phones, emails: [] }).split(/[\r\n]/)).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      String.raw`N:;A\nTEL:+1;;;`,
      String.raw`FN:A\nTEL:+1`,
      String.raw`TEL:1\n2`,
      "END:VCARD",
    ]);
  });
});

describe("a hostile card", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...'BEGIN:VCARD|END:VCARD|VERSION:2.1|TEL|FN|N|ORG|;|:|"|\\|=|=\n|=3|=C3=A3|QUOTED-PRINTABLE|ENCODING=|CHARSET=utf-16|CHARSET=x|TYPE=|item1.|\n|\r\n|\r|\n |\t|tel:|\0|\ud800'.split(
        "|",
      ),
    ),
    fc.string({ maxLength: 5 }),
  );

  test("gives cards of well-formed texts and no fault, whatever it has", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const { name, phones, emails, company = "" } of readCards(pieces.join("")))
          for (const found of [name, company, ...emails, ...phones.map(({ number }) => number)])
            expect(found.isWellFormed()).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("as large as may be is bounded: at most 100 cards, 100 numbers and 100 addresses", () => {
    expect(readCards("BEGIN:VCARD\nFN:A\nEND:VCARD\n".repeat(10_000))).toHaveLength(100);
    const [card] = readCards("TEL:1\nEMAIL:a\n".repeat(10_000));
    expect([card?.phones.length, card?.emails.length]).toEqual([100, 100]);
  });

  test("has at most 100 parameters of a line that are read", () => {
    const phone = (count: number) => readCards(`TEL${";x=1".repeat(count)};waid=5511999990001:1`)[0]?.phones;
    expect(phone(99)).toEqual([{ number: "1", waId: "5511999990001" }]);
    expect(phone(100)).toEqual([{ number: "1" }]);
  });
});
