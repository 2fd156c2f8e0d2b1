import { expect, test } from "bun:test";
import { create } from "qrcode";
import { createScreen } from "../../src/commands/screen.ts";
import { modulesIn } from "../support/networks/half-blocks.ts";

const QR = `https://wa.me/settings/linked_devices#${"2@aB3".repeat(50)},1`;

/** A screen, and what was printed on it. */
const screenOf = (isTerminal: boolean) => {
  const lines: string[] = [];
  return { ...createScreen({ out: (line) => lines.push(line), isTerminal }), lines };
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
