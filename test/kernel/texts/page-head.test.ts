import { describe, expect, test } from "bun:test";
import { firstLinkIn } from "../../../src/kernel/texts/links.ts";
import { pageHeadOf } from "../../../src/kernel/texts/page-head.ts";

describe("the head of a page", () => {
  test("names title, description and picture: Open Graph before Twitter before HTML, decoded and in one line", async () => {
    const page = `<!DOCTYPE html><HTML><head><title>Página</title>
      <meta name=description content='Da página'>
      <meta name="twitter:title" content="No Twitter">
      <META content="Bolo &amp; caf&#233;\n de &quot;cenoura&quot; &unknown;" PROPERTY="og:title">
      <meta property="og:title" content="Outro">
      <meta property="og:image" content="/bolo.jpg?a=1&amp;b=2"></head><body>
      <meta property="og:description" content="No corpo"></body>`;
    expect(await pageHeadOf(page)).toEqual({
      title: 'Bolo & café de "cenoura" &unknown;',
      description: "Da página",
      imageUrl: "/bolo.jpg?a=1&b=2",
    });
  });

  test("is not read from scripts, comments and quoted values, and a sign that turns the text round stays out", async () => {
    const page = `<!-- <title>A</title> --><script>"<title>B</title>"</SCRIPT><style><title>C</title></style>
      <meta name="x" content="<title>D</title>"><title>\u202eE\u0007</title>`;
    expect(await pageHeadOf(page)).toEqual({ title: "E" });
  });

  test.each([
    ["nothing", ""],
    ["no markup", "plain text"],
    ["a comment without an end", "<!-- <title>A</title>"],
    ["a script without an end", "<script><title>A</title>"],
    ["a quote without an end", `<meta property="og:title content=x>`],
    ["half a million opened tags", "<".repeat(512 * 1024)],
    ["half a million quotes", `<meta ${'"'.repeat(512 * 1024)}`],
    ["one endless attribute", `<meta ${"a".repeat(512 * 1024)}>`],
    ["capitals alone", `<SCRIPT>${"</SCRIP".repeat(70_000)}`],
  ])("of a page with %s is empty", async (_, page) => {
    expect(await pageHeadOf(page)).toEqual({});
  });
});

describe("the first link in a text", () => {
  test.each([
    ["is without the sign behind it", "veja https://padaria.example/bolo.", "https://padaria.example/bolo"],
    ["has its own brackets", "(https://padaria.example/a_(b)) e https://b.example", "https://padaria.example/a_(b)"],
    ["has its query", "HTTPS://Padaria.example/?q=1&r=2, hoje", "HTTPS://Padaria.example/?q=1&r=2"],
    ["is without the marks of a bold text", "*https://padaria.example*", "https://padaria.example"],
    ["is that of a web page alone", "padaria.example, ftp://x.example, https://", undefined],
    ["is no endless one", `https://x.example/${"a".repeat(3000)}`, undefined],
  ])("%s", (_, text, link) => {
    expect(firstLinkIn(text)).toBe(link as string);
  });
});
