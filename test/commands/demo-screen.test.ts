import { expect, test } from "bun:test";
import { create } from "qrcode";
import { createScreen } from "../../src/commands/demo/screen.ts";

const QR = `https://wa.me/settings/linked_devices#${"2@aB3".repeat(50)},1`;

/** A screen, and what was printed on it. */
const screenOf = (isTerminal: boolean) => {
  const lines: string[] = [];
  return { ...createScreen({ out: (line) => lines.push(line), isTerminal }), lines };
};

// oxlint-disable-next-line no-control-regex -- it is these that colour the picture
const COLOURS = /\u001b\[\d*m/g;
/** What a character shows of its upper and its lower module: 1 is dark. */
const HALVES: Record<string, readonly [upper: number, lower: number]> = {
  " ": [0, 0],
  "▄": [0, 1],
  "▀": [1, 0],
  "█": [1, 1],
};

/** The modules of a picture, which has a light margin of one module. */
const modulesIn = (picture: string, size: number): number[] => {
  const lines = picture.replaceAll(COLOURS, "").split("\n");
  const rows = lines.flatMap((line) =>
    [0, 1].map((half) => Array.from(line, (character) => HALVES[character]?.[half] ?? Number.NaN)),
  );
  return rows.slice(1, size + 1).flatMap((row) => row.slice(1, size + 1));
};

test("a terminal is shown the code as a picture whose modules are the code's", async () => {
  const { show, lines } = screenOf(true);
  await show(QR);
  const { data, size } = create(QR, { errorCorrectionLevel: "L" }).modules;
  expect(lines).toHaveLength(1);
  expect(modulesIn(lines[0] ?? "", size)).toEqual(Array.from(data));
});

test("the next code is drawn in the place of the one before and of what was said below it, and the same again not at all", async () => {
  const { show, say, lines } = screenOf(true);
  await show(QR);
  const height = Number(lines[0]?.split("\n").length);
  await show(QR);
  expect(lines).toHaveLength(1);
  say("scanned");
  say("scanned");
  await show(`${QR}2`);
  expect(lines[2]).toStartWith(`\u001b[${height + 1}A\u001b[J`);
  await show(QR);
  expect(lines[3]).toStartWith(`\u001b[${height}A\u001b[J`);
});

test("where there is no terminal, the text of each code is written, and nothing is erased", async () => {
  const { show, say, lines } = screenOf(false);
  await show(QR);
  await show(QR);
  say("scanned");
  say("scanned");
  await show(`${QR}2`);
  expect(lines).toEqual([`  QR code      ${QR}`, "scanned", `  QR code      ${QR}2`]);
});
