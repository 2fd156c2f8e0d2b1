import { afterEach, describe, expect, test } from "bun:test";
import { createHttp, type OutboundHttp } from "../../src/adapters/http/http.ts";
import { nextTurn } from "../../src/conformance/recording-host.ts";
import type { HttpOpened, HttpOpenRequest } from "../../src/contract/ports/http.ts";
import {
  deaf,
  dropping,
  type Endpoint,
  endless,
  goodTls,
  hanging,
  healthy,
  impatient,
  saying,
  slow,
  testCa,
  truncating,
} from "../support/servers/hostile.ts";
import { realTime, untilTrue } from "../support/waiting.ts";

const made: OutboundHttp[] = [];
const open = (extraCa?: string): OutboundHttp => {
  const http = createHttp({ allow: ["127.0.0.1"], extraCa, resolve: () => Promise.resolve(["127.0.0.1"]) });
  made.push(http);
  return http;
};
afterEach(() => {
  for (const http of made.splice(0)) http.close();
});

const get = (url: string, more: Partial<HttpOpenRequest> = {}): HttpOpenRequest => ({
  url,
  method: "GET",
  timeoutMs: 10_000,
  ...more,
});

const bodyOf = (opened: HttpOpened): AsyncIterable<Uint8Array> => {
  if (!opened.ok) throw new Error(`there was no answer: ${opened.message}`);
  return opened.body;
};

/** The text of a body as far as it came, and why it ended. */
const readAll = async (opened: HttpOpened): Promise<{ text: string; fault?: string }> => {
  let text = "";
  try {
    for await (const chunk of bodyOf(opened)) text += Buffer.from(chunk).toString("latin1");
    return { text };
  } catch (error) {
    return { text, fault: (error as Error).message };
  }
};

const until = async (condition: () => boolean): Promise<void> => {
  await untilTrue(condition);
};

/** Resolves when the endpoint has no connection left. */
const untilAlone = (endpoint: Endpoint): Promise<void> => until(() => endpoint.open === 0);

describe("an answer that is read while it comes", () => {
  test("comes whole, with its status and headers, and its connection is used again", async () => {
    await using endpoint = await saying(
      "HTTP/1.1 201 Created\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\n0123456789",
    );
    const http = open();
    for (const send of [http.guardedStream, http.trustedStream, http.guardedStream]) {
      const opened = await send(get(endpoint.url));
      expect(opened).toMatchObject({
        ok: true,
        status: 201,
        headers: { "content-type": "image/png", "content-length": "10" },
      });
      expect(await readAll(opened)).toEqual({ text: "0123456789" });
    }
    expect([endpoint.requests.length, endpoint.connections]).toEqual([3, 1]);
  });

  test("comes over TLS with the operator's trust anchor, and not without", async () => {
    await using endpoint = await goodTls();
    expect(await readAll(await open(await testCa()).guardedStream(get(endpoint.url)))).toEqual({ text: "ok" });
    expect(await open().guardedStream(get(endpoint.url))).toMatchObject({
      ok: false,
      failure: "tls",
      mayHaveArrived: false,
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  test("is not drawn faster than it is read: the sender of an endless body has to wait", async () => {
    await using endpoint = await endless();
    let readBytes = 0;
    for await (const chunk of bodyOf(await open().guardedStream(get(endpoint.url)))) {
      readBytes += chunk.length;
      // turns enough for the sender, which is in this process, to fill every buffer on the way
      for (let turn = 0; turn < 1000; turn++) await nextTurn();
      break;
    }
    expect(endpoint.sentBytes - readBytes).toBeLessThan(16_000_000);
  });

  test("is dropped, with its connection, when the reader leaves", async () => {
    await using endpoint = await endless();
    for await (const chunk of bodyOf(await open().guardedStream(get(endpoint.url)))) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await untilAlone(endpoint);
    expect(endpoint.connections).toBe(1);
  });

  test("is dropped at its time limit when nobody reads it at all, and says so to who reads later", async () => {
    await using endpoint = await endless();
    const opened = await open().guardedStream(get(endpoint.url, { timeoutMs: 1000 }));
    await untilAlone(endpoint);
    expect(await readAll(opened)).toMatchObject({ fault: "no complete answer in time" });
  });
});

describe("half an answer never looks whole", () => {
  test("one that ends before its announced length", async () => {
    await using endpoint = await truncating();
    expect(await readAll(await open().guardedStream(get(endpoint.url)))).toEqual({
      text: "abc",
      fault: "the connection ended before the answer did",
    });
  });

  test("one whose chunks have no end", async () => {
    await using endpoint = await saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", {
      thenHangUp: true,
    });
    expect(await readAll(await open().guardedStream(get(endpoint.url)))).toEqual({
      text: "abc",
      fault: "the connection ended before the answer did",
    });
  });

  test("one that stalls", async () => {
    await using endpoint = await saying("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    expect(await readAll(await open().guardedStream(get(endpoint.url, { idleMs: 1000 })))).toEqual({
      text: "abc",
      fault: "nothing came for 1000 ms",
    });
    await untilAlone(endpoint);
  });

  test("one that drips for longer than its time, though it never stalls", async () => {
    await using endpoint = await slow(10);
    const { text, fault } = await readAll(
      await open().guardedStream(get(endpoint.url, { timeoutMs: 1000, idleMs: 5000 })),
    );
    expect(fault).toBe("no complete answer in time");
    expect(text).toMatch(/^x+$/);
    await untilAlone(endpoint);
  });

  test("one whose connection we close ourselves", async () => {
    await using endpoint = await saying("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    const http = open();
    const opened = await http.guardedStream(get(endpoint.url));
    http.close();
    expect(await readAll(opened)).toMatchObject({ fault: "the connection ended before the answer did" });
  });

  test("a reader may take its time: only the sender's is limited by the idle limit", async () => {
    await using endpoint = await saying("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789");
    const opened = await open().guardedStream(get(endpoint.url, { idleMs: 1000 }));
    await realTime(1200);
    expect(await readAll(opened)).toEqual({ text: "0123456789" });
  });
});

describe("no answer", () => {
  test("an endpoint that takes the request and never answers is `timeout` after the idle limit, and may have the request", async () => {
    await using endpoint = await hanging();
    const opened = await open().guardedStream(get(endpoint.url, { idleMs: 1000 }));
    expect(opened).toMatchObject({ ok: false, failure: "timeout", mayHaveArrived: true });
    await untilAlone(endpoint);
  });

  test("a connection dropped after the request is `aborted`", async () => {
    await using endpoint = await dropping();
    expect(await open().guardedStream(get(endpoint.url))).toMatchObject({
      ok: false,
      failure: "aborted",
      mayHaveArrived: true,
    });
  });

  test("a refused connection is `connect`, and certainly nothing arrived", async () => {
    const gone = await healthy();
    await gone[Symbol.asyncDispose]();
    expect(await open().guardedStream(get(gone.url))).toMatchObject({
      ok: false,
      failure: "connect",
      mayHaveArrived: false,
    });
  });
});

/** Chunks of a source that notes what was drawn from it and whether it was closed. */
const source = (chunks: readonly string[], fault?: string) => {
  const seen = { drawn: 0, isClosed: false };
  async function* stream() {
    try {
      for (const chunk of chunks) {
        seen.drawn++;
        yield Buffer.from(chunk);
      }
      if (fault) throw new Error(fault);
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, stream: stream() };
};

describe("a body that is sent while it comes", () => {
  const put = (url: string, stream: AsyncIterable<Uint8Array>, sizeBytes: number): HttpOpenRequest =>
    get(url, { method: "PUT", body: { stream, sizeBytes } });

  test("arrives whole under its length, with either kind of answer", async () => {
    await using endpoint = await healthy();
    const http = open();
    expect(await http.guarded(put(endpoint.url, source(["abc", "", "defg"]).stream, 7))).toMatchObject({
      ok: true,
      status: 200,
    });
    expect(await readAll(await http.guardedStream(put(endpoint.url, source(["abc", "", "defg"]).stream, 7)))).toEqual({
      text: "ok",
    });
    for (const request of endpoint.requests) expect(request).toMatch(/content-length: 7\r\n[\s\S]*\r\n\r\nabcdefg$/i);
    expect([endpoint.requests.length, endpoint.connections]).toEqual([2, 1]);
  });

  test.each([
    ["is shorter than announced", source(["abc"]), 4, "the body ended after 3 of 4 bytes"],
    ["is longer than announced", source(["abc", "de"]), 4, "the body has more than the announced 4 bytes"],
    ["breaks", source(["abc"], "the file is gone"), 4, "the file is gone"],
  ])("that %s never arrives whole, and its source is closed", async (_how, { stream, seen }, sizeBytes, message) => {
    await using endpoint = await healthy();
    expect(await open().guarded(put(endpoint.url, stream, sizeBytes))).toMatchObject({
      ok: false,
      failure: "aborted",
      message,
    });
    await untilAlone(endpoint);
    expect(endpoint.requests).toEqual([]);
    expect(seen.isClosed).toBe(true);
  });

  test("is not drawn faster than it is taken, and an endpoint that takes nothing is `timeout`", async () => {
    await using endpoint = await deaf();
    const { stream, seen } = source(Array.from({ length: 1000 }, () => "x".repeat(100_000)));
    const result = await open().guardedStream({ ...put(endpoint.url, stream, 100_000_000), idleMs: 1000 });
    expect(result).toMatchObject({ ok: false, failure: "timeout", mayHaveArrived: true });
    expect(seen.drawn).toBeLessThan(300);
    await until(() => seen.isClosed);
  });

  test("may be answered before its end: the answer counts, the rest is not sent, and nothing else goes over that connection", async () => {
    await using endpoint = await impatient();
    const http = open();
    for (const connections of [1, 2]) {
      const { stream, seen } = source(Array.from({ length: 1000 }, () => "x".repeat(100_000)));
      const opened = await http.guardedStream(put(endpoint.url, stream, 100_000_000));
      expect(opened).toMatchObject({ ok: true, status: 413 });
      expect(await readAll(opened)).toEqual({ text: "too large" });
      await until(() => seen.isClosed);
      expect(seen.drawn).toBeLessThan(300);
      expect(endpoint.connections).toBe(connections);
    }
  });
});

describe("an answer in small pieces", () => {
  const pieces = (count: number, piece: string) =>
    saying(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${`${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(count)}0\r\n\r\n`,
    );

  test("is ended after so many that they would cost more than their bytes, and its connection closed", async () => {
    await using server = await pieces(200_000, "y");
    const { text, fault } = await readAll(await open().guardedStream(get(server.url)));
    expect(fault).toBe("the answer came in too many pieces");
    expect(text.length).toBeWithin(1, 70_000);
    await untilAlone(server);
  });

  test.each([
    ["10,000 pieces of one byte", 10_000, "y"],
    ["10 MB in lines of 100 bytes", 100_000, `${"y".repeat(99)}\n`],
  ])("is whole where a server may send so many: %s", async (_, count, piece) => {
    await using server = await pieces(count, piece);
    const { text, fault } = await readAll(await open().guardedStream(get(server.url)));
    expect([fault, text.length]).toEqual([undefined, count * piece.length]);
  });
});
