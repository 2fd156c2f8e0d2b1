import { describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { sha256 } from "../../../../src/kernel/crypto.ts";
import { ACCOUNT_ID, errorOf, graphBench, listOf, NUMBER_ID, TOKEN, USER, until, valuesOf } from "../fixture.ts";
import type { Failure } from "../index.ts";
import { fieldsOf, textOf } from "../shape.ts";
import { fileOf, upload } from "./fixture.ts";

const bench = graphBench();
const MIB = 1024 * 1024;
const PICTURE = "the bytes of a picture";
const uploaded = async (bytes: number | string = PICTURE, type = "image/png") =>
  textOf((await upload(bench(), fileOf(bytes, type))).body["id"]);
const subcodeOf = (answer: Parameters<typeof errorOf>[0]) => errorOf(answer)["error_subcode"];
const addressOf = async (id: string) => textOf((await bench().call("GET", `/v25.0/${id}`)).body["url"]);
const download = (address: string, token: string | null = TOKEN) =>
  fetch(address, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });

describe("an upload", () => {
  test("is described by its id, whole, and downloaded with the token", async () => {
    const { graph, call } = bench();
    const id = await uploaded();
    const received = await call("GET", `/v25.0/${id}?phone_number_id=${NUMBER_ID}`);
    expect(received.body).toEqual({
      messaging_product: "whatsapp",
      url: expect.any(String),
      mime_type: "image/png",
      sha256: sha256(PICTURE),
      file_size: PICTURE.length,
      id,
    });
    const answer = await download(textOf(received.body["url"]));
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
      200,
      "image/png",
      'attachment; filename="a file"',
    ]);
    expect(await answer.text()).toBe(PICTURE);
    expect(graph.journal[0]?.body).toEqual({
      messaging_product: "whatsapp",
      type: "image/png",
      file: { name: "a file", type: "image/png", sizeBytes: PICTURE.length },
    });
    expect(graph.media.get(id)).toMatchObject({ origin: "upload", phoneNumberId: NUMBER_ID });
  });

  test("keeps bytes that are no text", async () => {
    const { graph } = bench();
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const { body } = await upload(bench(), new Blob([bytes], { type: "image/jpeg" }));
    expect(graph.media.get(textOf(body["id"]))?.bytes).toEqual(bytes);
    expect(new Uint8Array(await (await download(await addressOf(textOf(body["id"])))).arrayBuffer())).toEqual(bytes);
  });

  // a file is made by its test: the table stays as long as the process
  const REFUSED: [why: string, file: () => Blob, patch: Record<string, string | undefined>, says: string][] = [
    [
      "without messaging_product",
      () => fileOf("x", "image/png"),
      { messaging_product: undefined },
      "The parameter messaging_product is required",
    ],
    ["without a type", () => fileOf("x", "image/png"), { type: undefined }, "The parameter type is required"],
    [
      "whose part is of another type",
      () => fileOf("x", "image/png"),
      { type: "image/jpeg" },
      "types: image/jpeg. Received file of type 'image/png'",
    ],
    ["of a type that is not taken", () => fileOf("x", "audio/wav"), {}, "Received file of type 'audio/wav'"],
    [
      "of a type with parameters",
      () => fileOf("x", "audio/ogg; codecs=opus"),
      {},
      "Received file of type 'audio/ogg; codecs=opus'",
    ],
    ["of no type", () => fileOf("x", ""), { type: "image/png" }, "Received file of type 'application/octet-stream'"],
    ["of nothing", () => fileOf("", "image/png"), {}, "Received 0 bytes"],
    ["of a picture over 5 MB", () => fileOf(5 * MIB + 1, "image/png"), {}, "between 1 and 5242880 bytes"],
    ["of a video over 16 MB", () => fileOf(16 * MIB + 1, "video/mp4"), {}, "between 1 and 16777216 bytes"],
    ["of a sound over 16 MB", () => fileOf(16 * MIB + 1, "audio/mpeg"), {}, "between 1 and 16777216 bytes"],
    ["of a sticker over 500 KB", () => fileOf(500 * 1024 + 1, "image/webp"), {}, "between 1 and 512000 bytes"],
    ["of a document over 100 MB", () => fileOf(100 * MIB + 1, "application/pdf"), {}, "between 1 and 104857600 bytes"],
  ];
  test.each(REFUSED)("%s is refused", async (_why, make, patch, says) => {
    const { graph } = bench();
    const refused = await upload(bench(), make(), patch);
    expect([refused.status, fieldsOf(refused.body["error"])["code"]]).toEqual([400, 100]);
    expect(textOf(fieldsOf(refused.body["error"])["message"])).toContain(says);
    expect(graph.media.size).toBe(0);
  });

  test("to the last byte is taken", async () => {
    for (const [length, type] of [
      [5 * MIB, "image/jpeg"],
      [16 * MIB, "video/3gpp"],
      [500 * 1024, "image/webp"],
    ] as const)
      expect((await upload(bench(), fileOf(length, type))).status).toBe(200);
  });

  test("that is no form, or has no file, is refused", async () => {
    const { call, graph } = bench();
    const path = `/${NUMBER_ID}/media`;
    expect(errorOf(await call("POST", path, { messaging_product: "whatsapp", type: "image/png" }))["message"]).toBe(
      "(#100) The parameter file is required.",
    );
    const cut = await fetch(graph.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "multipart/form-data; boundary=x" },
      body: "--x\r\nnonsense",
    });
    expect([cut.status, fieldsOf(fieldsOf(await cut.json())["error"])["message"], graph.media.size]).toEqual([
      400,
      "(#100) The form could not be read.",
      0,
    ]);
  });

  test("lives for 30 days", async () => {
    const { clock, call } = bench();
    const id = await uploaded();
    clock.advance(30 * DAY_MS - 1);
    expect((await call("GET", `/${id}`)).status).toBe(200);
    clock.advance(1);
    expect(errorOf(await call("GET", `/${id}`))).toMatchObject({ code: 100, error_subcode: 33 });
  });

  test("is deleted once, for its own number and a token of its account only", async () => {
    const { graph, call } = bench();
    graph.addToken({ token: "other", businessAccountIds: ["999"] });
    graph.addNumber({ phoneNumberId: "2", businessAccountId: ACCOUNT_ID, displayPhoneNumber: "+551140000001" });
    const id = await uploaded();
    for (const method of ["GET", "DELETE"]) {
      expect(subcodeOf(await call(method, `/${id}`, undefined, "other"))).toBe(33);
      expect(errorOf(await call(method, `/${id}?phone_number_id=2`))["message"]).toContain(
        "phone_number_id is not a valid",
      );
    }
    const address = await addressOf(id);
    expect((await call("DELETE", `/${id}?phone_number_id=${NUMBER_ID}`)).body).toEqual({ success: true });
    expect(subcodeOf(await call("DELETE", `/${id}`))).toBe(33);
    expect((await download(address)).status).toBe(404);
  });
});

describe("the address of bytes", () => {
  test("asks for a token (401), holds for five minutes, and is given anew", async () => {
    const { clock } = bench();
    const id = await uploaded();
    const address = await addressOf(id);
    expect([(await download(address, null)).status, (await download(address, "nobody")).status]).toEqual([401, 401]);
    clock.advance(5 * MINUTE_MS - 1);
    expect((await download(address)).status).toBe(200);
    clock.advance(1);
    expect((await download(address)).status).toBe(404);
    expect((await download(await addressOf(id))).status).toBe(200);
  });

  test("is 404 when it was altered, and for another account's token", async () => {
    const { graph, clock } = bench();
    graph.addToken({ token: "other", businessAccountIds: ["999"] });
    const address = await addressOf(await uploaded());
    const longer = address.replace(/ext=\d+/, `ext=${clock.now() + DAY_MS}`);
    const elsewhere = address.replace(/mid=\d+/, `mid=${await uploaded("another", "image/jpeg")}`);
    expect([
      (await download(longer)).status,
      (await download(elsewhere)).status,
      (await download(address, "other")).status,
    ]).toEqual([404, 404, 404]);
  });

  test("can fail in every way, half an answer being half of the bytes; deleting and asking can too", async () => {
    const { graph, call } = bench();
    const id = await uploaded();
    const address = await addressOf(id);
    const got = async (failure: Failure) => {
      graph.failNext(1, failure, { operation: "media.download", phoneNumberId: NUMBER_ID });
      const answer = await download(address);
      return answer.text().then(
        (text) => [answer.status, text],
        () => [answer.status, "cut"],
      );
    };
    expect(await got({ kind: "error", code: 131000 })).toEqual([500, expect.stringContaining("131000")]);
    expect(await got({ kind: "http", status: 404 })).toEqual([404, expect.stringContaining("<html>")]);
    expect(await got({ kind: "half" })).toEqual([200, "cut"]);
    expect(await got({ kind: "garbage" })).toEqual([200, expect.stringContaining("<html>")]);
    graph.failNext(1, { kind: "http", status: 503 }, { operation: "media.get" });
    expect((await fetch(`${graph.url}/${id}`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(503);
    graph.failNext(1, { kind: "error", code: 2 }, { operation: "media.delete" });
    expect((await call("DELETE", `/${id}`)).status).toBe(503);
    graph.failNext(1, { kind: "error", code: 131000 }, { operation: "media.upload" });
    expect((await upload(bench(), fileOf("x", "image/png"))).status).toBe(500);
    expect([...graph.media.keys()]).toEqual([id]);
  });

  test("can hang before the first byte, and fall silent after half of them", async () => {
    const { graph } = bench();
    const address = await addressOf(await uploaded());
    graph.failNext(1, { kind: "stall" }, { operation: "media.download" });
    const patience = new AbortController();
    const answer = await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` }, signal: patience.signal });
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(PICTURE.slice(0, PICTURE.length / 2));
    const rest = reader?.read().then(
      () => "more",
      () => "gave up",
    );
    patience.abort();
    expect([await rest, graph.journal.at(-1)?.broken]).toEqual(["gave up", "stall"]);
    graph.failNext(1, { kind: "hang" }, { operation: "media.download" });
    const hanging = new AbortController();
    const never = fetch(address, { headers: { authorization: `Bearer ${TOKEN}` }, signal: hanging.signal }).then(
      String,
      () => "gave up",
    );
    await until(() => graph.journal.at(-1)?.broken === "hang");
    hanging.abort();
    expect(await never).toBe("gave up");
  });
});

describe("what a user sends", () => {
  const receivedOf = async (seed: { mediaId?: string }) => {
    const { graph, receive } = bench();
    const hooks = receive();
    await graph.inbound.image({ to: NUMBER_ID, from: USER, ...seed });
    return fieldsOf(listOf(valuesOf(hooks[0])[0]?.["messages"])[0]?.["image"]);
  };

  test("comes with its type, its digest in base64 and an address that leads to it", async () => {
    const { graph } = bench();
    const mediaId = graph.addMedia({
      bytes: new TextEncoder().encode(PICTURE),
      mimeType: "image/png",
      phoneNumberId: NUMBER_ID,
    });
    const received = await receivedOf({ mediaId });
    expect(received).toEqual({
      id: mediaId,
      mime_type: "image/png",
      sha256: Buffer.from(sha256(PICTURE), "hex").toString("base64"),
      url: expect.any(String),
    });
    expect(await (await download(textOf(received["url"]))).text()).toBe(PICTURE);
    expect(await (await download(await addressOf(mediaId))).text()).toBe(PICTURE);
  });

  test("is made up where no file is named, and may come without an address", async () => {
    const { graph, call } = bench();
    graph.configure({ hasMediaUrls: false });
    const received = await receivedOf({});
    expect(Object.keys(received)).toEqual(["id", "mime_type", "sha256"]);
    expect((await call("GET", `/${textOf(received["id"])}`)).body).toMatchObject({
      mime_type: "image/jpeg",
      file_size: 64,
    });
  });

  test("can claim another digest than its own", async () => {
    const { graph, call } = bench();
    const mediaId = graph.addMedia({
      bytes: new Uint8Array(3),
      mimeType: "image/png",
      phoneNumberId: NUMBER_ID,
      sha256: "ab".repeat(32),
    });
    expect((await receivedOf({ mediaId }))["sha256"]).toBe(Buffer.from("ab".repeat(32), "hex").toString("base64"));
    expect((await call("GET", `/${mediaId}`)).body["sha256"]).toBe("ab".repeat(32));
  });

  test("lives for 7 days, belongs to no number of ours and to its account alone", async () => {
    const { graph, clock, call } = bench();
    graph.addToken({ token: "other", businessAccountIds: ["999"] });
    const id = graph.addMedia({ bytes: new Uint8Array(3), mimeType: "image/png", phoneNumberId: NUMBER_ID });
    expect(errorOf(await call("GET", `/${id}?phone_number_id=${NUMBER_ID}`))["message"]).toContain(
      "phone_number_id is not a valid",
    );
    expect(subcodeOf(await call("GET", `/${id}`, undefined, "other"))).toBe(33);
    clock.advance(7 * DAY_MS - 1);
    expect((await call("GET", `/${id}`)).status).toBe(200);
    clock.advance(1);
    expect(subcodeOf(await call("GET", `/${id}`))).toBe(33);
    expect(() =>
      graph.addMedia({ bytes: new Uint8Array(3), mimeType: "image/png", phoneNumberId: "nobody's" }),
    ).toThrow("there is no number");
  });

  test("is set up over HTTP too", async () => {
    const { graph, call } = bench();
    const order = { base64: Buffer.from(PICTURE).toString("base64"), mimeType: "image/png", phoneNumberId: NUMBER_ID };
    const answer = await fetch(`${graph.url}/_sim/media`, { method: "POST", body: JSON.stringify(order) });
    const id = textOf(fieldsOf(await answer.json())["result"]);
    expect((await call("GET", `/${id}`)).body).toMatchObject({ sha256: sha256(PICTURE) });
  });
});
