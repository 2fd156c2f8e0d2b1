import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { thumbnailHere } from "../../../../src/adapters/pictures/sticker-making.ts";
import type { Content } from "../../../../src/contract/content/content.ts";
import { tripwire } from "../../../support/servers/hostile.ts";
import { fileServer } from "../../../support/session/file-server.ts";
import { type Session, sendingSession } from "../../../support/session/sending.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession({ makeThumbnail: thumbnailHere });
});
afterAll(() => session.stop());

type LinkPreview = Extract<Content, { type: "text" }>["content"]["linkPreview"];
const sent = async (text: string, linkPreview?: LinkPreview) => {
  const ana = session.contact();
  const key = session.newKey();
  const content = { text, ...(linkPreview === undefined ? {} : { linkPreview }) };
  const outcome = await session.send({ type: "text", content }, { to: `pn:${ana.pn}`, key });
  return { outcome, key, ana };
};
const arrived = async (text: string, linkPreview?: LinkPreview) => {
  const { outcome, key, ana } = await sent(text, linkPreview);
  expect(outcome).toEqual({ ok: true, key });
  const { message } = await ana.until(({ id }) => id === key);
  return message.extendedTextMessage;
};
const photo = () =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: "red" } })
    .png()
    .toBuffer();
const page = (head: string) =>
  new Response(`<html><head>${head}</head></html>`, { headers: { "content-type": "text/html; charset=utf-8" } });
const HEAD = `<meta property="og:title" content="Bolo"><meta property="og:description" content="De cenoura">`;
const WITHOUT = { matchedText: null, title: null, description: null } as const;

describe("a preview that is made", () => {
  test("has the page's title, text and small picture, behind redirects", async () => {
    const bytes = await photo();
    await using server = fileServer((path) => {
      if (path === "/a") return new Response("", { status: 302, headers: { location: "/b/c" } });
      if (path === "/b/c") return page(`${HEAD}<meta property="og:image" content="d.png">`);
      return new Response(new Uint8Array(bytes), { headers: { "content-type": "image/png" } });
    });
    const message = await arrived(`Veja ${server.url}/a!`, true);
    expect(message).toMatchObject({ matchedText: `${server.url}/a`, title: "Bolo", description: "De cenoura" });
    expect(await sharp(message?.jpegThumbnail ?? undefined).metadata()).toMatchObject({ format: "jpeg", width: 320 });
    expect(server.asked).toEqual(["/a", "/b/c", "/b/d.png"]);
  });

  test("is without a picture that is none, or is not there", async () => {
    await using server = fileServer((path) =>
      path === "/" ? page(`${HEAD}<meta property="og:image" content="/x">`) : new Response("no", { status: 404 }),
    );
    const message = await arrived(server.url, true);
    expect([message?.title, message?.jpegThumbnail?.length ?? 0]).toEqual(["Bolo", 0]);
  });

  test.each<[string, () => Response]>([
    ["answers with an error", () => new Response("<title>A</title>", { status: 500 })],
    ["is no page", () => new Response("<title>A</title>", { headers: { "content-type": "text/plain" } })],
    ["has no title", () => page("")],
    ["leads round in circles", () => new Response("", { status: 302, headers: { location: "/" } })],
    ["leads to a private address", () => new Response("", { status: 302, headers: { location: "http://10.0.0.1/" } })],
  ])("of a page that %s: the text goes without", async (_, answer) => {
    await using server = fileServer(answer);
    expect(await arrived(`veja ${server.url}`, true)).toMatchObject(WITHOUT);
    expect(server.asked.length).toBeLessThanOrEqual(4);
  });

  test("of a page that leads to an address that may not be reached: nothing asks there, and the text goes without", async () => {
    await using wire = await tripwire({ hostname: "127.0.0.2" });
    await using server = fileServer((path) =>
      path === "/picture"
        ? page(`${HEAD}<meta property="og:image" content="/away">`)
        : new Response("", { status: 302, headers: { location: wire.url } }),
    );
    expect(await arrived(`veja ${server.url}`, true)).toMatchObject(WITHOUT);
    const message = await arrived(`veja ${server.url}/picture`, true);
    expect([message?.title, message?.jpegThumbnail?.length ?? 0]).toEqual(["Bolo", 0]);
    expect([server.asked, wire.connections]).toEqual([["/", "/picture", "/away"], 0]);
  });

  test("of a private address: nothing is asked, and the text goes without", async () => {
    expect(await arrived("veja http://192.168.0.1/admin", true)).toMatchObject(WITHOUT);
  });

  test("of a page that does not answer: the text goes without when the time is over", async () => {
    const held = Promise.withResolvers<Response>();
    const asked = Promise.withResolvers<void>();
    await using server = fileServer(() => {
      asked.resolve();
      return held.promise;
    });
    const sending = arrived(`veja ${server.url}`, true);
    await asked.promise;
    session.host.clock.advance(5000);
    expect(await sending).toMatchObject(WITHOUT);
    held.resolve(page(HEAD));
  });

  test("of half a megabyte is read no further", async () => {
    await using server = fileServer(() => page(`${"<i>".repeat(200)}${" ".repeat(600 * 1024)}${HEAD}`));
    expect(await arrived(server.url, true)).toMatchObject(WITHOUT);
  });
});

describe("no page is asked for a text", () => {
  test("whose sender does not want it, or says nothing while the phone's setting is off", async () => {
    await using server = fileServer(() => page(HEAD));
    expect(await arrived(server.url, false)).toMatchObject(WITHOUT);
    expect(await arrived(server.url)).toMatchObject(WITHOUT);
    await session.host.vault.write({ linkPreviews: "on" });
    expect(await arrived(server.url, false)).toMatchObject(WITHOUT);
    expect(server.asked).toEqual([]);
    expect(await arrived(server.url)).toMatchObject({ title: "Bolo" });
    await session.host.vault.write({ linkPreviews: "" });
    expect(server.asked).toEqual(["/"]);
  });

  test("with a preview of its sender's own: only its picture is fetched", async () => {
    const bytes = await photo();
    await using server = fileServer(() => new Response(new Uint8Array(bytes)));
    const own = { title: "Meu bolo", description: "Hoje", image: { mediaUrl: `${server.url}/p.png` } };
    const message = await arrived("veja https://padaria-estrela.example/bolo.", own);
    expect(message).toMatchObject({
      matchedText: "https://padaria-estrela.example/bolo",
      title: "Meu bolo",
      description: "Hoje",
    });
    expect(message?.jpegThumbnail?.length).toBeGreaterThan(100);
    expect(server.asked).toEqual(["/p.png"]);
  });
});

test("a text whose own preview has a picture that cannot be had is not sent", async () => {
  await using server = fileServer(() => new Response("", { status: 404 }));
  const before = session.net.stat.stanzas["message"];
  const own = { title: "Meu bolo", image: { mediaUrl: server.url } };
  expect((await sent("veja https://padaria.example", own)).outcome).toMatchObject({ ok: false, kind: "refused" });
  expect(session.net.stat.stanzas["message"]).toBe(before as number);
});
