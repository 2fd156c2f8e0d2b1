import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { downloadContentFromMessage, type proto, type WAMessage } from "@whiskeysockets/baileys";
import { type Client, linked } from "../baileys.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../index.ts";

const BYTES = Buffer.from("conteúdo".repeat(1000));

let net: WhatsApp;
let phone: Phone;
let ana: Contact;
let client: Client;

beforeEach(async () => {
  net = await startWhatsApp();
  phone = net.phone("5511900000001");
  ana = net.contact({ pn: "5511911110001" });
  client = await linked(net, "5511900000001");
});

afterEach(async () => {
  client.end();
  expect(net.stat.unhandled).toEqual([]);
  await net.stop();
});

const get = (path: string) => fetch(`https://${net.mediaHost}${path}`, { tls: { ca: net.mediaCa } });
const post = (path: string, body: Uint8Array) =>
  fetch(`https://${net.mediaHost}${path}`, { method: "POST", body: Buffer.from(body), tls: { ca: net.mediaCa } });

const receivedImage = async (id: string): Promise<WAMessage & { image: proto.Message.IImageMessage }> => {
  const message = await client.until(() =>
    client.messages.find(({ key, message: content }) => key.id === id && content?.imageMessage),
  );
  return Object.assign(message, { image: message.message?.imageMessage ?? {} });
};

describe("a file of a contact", () => {
  test("is fetched by its path and decrypts to what was sent", async () => {
    const { id } = await ana.sendMedia("image", BYTES, { to: phone, mimetype: "image/png", caption: "foto" });
    const { image } = await receivedImage(id);
    expect(image).toMatchObject({ caption: "foto", mimetype: "image/png" });
    const fetched = await get(image.directPath ?? "");
    const encrypted = Buffer.from(await fetched.arrayBuffer());
    expect(
      new Bun.CryptoHasher("sha256")
        .update(encrypted)
        .digest()
        .equals(Buffer.from(image.fileEncSha256 ?? [])),
    ).toBe(true);
    expect(net.stat.downloads.at(-1)?.status).toBe(200);
  });

  test("without its signature is refused; forgotten it is gone; a fault turns a bit", async () => {
    const { id } = await ana.sendMedia("image", BYTES, { to: phone, mimetype: "image/png" });
    const path = (await receivedImage(id)).image.directPath ?? "";
    const whole = await (await get(path)).arrayBuffer();
    expect((await get(path.split("?")[0] ?? "")).status).toBe(403);
    net.faults.media("bit-flip", { times: 1 });
    const flipped = await (await get(path)).arrayBuffer();
    expect(Buffer.from(flipped).equals(Buffer.from(whole))).toBe(false);
    expect(flipped.byteLength).toBe(whole.byteLength);
    net.faults.media(410, { times: 1 });
    expect((await get(path)).status).toBe(410);
    net.forgetMedia(path);
    expect((await get(path)).status).toBe(404);
  });

  test("is uploaded again on request, under another path", async () => {
    const { id } = await ana.sendMedia("image", BYTES, { to: phone, mimetype: "image/png" });
    const message = await receivedImage(id);
    const old = message.image.directPath;
    await client.sock.updateMediaMessage(message);
    const path = message.message?.imageMessage?.directPath ?? "";
    expect(path).not.toBe(old ?? "");
    expect((await get(path)).status).toBe(200);
  });

  test("that the phone has no more cannot be uploaded again", async () => {
    net.faults.reupload("gone");
    const { id } = await ana.sendMedia("image", BYTES, { to: phone, mimetype: "image/png" });
    const message = await receivedImage(id);
    expect(client.sock.updateMediaMessage(message)).rejects.toThrow("2");
  });
});

describe("an upload", () => {
  test("needs a token of this network and the hash of what it brings", async () => {
    const { auth } = await client.sock.refreshMediaConn();
    const hash = new Bun.CryptoHasher("sha256").update(BYTES).digest("base64url");
    expect((await post(`/mms/image/${hash}?auth=invented`, BYTES)).status).toBe(401);
    expect((await post(`/mms/image/${hash}x?auth=${encodeURIComponent(auth)}`, BYTES)).status).toBe(400);
    const stored = await post(`/mms/image/${hash}?auth=${encodeURIComponent(auth)}&token=${hash}`, BYTES);
    const answer = (await stored.json()) as { direct_path: string };
    expect(Buffer.from(await (await get(answer.direct_path)).arrayBuffer()).equals(BYTES)).toBe(true);
    expect(net.stat.uploads.map(({ status }) => status)).toEqual([401, 400, 200]);
  });

  test("fails as it is set to", async () => {
    net.faults.upload(500, { times: 1 });
    expect((await post("/mms/image/x", BYTES)).status).toBe(500);
  });
});

test("what is fetched is what Baileys decrypts", async () => {
  const { message } = await ana.sendMedia("document", BYTES, {
    to: phone,
    mimetype: "text/plain",
    fields: { fileName: "a.txt" },
  });
  const file = message.documentMessage ?? {};
  const served = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => get(new URL(request.url).pathname + new URL(request.url).search),
  });
  const stream = await downloadContentFromMessage(
    { mediaKey: file.mediaKey ?? null, url: `http://127.0.0.1:${served.port}${file.directPath}` },
    "document",
  );
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  await served.stop(true);
  expect(Buffer.concat(parts).equals(BYTES)).toBe(true);
});
