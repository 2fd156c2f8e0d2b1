import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLog, type Log, shortNumber } from "../../src/kernel/log.ts";

const CANARY = "canary-3f9c";
const NUMBER = "5511987654321";

const SECRET_NAMES = [
  "authorization",
  "Authorization",
  "cookie",
  "password",
  "newPassword",
  "secret",
  "appSecret",
  "secrets",
  "token",
  "accessToken",
  "access_token",
  "refreshToken",
  "verifyToken",
];
const OTHER_SECRET_NAMES = [
  "X-Admin-Token",
  "X-API-Key",
  "apiKey",
  "api_key",
  "key",
  "masterKey",
  "privateKey",
  "text",
  "body",
  "content",
  "caption",
];

/** The lines that `act` writes, whole and parsed. */
const written = (act: (log: Log) => void) => {
  const lines: string[] = [];
  act(createLog("debug", { write: (line) => lines.push(line) }));
  return { text: lines.join(""), records: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe("secrets", () => {
  const name = fc.constantFrom(...SECRET_NAMES, ...OTHER_SECRET_NAMES);
  const secret = fc.constantFrom<unknown>(CANARY, [CANARY], { inner: CANARY }, { list: [{ deep: CANARY }] });
  const place = fc.array(fc.constantFrom("request", "channel", "list"), { maxLength: 12 });
  const laid = fc.tuple(name, secret, place).map(([field, value, path]) =>
    path.reduceRight<Record<string, unknown>>((inner, step) => ({ [step]: step === "list" ? [inner] : inner }), {
      [field]: value,
    }),
  );

  test("never reach a line, at whatever depth they lie", () => {
    fc.assert(
      fc.property(laid, (fields) => expect(written((log) => log.info(fields, "hello")).text).not.toContain(CANARY)),
    );
  });

  test("never reach a line through the bindings of a child or of its child", () => {
    fc.assert(
      fc.property(laid, (fields) =>
        expect(written((log) => log.child({ a: 1 }).child(fields).warn("hello")).text).not.toContain(CANARY),
      ),
    );
  });

  test("never reach a line through the own fields of an error or of its cause", () => {
    const error = Object.assign(new Error("bad", { cause: Object.assign(new Error("worse"), { token: CANARY }) }), {
      config: { headers: { authorization: CANARY } },
      body: CANARY,
    });
    const { text } = written((log) => {
      log.error(error, "failed");
      log.error({ err: error }, "failed");
      log.error({ inner: { error } }, "failed");
    });
    expect(text).not.toContain(CANARY);
    expect(text.match(/"message":"worse"/g)?.length).toBe(3);
  });

  test("leave the fields beside them as they are", () => {
    const [record] = written((log) =>
      log.info(
        { channelId: "c", token: CANARY, keys: 3, tokens: 9, at: new Date(0), big: 2n ** 60n > 1, none: null },
        "hello",
      ),
    ).records;
    expect(record).toMatchObject({
      level: "info",
      msg: "hello",
      channelId: "c",
      token: "[redacted]",
      keys: 3,
      tokens: 9,
      at: "1970-01-01T00:00:00.000Z",
      big: true,
      none: null,
    });
  });
});

describe("addresses", () => {
  test("are shortened in fields that hold them, at every depth and in lists", () => {
    const { text } = written((log) => {
      log.info({ to: NUMBER, from: `${NUMBER}@s.whatsapp.net`, phoneNumber: `+${NUMBER}` }, "hello");
      log.child({ to: NUMBER }).info({ message: { to: [NUMBER], phone_number: Number(NUMBER) } }, "hello");
    });
    expect(text).not.toContain(NUMBER);
    expect(text.match(/5511…21/g)?.length).toBe(6);
  });

  test("shortNumber keeps four digits and two of anything long enough to call", () => {
    expect(shortNumber(`+${NUMBER}`)).toBe("+5511…21");
    expect(shortNumber("12345678")).toBe("1234…78");
    expect(shortNumber("1234567")).toBe("1234567");
    expect(shortNumber("120363012345678901@g.us")).toBe("1203…01@g.us");
  });
});

describe("lines", () => {
  test("each is one JSON object with level, time and message, and bytes are counted, not written", () => {
    const { records, text } = written((log) =>
      log.child({ requestId: "r" }).error({ raw: new Uint8Array(3) }, "line\nbreak"),
    );
    expect(text.trimEnd()).not.toContain("\n");
    expect(records).toEqual([
      { level: "error", time: expect.any(String), requestId: "r", raw: "[3 bytes]", msg: "line\nbreak" },
    ]);
  });

  test("bytes are counted in every form that they have: none of their numbers is written", () => {
    const key = new Uint8Array([201, 202, 203, 204]);
    const forms: Record<string, object> = {
      buffer: Buffer.from(key),
      json: Buffer.from(key).toJSON(),
      signed: new Int8Array(key.buffer),
      clamped: new Uint8ClampedArray(key.buffer),
      words: new Uint16Array(key.buffer),
      big: new BigUint64Array(1),
      view: new DataView(key.buffer),
      whole: key.buffer,
      shared: new SharedArrayBuffer(4),
    };
    const { records } = written((log) => log.info({ forms, list: Object.values(forms) }, "hello"));
    const sizes = Object.keys(forms).map((name) => `[${name === "big" ? 8 : 4} bytes]`);
    expect(Object.values(records[0]?.["forms"] ?? {})).toEqual(sizes);
    expect(records[0]?.["list"]).toEqual(sizes);
  });

  test("a circle of objects is cut, not followed", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(written((log) => log.info(circle, "hello")).text).toContain("[deep]");
  });

  test("levels below the chosen one write nothing", () => {
    const lines: string[] = [];
    const log = createLog("warn", { write: (line) => lines.push(line) });
    log.debug("no");
    log.info("no");
    log.child({ a: 1 }).info("no");
    expect(lines).toEqual([]);
    log.warn("yes");
    expect(lines.length).toBe(1);
  });
});
