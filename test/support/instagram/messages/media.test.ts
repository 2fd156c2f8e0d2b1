import { describe, expect, test } from "bun:test";
import { type Answered, errorOf } from "../../graph/fixture.ts";
import { ACCOUNT, attachmentsIn, instagramBench, USER } from "../fixture.ts";
import type { InboundSeed } from "../index.ts";

const bench = instagramBench();
const HOUR_MS = 3_600_000;
const MB = 1024 * 1024;
const subcodeOf = (answer: Answered) => errorOf(answer)["error_subcode"];
const attached = (type: string, url: string) => ({ attachment: { type, payload: { url } } });

describe("what a send attaches", () => {
  test("is fetched from this machine, and kept as it was", async () => {
    const { instagram, send, offer } = bench();
    expect((await send(attached("image", offer("png bytes", "image/png")))).status).toBe(200);
    const [sent] = instagram.sent.values();
    expect(sent?.media).toMatchObject([{ mimeType: "image/png", bytes: new TextEncoder().encode("png bytes") }]);
  });

  test("cannot be fetched: 100/2018008, and nothing was sent", async () => {
    const { instagram, send } = bench();
    const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("no", { status: 404 }) });
    expect(subcodeOf(await send(attached("image", `http://127.0.0.1:${gone.port}/`)))).toBe(2018008);
    await gone.stop(true);
    expect(subcodeOf(await send(attached("image", `http://127.0.0.1:${gone.port}/`)))).toBe(2018008);
    expect(instagram.sent.size).toBe(0);
  });

  const WRONG: [type: string, mimeType: string, bytes: number][] = [
    ["image", "image/webp", 1],
    ["image", "image/jpeg", 8 * MB + 1],
    ["audio", "audio/ogg", 1],
    ["audio", "audio/mpeg", 1],
    ["audio", "audio/mp4", 25 * MB + 1],
    ["video", "video/x-matroska", 1],
    ["video", "image/jpeg", 1],
    ["file", "text/plain", 1],
    ["file", "application/pdf", 25 * MB + 1],
  ];
  test.each(WRONG)(
    "as %s cannot be %s of %d bytes: 100/2018047, and nothing was sent",
    async (type, mimeType, bytes) => {
      const { instagram, send, offer } = bench();
      expect(subcodeOf(await send(attached(type, offer(new Uint8Array(bytes), mimeType))))).toBe(2018047);
      expect(instagram.sent.size).toBe(0);
    },
  );

  const RIGHT: [type: string, mimeType: string, bytes: number][] = [
    ["image", "image/gif", 8 * MB],
    ["audio", "audio/aac", 1],
    ["audio", "audio/mp4; codecs=mp4a", 25 * MB],
    ["video", "video/quicktime", 1],
    ["file", "application/pdf", 1],
  ];
  test.each(RIGHT)("as %s can be %s of %d bytes", async (type, mimeType, bytes) => {
    const { send, offer } = bench();
    expect((await send(attached(type, offer(new Uint8Array(bytes), mimeType)))).status).toBe(200);
  });

  test("is believed when set so", async () => {
    const { instagram, send, offer } = bench();
    instagram.configure({ isMediaFetched: false });
    expect((await send(attached("image", offer("text", "text/plain")))).status).toBe(200);
    expect([...instagram.sent.values()][0]?.media).toEqual([undefined]);
  });

  test("can be uploaded first, and sent by its id as what it is", async () => {
    const { instagram, call, send, offer } = bench();
    const upload = (type: string, url: string) =>
      call("POST", `/v25.0/${ACCOUNT}/message_attachments`, {
        message: { attachment: { type, payload: { url, is_reusable: true } } },
      });
    expect(subcodeOf(await upload("image", offer("text", "text/plain")))).toBe(2018047);
    const { body } = await upload("image", offer("png bytes", "image/png"));
    const byId = (type: string) => ({ attachment: { type, payload: { attachment_id: body["attachment_id"] } } });
    expect(errorOf(await send(byId("video")))["code"]).toBe(100);
    expect((await send(byId("image"))).status).toBe(200);
    expect((await send(byId("image"))).status).toBe(200);
    expect([...instagram.sent.values()].map((sent) => sent.media[0]?.mimeType)).toEqual(["image/png", "image/png"]);
  });
});

describe("what a user attaches", () => {
  const SAMPLES: [kind: "image" | "video" | "audio" | "file", mimeType: string, begins: RegExp][] = [
    ["image", "image/jpeg", /^\xff\xd8\xff/],
    ["video", "video/mp4", /^....ftypmp42/s],
    ["audio", "audio/mp4", /^....ftypM4A /s],
    ["file", "application/pdf", /^%PDF-/],
  ];
  test.each(SAMPLES)("as %s lies behind its link, without a token", async (kind, mimeType, begins) => {
    const { instagram, receive } = bench();
    const hooks = receive();
    await instagram.inbound[kind]({ to: ACCOUNT, from: USER });
    const [attachment] = attachmentsIn(hooks[0]);
    expect(attachment?.type).toBe(kind);
    const answer = await fetch(String(attachment?.payload["url"]));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, mimeType]);
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1")).toMatch(begins);
  });

  test("is what the test says it is", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    await instagram.inbound.image({
      to: ACCOUNT,
      from: USER,
      bytesBase64: Buffer.from("gif bytes").toString("base64"),
      mimeType: "image/gif",
    });
    const answer = await fetch(String(attachmentsIn(hooks[0])[0]?.payload["url"]));
    expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["image/gif", "gif bytes"]);
  });

  test("is gone when the link's time is over, and never had by an altered link", async () => {
    const { instagram, clock, receive } = bench();
    const hooks = receive();
    await instagram.inbound.image({ to: ACCOUNT, from: USER });
    const url = String(attachmentsIn(hooks[0])[0]?.payload["url"]);
    const said = async (link: string) => {
      const answer = await fetch(link);
      return [answer.status, answer.status === 200 ? "" : await answer.text()];
    };
    clock.advance(24 * HOUR_MS - 1000);
    expect(await said(url)).toEqual([200, ""]);
    expect(await said(url.replace(/asset_id=\d/, "asset_id=9"))).toEqual([403, "URL signature mismatch"]);
    expect(await said(url.replace(/oe=./, "oe=f"))).toEqual([403, "URL signature mismatch"]);
    clock.advance(1000);
    expect(await said(url)).toEqual([403, "URL signature expired"]);
  });

  test("can be held for another time, lost on the way, cut off, or away for good", async () => {
    const { instagram, clock, receive } = bench();
    const hooks = receive();
    instagram.configure({ mediaTtlMs: 5000 });
    await instagram.inbound.video({ to: ACCOUNT, from: USER });
    const url = String(attachmentsIn(hooks[0])[0]?.payload["url"]);
    instagram.failNext(1, { kind: "http", status: 503 }, { operation: "media.get" });
    expect((await fetch(url)).status).toBe(503);
    instagram.failNext(1, { kind: "half", isAccepted: true }, { operation: "media.get" });
    const half = await fetch(url)
      .then((answer) => answer.arrayBuffer())
      .then(
        () => "whole",
        () => "cut",
      );
    expect(half).toBe("cut");
    expect((await fetch(url)).status).toBe(200);
    clock.advance(5000);
    expect((await fetch(url)).status).toBe(403);
    expect(instagram.journal.map((entry) => [entry.path, entry.status])).toEqual([
      ["/ig_messaging_cdn/", 503],
      ["/ig_messaging_cdn/", null],
      ["/ig_messaging_cdn/", 200],
      ["/ig_messaging_cdn/", 403],
    ]);
    instagram.reset();
    expect((await fetch(url)).status).toBe(403);
  });

  test("can have a link of any kind, or none", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    const reel: InboundSeed = {
      kind: "attachments",
      to: ACCOUNT,
      from: USER,
      attachments: [{ type: "ig_reel", url: "https://www.instagram.com/reel/x/", reelVideoId: "179" }],
    };
    await instagram.inbound.batch([reel]);
    await instagram.inbound.attachments({
      to: ACCOUNT,
      from: USER,
      attachments: [{ type: "unsupported_type" }, { type: "share", hasUrl: false }],
    });
    expect(attachmentsIn(hooks[0])).toEqual([
      { type: "ig_reel", payload: { url: "https://www.instagram.com/reel/x/", reel_video_id: "179" } },
    ]);
    expect(attachmentsIn(hooks[1])).toEqual([
      { type: "unsupported_type", payload: {} },
      { type: "share", payload: {} },
    ]);
  });
});
