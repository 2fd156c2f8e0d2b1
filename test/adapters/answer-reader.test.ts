import { expect, test } from "bun:test";
import { createAnswerReader } from "../../src/adapters/http/answer-reader.ts";

// What reading an answer costs, whatever a server makes of it.

const ok = (rest: string): string => `HTTP/1.1 200 OK\r\n${rest}`;

test("a malformed header of blanks is refused at once: a pattern that tries all ways would need hours", () => {
  for (const end of ["\0", "y\0"]) {
    const head = ok(`X-A:${" ".repeat(8000)}y${" ".repeat(8000)}${end}\r\n\r\n`);
    expect(() => createAnswerReader(10, 1000).take(Buffer.from(head))).toThrow("malformed header");
  }
});

test.each([
  ["chunks of one byte", "1\r\ny\r\n", 6000],
  ["chunks with long extensions", `40;${"x".repeat(1000)}\r\n${"y".repeat(64)}\r\n`, 100],
])("%s are cut: what frames a body counts", (_, chunk, most) => {
  const reader = createAnswerReader(64 * 1024, 1000);
  reader.take(Buffer.from(ok("Transfer-Encoding: chunked\r\n\r\n")));
  let taken = 1;
  while (taken <= most && !reader.take(Buffer.from(chunk))) taken++;
  expect(taken).toBeWithin(50, most + 1);
  const { body, isCut, status } = reader.answer();
  expect([status, isCut, reader.keepMs()]).toEqual([200, true, 0]);
  expect(Buffer.from(body).toString()).toMatch(/^y{50,}$/);
});

test.each([
  ["64 KiB in pieces of 16 bytes", 64 * 1024, 16],
  ["1 MiB in pieces of 16 bytes", 1024 * 1024, 16],
  ["10 MB in lines of 100 bytes", 10_000_000, 100],
  ["20 MiB in pieces of 256 bytes", 20 * 1024 * 1024, 256],
])("an answer of %s, each in a chunk of its own, is whole", (_, maxBytes, size) => {
  const reader = createAnswerReader(maxBytes, 1000);
  reader.take(Buffer.from(ok("Transfer-Encoding: chunked\r\n\r\n")));
  const chunk = Buffer.from(`${size.toString(16)}\r\n${"y".repeat(size)}\r\n`);
  let isOver = false;
  for (let n = 0; n < maxBytes / size; n++) isOver ||= reader.take(chunk);
  expect(isOver).toBe(false);
  expect(reader.take(Buffer.from("0\r\n\r\n"))).toBe(true);
  expect([reader.answer().isCut, reader.answer().body.length]).toEqual([false, maxBytes]);
});

test.each([
  ["an answer of 64 KiB", 64 * 1024, 5200],
  ["the longest answer", 100 * 1024 * 1024, 68_000],
])("%s is cut after so many pieces of one byte, in chunks or not", (_, maxBytes, most) => {
  for (const [framing, piece] of [
    ["Transfer-Encoding: chunked", "1\r\ny\r\n"],
    [`Content-Length: ${maxBytes}`, "y"],
  ] as const) {
    const reader = createAnswerReader(maxBytes, 1000);
    reader.take(Buffer.from(ok(`${framing}\r\n\r\n`)));
    let taken = 1;
    while (taken <= most && !reader.take(Buffer.from(piece))) taken++;
    expect(taken).toBeWithin(most - 2000, most + 1);
    expect([reader.answer().isCut, reader.keepMs()]).toEqual([true, 0]);
  }
});

test("a body of a few bytes a chunk takes the memory of its bytes, not of what came between them", () => {
  const reader = createAnswerReader(64 * 1024, 1000);
  reader.take(Buffer.from(ok("Transfer-Encoding: chunked\r\n\r\n")));
  Bun.gc(true);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 4 * 1024; i++) reader.take(Buffer.from(`10\r\n${"y".repeat(16)}\r\n`));
  Bun.gc(true);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
  expect(reader.take(Buffer.from("0\r\n\r\n"))).toBe(true);
  const { body, isCut } = reader.answer();
  expect([body.buffer.byteLength, isCut]).toEqual([64 * 1024, false]);
  expect(Buffer.from(body).toString()).toBe("y".repeat(64 * 1024));
});

test("an answer is the same in whatever pieces it comes", () => {
  const whole = Buffer.from(
    `HTTP/1.1 100 Continue\r\n\r\n${ok("Transfer-Encoding: chunked\r\nX-A: 1\r\nX-A: 2\r\n\r\n3;a\r\nabc\r\nA\r\n0123456789\r\n0\r\nB: 1\r\n\r\n")}`,
  );
  for (let size = 1; size <= whole.length; size++) {
    const reader = createAnswerReader(100, 1000);
    let isWhole = false;
    for (let at = 0; at < whole.length; at += size) isWhole = reader.take(whole.subarray(at, at + size));
    const { status, headers, body } = reader.answer();
    expect([isWhole, status, headers["x-a"], Buffer.from(body).toString(), reader.keepMs()]).toEqual([
      true,
      200,
      "1, 2",
      "abc0123456789",
      1000,
    ]);
  }
});
