import { expect, test } from "bun:test";
import { decodeText } from "../../../src/kernel/texts/charsets.ts";

const TEXT = "José; coração — ação";
const utf8 = new TextEncoder().encode(TEXT);
const PLAIN = "José; coração, ação";
const latin1 = new Uint8Array(Buffer.from(PLAIN, "latin1"));
const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(text, "utf16le");
  return new Uint8Array(big ? bytes.swap16() : bytes);
};

test.each<[string, Uint8Array, string | undefined, string, string]>([
  ["UTF-8", utf8, undefined, TEXT, "utf-8"],
  ["UTF-8 with its mark", new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]), undefined, TEXT, "utf-8"],
  ["UTF-8 that is declared as Latin-1", utf8, "ISO-8859-1", TEXT, "utf-8"],
  ...["iso_8859-1", "csisolatin1", "ibm819", "koi8-r", "tis-620", "macintosh", "l9", "cp866"].map(
    (label): [string, Uint8Array, string, string, string] => [
      `UTF-8 that is declared as ${label}`,
      utf8,
      label,
      TEXT,
      "utf-8",
    ],
  ),
  ["KOI8-R as declared", new Uint8Array([0xf0, 0x20, 0xc4]), "csKOI8R", "П д", "koi8-r"],
  ["UTF-8 that is declared as an unknown charset", utf8, "nobody-knows", TEXT, "utf-8"],
  ["UTF-8 with a cut end", utf8.subarray(0, utf8.length - 2), "utf-8", `${TEXT.slice(0, -2)}\ufffd`, "utf-8"],
  ["windows-1252", latin1, undefined, PLAIN, "windows-1252"],
  ["windows-1252 that is declared as UTF-8", latin1, "utf-8", PLAIN, "windows-1252"],
  ["a charset as declared", new Uint8Array([0xbf, 0x20, 0xe0]), "iso-8859-5", "П р", "iso-8859-5"],
  ["Shift_JIS as declared", new Uint8Array([0x93, 0xfa, 0x96, 0x7b]), "shift_jis", "日本", "shift_jis"],
  ["UTF-8 that is declared as EUC-JP", new TextEncoder().encode("ação €"), "euc-jp", "ação €", "utf-8"],
  ["UTF-16 with its mark", new Uint8Array([0xff, 0xfe, ...utf16(TEXT)]), "utf-8", TEXT, "utf-16le"],
  ["UTF-16 without its mark", utf16(PLAIN), undefined, PLAIN, "utf-16le"],
  ["UTF-16 from the other end, without its mark", utf16(PLAIN, true), "utf-8", PLAIN, "utf-16be"],
  ["ASCII that is declared as UTF-16", new TextEncoder().encode("Pix: 12 34"), "utf-16", "Pix: 12 34", "utf-8"],
  ["UTF-16 of Chinese as declared", utf16("中文，好的。"), "utf-16", "中文，好的。", "utf-16le"],
  ["nothing", new Uint8Array(), "utf-8", "", "utf-8"],
])("%s is read as what it is", (...[, bytes, declared, text, charset]) => {
  expect(decodeText(bytes, declared)).toEqual({ text, charset });
});

const SENTENCES = [
  "Abóbora, maçã e pão francês: não há promoção às terças, só à noite.",
  "CAFÉ DA MANHÃ ATÉ AS DEZ; PÃES, AÇÚCAR, LIMÕES E TRÊS SALÕES",
  "Ação, São João, Conceição, útil, você, avô, maçãs, informações, número, português",
  "El niño comió jamón, piña y melón; mañana es sábado, un pingüino en la función",
] as const;
const CP850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";
/** The bytes of a text in a charset whose signs from 128 on are these. */
const bytesIn = (signs: string, text: string): Uint8Array =>
  new Uint8Array([...text].map((sign) => (sign < "\u0080" ? sign.charCodeAt(0) : 128 + signs.indexOf(sign))));
const signsOf = (charset: string): string =>
  Array.from({ length: 128 }, (_, at) => new TextDecoder(charset as "utf-8").decode(new Uint8Array([at + 128]))).join(
    "",
  );

test("a text in CP850 or Mac Roman is told by its words, also where a server says UTF-8", () => {
  for (const [charset, signs] of [
    ["ibm850", CP850],
    ["macintosh", signsOf("macintosh")],
  ] as const)
    for (const text of SENTENCES)
      for (const declared of [undefined, "utf-8"])
        expect(decodeText(bytesIn(signs, text), declared)).toEqual({ text, charset });
});

test("no text in windows-1252 is taken for another: its words, its quotes, dashes, prices and joined words", () => {
  const others = [
    "L’Oréal d’água “pão”–bolo—café… R$ 5 a\u00a0b São\u00a0Paulo 10€ 5£ 20¢ ªº ½ §3 ‹x› ™",
    "Größe Straße naïve façade œuvre Žižek Ångström Æsir smørrebrød",
    "‡ nota; † fim; ‰ por mil; ¤ 5; ƒ 3",
    ...SENTENCES,
    ...SENTENCES.flatMap((text) => text.split(" ")),
  ];
  const signs = signsOf("windows-1252");
  for (const text of others) expect(decodeText(bytesIn(signs, text)).text).toBe(text);
});
