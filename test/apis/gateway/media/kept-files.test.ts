import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { tempDirOf } from "../../../../src/adapters/files/files.ts";
import { DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import { type Customer, TO } from "../../../support/customers/customer.ts";
import { filesOf } from "../../../support/customers/media.ts";
import { newSessionCustomer, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import { type Answer, startWorld, type World } from "../../../support/world.ts";

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.sent.length = 0;
});
afterAll(() => w.stop());

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
const path = "/v1/media/files";
const filesOfAccount = ({ accountId } = c) => filesOf(w).filter((file) => file.startsWith(accountId));

/** A request with a body of bytes. */
const post = async (body: Uint8Array | FormData, contentType?: string, key = c.key) => {
  const answer = await fetch(`${w.app.url}/gateway${path}`, {
    method: "POST",
    headers: { "x-api-key": key, ...(contentType === undefined ? {} : { "content-type": contentType }) },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as any };
};
const form = (bytes: Uint8Array, filename = "foto da loja.png") => {
  const made = new FormData();
  made.append("note", "a field before the file");
  made.append("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), filename);
  made.append("after", "a field after the file");
  return made;
};
const FORM = "multipart/form-data; boundary=b";
/** A form with a file whose part has this content type. */
const part = (contentType: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nCONTENT-TYPE:${contentType}\r\n\r\n`,
    ),
    PNG,
    Buffer.from("\r\n--b--\r\n"),
  ]);
const kept = async (bytes: Uint8Array = PNG): Promise<string> => (await post(form(bytes))).body.mediaHandle;
const send = (mediaHandle: string, key = c.key, phoneId = c.phone.id) =>
  w.gateway("/v1/messages", {
    key,
    body: { phoneId, to: TO, type: "image", content: { mediaHandle } },
  });

describe("a file that an account uploads", () => {
  test("W26-10 as a form: it is kept whole, with what its bytes show, for as long as media is", async () => {
    const { status, body } = await post(form(PNG));
    expect([status, body]).toEqual([
      201,
      {
        mediaHandle: expect.stringMatching(/^file-[0-9a-f-]{36}$/),
        contentType: "image/png",
        sizeBytes: PNG.length,
        filename: "foto da loja.png",
        expiresAt: iso(w.clock.now() + 7 * DAY_MS),
      },
    ]);
    expect(filesOfAccount()).toEqual([`${c.accountId}/uploads/${body.mediaHandle.slice(5)}`]);
    expect(readdirSync(tempDirOf(w))).toEqual([]);
  });

  test("W26-10 as it is, and in base64", async () => {
    expect((await post(Buffer.from("a;b"), "text/csv")).body).toMatchObject({ contentType: "text/csv", sizeBytes: 3 });
    const answer = await w.gateway(`${path}/base64`, {
      key: c.key,
      body: { base64: PNG.toString("base64"), filename: "a.png" },
    });
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { contentType: "image/png", sizeBytes: PNG.length, filename: "a.png" },
    ]);
  });

  test("W26-10 its name stays with it, without folders; a file without one has none", async () => {
    const nameOf = async (filename?: string) => {
      const { status, body } = await w.gateway(`${path}/base64`, {
        key: c.key,
        body: { base64: PNG.toString("base64"), ...(filename === undefined ? {} : { filename }) },
      });
      expect(status).toBe(201);
      return (await w.app.env.openKeptFile(c.accountId as never, body.mediaHandle))?.name;
    };
    expect([await nameOf("relatório nº 1.pdf"), await nameOf()]).toEqual(["relatório nº 1.pdf", undefined]);
  });

  test.each([
    ["filename=plain.pdf", "plain.pdf"],
    ["filename*=UTF-8''or%C3%A7amento.pdf", "orçamento.pdf"],
    ['filename="orçamento.pdf"', "orçamento.pdf"],
    ['filename="or%C3%A7amento.pdf"', "orçamento.pdf"],
    ['filename="=?UTF-8?B?b3LDp2FtZW50by5wZGY=?="', "orçamento.pdf"],
    [String.raw`filename="C:\notas\abril.pdf"`, "abril.pdf"],
    [String.raw`filename="a\"b.pdf"`, 'a"b.pdf'],
    ["\r\n\tfilename=folded.pdf", "folded.pdf"],
  ])("W26-10 a form's file keeps its name, written as %j", async (written, filename) => {
    const head = `--b\r\nContent-Disposition: form-data; name="file"; ${written}\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), PNG, Buffer.from("\r\n--b--\r\n")]);
    expect((await post(body, FORM)).body).toMatchObject({ filename, contentType: "image/png" });
    const latin1 = Buffer.concat([Buffer.from(head, "latin1"), PNG, Buffer.from("\r\n--b--\r\n")]);
    expect((await post(latin1, FORM)).body).toMatchObject({ filename });
  });

  test("W26-10 its type is that of its bytes, then of its name, then the declared one; a vaguer one never wins", async () => {
    const typeOf = async (bytes: Uint8Array, filename: string): Promise<string> => {
      const { mediaHandle, contentType } = (await post(form(bytes, filename))).body;
      const opened = await w.app.env.openKeptFile(c.accountId as never, mediaHandle);
      expect(opened).toMatchObject({ contentType, name: filename });
      return contentType;
    };
    const word = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]);
    expect(await typeOf(word, "carta.doc")).toBe("application/msword");
    expect(await typeOf(Buffer.from("a;b\n1;2;3;4"), "tabela.csv")).toBe("text/csv");
    expect(await typeOf(PNG, "foto.jpg")).toBe("image/png");
  });

  test("W26-10 with bytes like a boundary, and larger than a piece of the network", async () => {
    const bytes = Buffer.alloc(300_000, "\r\n--x\r\n-");
    const { status, body } = await post(form(bytes));
    expect([status, body.sizeBytes]).toEqual([201, bytes.length]);
    expect((await w.app.env.openKeptFile(c.accountId as never, body.mediaHandle))?.sizeBytes).toBe(bytes.length);
    const read = await w.app.env.openKeptFile(c.accountId as never, body.mediaHandle);
    expect(Buffer.concat(await Array.fromAsync(read?.body ?? [])).equals(bytes)).toBe(true);
  });

  test.each([
    ["a form without a file", () => post(new FormData())],
    ["a form without a boundary", () => post(Buffer.from("x"), "multipart/form-data")],
    ["a form that breaks off", () => post(Buffer.from("--b\r\nContent-Disp"), "multipart/form-data; boundary=b")],
    [
      "a file that breaks off",
      () =>
        post(
          Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'),
          "multipart/form-data; boundary=b",
        ),
    ],
    ["a part with a header of 15,000 tabs", () => post(part(`N${"\t".repeat(15_000)}T`), FORM)],
    ["an empty file", () => post(form(new Uint8Array()))],
    ["nothing", () => post(new Uint8Array(), "image/png")],
    ...["undefined", "filesystem-v2", "iVBORw0KG=", "iVBOR"].map((base64): [string, () => Promise<Answer>] => [
      `${base64} for base64`,
      () => w.gateway(`${path}/base64`, { key: c.key, body: { base64 } }),
    ]),
    ["what is no base64", () => w.gateway(`${path}/base64`, { key: c.key, body: { base64: "h e l l o !" } })],
  ])("W26-10 %s is refused, and nothing is kept", async (_, ask) => {
    expect((await ask()).status).toBe(400);
    expect([filesOfAccount(), readdirSync(tempDirOf(w))]).toEqual([[], []]);
  });

  test("W26-10 is deleted at its end", async () => {
    const handle = await kept();
    await w.advance(7 * DAY_MS);
    expect(filesOfAccount()).toEqual([]);
    expect((await send(handle)).status).toBe(400);
  });
});

test("W26-10 the content type of a form's part is read without the blanks around it, and longest names are taken", async () => {
  const { status, body } = await post(part(" \t text/plain; charset=utf-8 \t "), FORM);
  expect([status, body.contentType]).toEqual([201, "image/png"]);
  const long = "ã".repeat(255);
  expect((await post(form(PNG, long))).body.filename).toStartWith("ã".repeat(50));
});

describe("a handle", () => {
  test("W26-10 is sent by a session's phone", async () => {
    const handle = await kept();
    const { status, body } = await send(handle);
    expect(status).toBe(202);
    await w.settle();
    expect(network.sent.map(({ order }) => [order.messageId, order.content])).toEqual([
      [body.messageId, { mediaHandle: handle }],
    ]);
  });

  test("W26-10 of another account is not found, nor is one that never was", async () => {
    const handle = await kept();
    const other = await newSessionCustomer(w);
    for (const unknown of [handle, "file-6a0c2b1e-0000-4000-8000-000000000001", "../x", "123"]) {
      const { status, body } = await send(unknown, other.key, other.phone.id);
      expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    }
    await w.settle();
    expect(network.sent).toEqual([]);
    expect((await send(handle)).status).toBe(202);
  });
});
