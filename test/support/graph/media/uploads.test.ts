import { describe, expect, test } from "bun:test";
import { ACCOUNT_ID, type Answered, errorOf, graphBench, TOKEN } from "../fixture.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";

const bench = graphBench();
const FILE = "0123456789";
const start = (query = "file_length=10&file_type=image/png&file_name=a.png", app = "67000") => {
  const { graph, call } = bench();
  graph.addToken({ token: TOKEN, appId: "67000", businessAccountIds: [ACCOUNT_ID] });
  return call("POST", `/v25.0/${app}/uploads?${query}`);
};
const started = async () => textOf((await start()).body["id"]);

/** A write of the file from `offset` on, by the id as it was given. */
const write = async (
  id: string,
  offset: number | undefined,
  text = FILE.slice(offset),
  headers: Record<string, string> = { authorization: `OAuth ${TOKEN}` },
): Promise<Answered> => {
  const { graph } = bench();
  const answer = await fetch(`${graph.url}/v25.0/${id}`, {
    method: "POST",
    headers: {
      ...headers,
      ...(offset === undefined ? {} : { file_offset: String(offset) }),
      "content-type": "image/png",
    },
    body: text,
  });
  return { status: answer.status, body: fieldsOf(await answer.json()), headers: answer.headers };
};
const whole = (upload: { bytes: Uint8Array } | undefined) => new TextDecoder().decode(upload?.bytes);

describe("a resumable upload", () => {
  test("gives a handle for the whole file", async () => {
    const { graph } = bench();
    const id = await started();
    expect(id).toMatch(/^upload:[A-Za-z0-9+=]+\?sig=\w+$/);
    const { status, body } = await write(id, 0);
    expect([status, textOf(body["h"]).startsWith(`4::${Buffer.from("image/png").toString("base64")}:`)]).toEqual([
      200,
      true,
    ]);
    expect([...graph.uploads.values()].map((one) => [one.mimeType, whole(one), one.handle])).toEqual([
      ["image/png", FILE, textOf(body["h"])],
    ]);
    expect(graph.journal.at(-1)?.body).toBe("<10 bytes>");
  });

  test("that is interrupted says how far it came, and goes on from there", async () => {
    const { graph, call } = bench();
    const id = await started();
    expect((await call("GET", `/v25.0/${id}`)).body).toEqual({ id, file_offset: 0 });
    graph.interruptUpload(4);
    expect(await write(id, 0).then(String, () => "reset")).toBe("reset");
    expect((await call("GET", `/v25.0/${id}`)).body).toEqual({ id, file_offset: 4 });
    expect(errorOf(await write(id, 0))["code"]).toBe(100);
    expect((await write(id, 4)).body).toEqual({ h: expect.any(String) });
    expect((await call("GET", `/v25.0/${id}`)).body).toEqual({ id, file_offset: 10 });
    expect(whole([...graph.uploads.values()][0])).toBe(FILE);
  });

  test("is interrupted over HTTP too", async () => {
    const { graph } = bench();
    const id = await started();
    await fetch(`${graph.url}/_sim/uploads/interrupt`, { method: "POST", body: '{"keepBytes":0}' });
    expect(await write(id, 0).then(String, () => "reset")).toBe("reset");
    expect((await write(id, 0)).status).toBe(200);
  });

  const WRONG: [why: string, query: string][] = [
    ["without a length", "file_type=image/png"],
    ["of no length", "file_length=0&file_type=image/png"],
    ["of a length that is no number", "file_length=ten&file_type=image/png"],
    ["over 100 MB", "file_length=104857601&file_type=image/png"],
    ["without a type", "file_length=10"],
    ["of a type that is not taken", "file_length=10&file_type=image/webp"],
  ];
  test.each(WRONG)("%s is refused", async (_why, query) => {
    const { graph } = bench();
    expect(errorOf(await start(query))["code"]).toBe(100);
    expect(graph.uploads.size).toBe(0);
  });

  test("is begun for the token's own app only", async () => {
    const { graph } = bench();
    graph.addToken({ token: "other", appId: "68000", businessAccountIds: [ACCOUNT_ID] });
    expect(errorOf(await start(undefined, "68000"))["error_subcode"]).toBe(33);
    expect(errorOf(await start(undefined, "12345"))["error_subcode"]).toBe(33);
    const id = await started();
    expect(errorOf(await write(id, 0, FILE, { authorization: "OAuth other" }))["error_subcode"]).toBe(33);
    expect(graph.uploads.size).toBe(1);
  });

  test("takes bytes by its whole id, the token and the offset in headers, and no byte too many", async () => {
    const { graph, call } = bench();
    const id = await started();
    const [bare = "", signature = ""] = id.split("?sig=");
    const refused: [Answered, Fields][] = [
      [await write(bare, 0), { code: 100, message: expect.stringContaining("HMAC check failed") }],
      [
        await write(`${bare}?sig=${signature}x`, 0),
        { code: 100, message: expect.stringContaining("HMAC check failed") },
      ],
      [await write(encodeURIComponent(id), 0), { code: 100, error_subcode: 33 }],
      [await write(id, undefined, FILE), { code: 100 }],
      [await write(`${id}&file_offset=0`, undefined, FILE), { code: 100 }],
      [await write(`${id}&access_token=${TOKEN}`, 0, FILE, {}), { code: 104 }],
      [await write(id, 3), { code: 100 }],
      [await write(id, 0, `${FILE}x`), { code: 100 }],
    ];
    for (const [answer, says] of refused) expect(errorOf(answer)).toMatchObject(says);
    expect((await call("GET", `/v25.0/${id}`)).body["file_offset"]).toBe(0);
    expect((await write(id, 0)).status).toBe(200);
    expect(errorOf(await write(id, 10))["code"]).toBe(100);
    expect(whole([...graph.uploads.values()][0])).toBe(FILE);
  });

  test("that ends early keeps what came and has no handle yet", async () => {
    const { graph } = bench();
    const id = await started();
    expect((await write(id, 0, FILE.slice(0, 6))).status).toBe(400);
    expect([...graph.uploads.values()].map((one) => one.handle)).toEqual([undefined]);
    expect((await write(id, 6)).body).toHaveProperty("h");
  });
});
