import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Content } from "../../../../src/contract/content/content.ts";
import { type Session, sendingSession } from "../../../support/session/sending.ts";

const MIB = 1024 * 1024;
/** Made when they are opened: a constant stays as long as the process. */
const FILES = new Map([
  ["file-note", () => Buffer.from("olá")],
  ["file-huge", () => Buffer.alloc(101 * MIB)],
]);

let session: Session;
beforeAll(async () => {
  session = await sendingSession({
    openFile: async (handle) => {
      const bytes = FILES.get(handle)?.();
      return (
        bytes && { body: once(bytes), sizeBytes: bytes.length, contentType: "text/plain", name: "relatório nº 1.pdf" }
      );
    },
  });
});
afterAll(() => session.stop());

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
const documentOf = (mediaHandle: string): Content => ({
  type: "document",
  content: { mediaHandle, filename: "nota.txt", caption: "a nota" },
});

test("W26-10 a file that the account keeps goes out by its handle, without a server of the customer's", async () => {
  const ana = session.contact();
  const key = session.newKey();
  expect(await session.send(documentOf("file-note"), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
  const { message } = await ana.until(({ id }) => id === key);
  const document = message.documentMessage ?? message.documentWithCaptionMessage?.message?.documentMessage;
  expect(document).toMatchObject({ mimetype: "text/plain", fileName: "nota.txt", caption: "a nota" });
  expect(Number(document?.fileLength)).toBe(4);
});

test("W26-10 a document without a name has the one under which its file was uploaded", async () => {
  const ana = session.contact();
  const key = session.newKey();
  const content: Content = { type: "document", content: { mediaHandle: "file-note" } };
  expect(await session.send(content, { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
  const { message } = await ana.until(({ id }) => id === key);
  expect(message.documentMessage).toMatchObject({ fileName: "relatório nº 1.pdf" });
});

test.each([
  ["is gone", "file-gone", "not kept"],
  ["is larger than the network takes", "file-huge", "more than"],
])("W26-10 a file that %s is refused, and nothing is sent", async (_, handle, reason) => {
  const ana = session.contact();
  const before = session.net.stat.stanzas["message"];
  expect(await session.send(documentOf(handle), { to: `pn:${ana.pn}` })).toMatchObject({
    kind: "refused",
    code: "UPSTREAM_BAD_REQUEST",
    reason: expect.stringContaining(reason),
  });
  expect(session.net.stat.stanzas["message"]).toBe(before);
});
