import { expect, test } from "bun:test";
import { socketLog } from "../../../../plugins/session/lifecycle/socket-log.ts";
import { createLog } from "../../../../src/kernel/log.ts";

test("what Baileys logs passes without keys, texts, QR codes and whole numbers", () => {
  const lines: string[] = [];
  const log = socketLog(createLog("debug", { write: (line) => void lines.push(line) }));
  const key = Buffer.alloc(32, 7).toString("base64");
  log.info();
  log.warn({ msg: "oi, tudo bem?", frame: { content: Buffer.alloc(9) } }, "message with 5511999990001 failed");
  log.error({ err: new Error(`bad key ${key}`), node: { qr: "2@abc" } }, `unexpected error in '${key}'`);
  log.child().warn("a line alone");
  expect(lines.map((line) => JSON.parse(line)).map(({ msg, cause, level }) => ({ msg, cause, level }))).toEqual([
    { msg: "session socket: message with 5511…01 failed", cause: undefined, level: "warn" },
    { msg: "session socket: unexpected error in '…'", cause: "Error: bad key …", level: "warn" },
    { msg: "session socket: a line alone", cause: undefined, level: "warn" },
  ]);
  expect(lines.join("")).not.toContain("tudo bem");
});

test("a report that this adapter reads is no warning, however often it comes", () => {
  const lines: string[] = [];
  const log = socketLog(createLog("debug", { write: (line) => void lines.push(line) }));
  log.warn({ node: {} }, "Unknown newsletter notification child");
  log.warn({ node: "x" }, "invalid mex newsletter notification");
  expect(lines).toEqual([]);
});

test("a key or a number that a long message would be cut in leaves nothing", () => {
  const lines: string[] = [];
  const log = socketLog(createLog("debug", { write: (line) => void lines.push(line) }));
  log.warn(`${"x ".repeat(91)}q8Zr0Lk2vW9xT1yB4nq8Zr0Lk2vW9xT1yB4n`);
  log.warn(`${"x ".repeat(97)}5511999990001`);
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toMatch(/q8Zr|55119/);
});
