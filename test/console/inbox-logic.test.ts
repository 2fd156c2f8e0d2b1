import { describe, expect, test } from "bun:test";
import { type RowPage, withFirstPage } from "../../src/console/web/frame/requests/endless-page.ts";
import { metadataLines, metadataOf, tagsOf } from "../../src/console/web/pages/contacts/fields.ts";
import { fileContent } from "../../src/console/web/pages/inbox/composer/outgoing.ts";
import { historyRows } from "../../src/console/web/pages/inbox/history/days.ts";
import { textParts } from "../../src/console/web/pages/inbox/history/links.ts";
import { filledTemplate } from "../../src/console/web/parts/messages/template-parts.ts";
import { initialsOf, numberText } from "../../src/console/web/parts/people/contact-names.ts";

describe("a list that grows", () => {
  const order = { keyOf: (row: string) => row, isOlder: (row: string, than: string) => row < than };
  const page = (items: string[], nextCursor: string | null): RowPage<string> => ({ items, nextCursor });

  test.each([
    ["a newer row comes before the others", page(["d", "c"], "c"), page(["e", "d"], "d"), ["e", "d", "c"], "c"],
    ["a row that went is left out", page(["d", "c", "b", "a"], null), page(["d", "b"], "b"), ["d", "b", "a"], null],
    ["the whole list replaces what was known", page(["d", "c"], "c"), page(["e"], null), ["e"], null],
    ["a list of one page goes on after it", page(["d", "c"], "c"), page(["f", "e"], "e"), ["f", "e", "d", "c"], "c"],
    ["an empty one stays empty", page(["d"], null), page([], null), [], null],
  ])("%s", (...[, known, first, items, nextCursor]) => {
    expect(withFirstPage(known, first, order)).toEqual({ items, nextCursor });
  });
});

test("a history has the head of each day, and groups what one side wrote within five minutes", () => {
  const message = (createdAt: string, direction = "inbound") => ({ createdAt, direction, sentBy: null });
  const rows = historyRows([
    message("2026-11-23T12:20:00Z"),
    message("2026-11-23T12:10:00Z", "outbound"),
    message("2026-11-23T12:09:00Z"),
    message("2026-11-23T12:08:00Z"),
    message("2026-11-21T12:08:00Z"),
  ]);
  expect(rows.map((row) => (row.is === "day" ? "day" : row.isFirst))).toEqual([
    "day",
    true,
    "day",
    true,
    false,
    true,
    true,
  ]);
});

test("a history begins a group when another person, key or program writes", () => {
  const carla = { kind: "user", id: "1" };
  const by = (sentBy: { kind: string; id: string } | null, minute: number) => ({
    createdAt: `2026-11-23T12:0${minute}:00Z`,
    direction: "outbound",
    sentBy,
  });
  const rows = historyRows([
    by(null, 6),
    by({ kind: "key", id: "1" }, 5),
    by({ ...carla }, 4),
    by({ ...carla, id: "2" }, 3),
    by({ ...carla }, 2),
    by(carla, 1),
  ]);
  expect(rows.flatMap((row) => (row.is === "day" ? [] : [row.isFirst]))).toEqual([true, false, true, true, true, true]);
});

describe("a text of a stranger", () => {
  test.each([
    ["veja https://a.example/x?y=1.", ["veja ", "https://a.example/x?y=1", "."]],
    ["(http://a.example)", ["(", "http://a.example", ")"]],
    ["javascript:alert(1) data:text/html,x", ["javascript:alert(1) data:text/html,x"]],
    ['<a href="https://a.example">x</a>', ['<a href="', "https://a.example", '">x</a>']],
    ["", []],
  ])("%j has the parts %j", (text, parts) => {
    expect(textParts(text).map((part) => part.text)).toEqual(parts);
  });

  test("becomes a link for http and https alone", () => {
    const links = textParts("http://a.example ftp://b.example https://c.example").filter(({ is }) => is === "link");
    expect(links.map(({ text }) => text)).toEqual(["http://a.example", "https://c.example"]);
  });
});

test.each([
  ["Ana Souza", "AS"],
  ["ana", "A"],
  ["<b>", "B"],
  ["🎂🥐", "?"],
  ["", "?"],
])("the picture of %j is %j", (name, initials) => expect(initialsOf(name)).toBe(initials));

test("a Brazilian number is written with its blanks, another as it is", () => {
  expect(["5511988887777", "551133334444", "14155550100"].map(numberText)).toEqual([
    "+55 11 98888-7777",
    "+55 11 3333-4444",
    "+14155550100",
  ]);
});

test.each([
  ["image/png", "oi", { type: "image", content: { mediaHandle: "h", mimeType: "image/png", caption: "oi" } }],
  ["audio/mpeg", "oi", { type: "audio", content: { mediaHandle: "h", mimeType: "audio/mpeg" } }],
  ["video/mp4", "", { type: "video", content: { mediaHandle: "h", mimeType: "video/mp4" } }],
  [
    "image/svg+xml",
    "",
    { type: "document", content: { mediaHandle: "h", mimeType: "image/svg+xml", filename: "a.svg" } },
  ],
])("a file of %s with the text %j is sent as %j", (contentType, caption, sent) => {
  const file = { mediaHandle: "h", contentType };
  expect(fileContent(file, { name: "a.svg", caption })).toEqual(sent as ReturnType<typeof fileContent>);
});

test("a template's text has its values, and keeps a variable without one", () => {
  expect(filledTemplate("Oi {{1}}, {{2}}", { "1": "Ana" })).toBe("Oi Ana, {{2}}");
});

test("own data of a contact are lines, and what is no text stays what it is", () => {
  const known = { city: "Recife", age: 3, list: [1] };
  const lines = metadataLines(known);
  expect(lines).toBe("city: Recife\nage: 3\nlist: [1]");
  expect(metadataOf(lines, known)).toEqual(known);
  expect(metadataOf("age: 4\n: x\nurl: http://a:1", known)).toEqual({ age: "4", url: "http://a:1" });
  expect(tagsOf(" vip, ,novo,vip")).toEqual(["vip", "novo"]);
});
