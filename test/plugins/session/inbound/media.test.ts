import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../../../src/conformance/seeded-random.ts";
import type { UpstreamFile } from "../../../../src/contract/content/media.ts";
import type { UpstreamResult } from "../../../../src/contract/upstream.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { tripwire } from "../../../support/servers/hostile.ts";
import { type ReceivingChannel, received, receivingChannel } from "../../../support/session/receiving.ts";

const channel = receivingChannel();

const PICTURE = seededRandom(7).bytes(100_003);
const open = (nativeId: string) => channel().link.media?.open(nativeId) as Promise<UpstreamResult<UpstreamFile>>;
const bytesOf = async (opened: UpstreamResult<UpstreamFile>) => {
  if (!opened.ok) throw new Error("not opened");
  return Buffer.concat(await Array.fromAsync(opened.value.body));
};

/** Ana sends a picture; its native id, where it lies and its key. */
const picture = async ({ ana, phone, host }: ReceivingChannel) => {
  const { message } = await ana.sendMedia("image", PICTURE, { to: phone, mimetype: "image/png", caption: "veja só" });
  const [event] = await received(host, "received");
  const { directPath, mediaKey } = message.imageMessage ?? {};
  return {
    nativeId: event?.media?.nativeId ?? "",
    directPath: directPath ?? "",
    mediaKey: Buffer.from(mediaKey ?? []),
  };
};
const pathOf = (directPath: string) => directPath.split("?")[0] ?? "";

describe("G-611 the file of a message", () => {
  test.each(["image", "video", "audio", "ptt", "document", "sticker"] as const)(
    "is read as its sender encrypted it: %s",
    async (kind) => {
      const { ana, phone, host } = channel();
      await ana.sendMedia(kind, PICTURE, { to: phone, mimetype: "application/x-any" });
      const [event] = await received(host, "received");
      expect(event?.media).toMatchObject({
        contentType: "application/x-any",
        sizeBytes: PICTURE.length,
        sha256: new Bun.CryptoHasher("sha256").update(PICTURE).digest("hex"),
      });
      expect(await bytesOf(await open(event?.media?.nativeId ?? ""))).toEqual(Buffer.from(PICTURE));
    },
  );

  test("says what was announced of it, which is not to be believed", async () => {
    const opened = await open((await picture(channel())).nativeId);
    if (!opened.ok) throw new Error("not opened");
    const { body, ...metadata } = opened.value;
    expect(metadata).toEqual({
      contentType: "image/png",
      sizeBytes: PICTURE.length,
      sha256: new Bun.CryptoHasher("sha256").update(PICTURE).digest("hex"),
    });
    for await (const _ of body);
  });

  test.each(["bit-flip", "truncate"] as const)(
    "is not taken whose bytes were changed on the way: %s (5.12)",
    async (fault) => {
      const { nativeId } = await picture(channel());
      channel().net.faults.media(fault, { times: 1 });
      const opened = await open(nativeId);
      expect(await bytesOf(opened).catch((thrown: unknown) => String(thrown))).toContain(
        "not those that were encrypted",
      );
      expect(await bytesOf(await open(nativeId))).toEqual(Buffer.from(PICTURE)); // and it may go better later
    },
  );

  test("may be left early, without an error", async () => {
    const { nativeId } = await picture(channel());
    const opened = await open(nativeId);
    if (!opened.ok) throw new Error("not opened");
    for await (const chunk of opened.value.body) if (chunk.length > 0) break;
  });

  test.each([500, 503, 429])("may be there later when its host answers with %i", async (status) => {
    const { nativeId } = await picture(channel());
    channel().net.faults.media(status, { times: 1 });
    expect(await open(nativeId)).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("is refused when it is of no message that is known", async () => {
    expect(await open("3EB0UNKNOWN")).toMatchObject({ ok: false, kind: "refused" });
    await channel().ana.say("oi", { to: channel().phone });
    const [event] = await received(channel().host, "received");
    expect(await open(event?.key ?? "")).toMatchObject({ ok: false, kind: "refused" });
    expect(channel().net.stat.downloads).toEqual([]);
  });

  test("is not fetched any more once the link has been closed", async () => {
    const { nativeId } = await picture(channel());
    await channel().link.close();
    expect(await open(nativeId)).toMatchObject({ ok: false, kind: "unavailable" });
    expect(channel().net.stat.downloads).toEqual([]);
  });
});

describe("a file that the network has no longer", () => {
  test.each([403, 404, 410])(
    "is asked for once at the phone, and read where that put it: HTTP %i (5.12)",
    async (status) => {
      const { nativeId, directPath } = await picture(channel());
      channel().net.faults.media(status, { path: pathOf(directPath) });
      expect(await bytesOf(await open(nativeId))).toEqual(Buffer.from(PICTURE));
      expect(channel().net.stat.downloads.map((download) => download.status)).toEqual([status, 200]);
    },
  );

  test("is refused when the phone has it no more either", async () => {
    const { nativeId, directPath } = await picture(channel());
    channel().net.forgetMedia(directPath);
    channel().net.faults.reupload("gone");
    expect(await open(nativeId)).toMatchObject({ ok: false, kind: "refused", fileFault: "gone" });
    expect(channel().net.stat.downloads).toHaveLength(1);
  });

  test("is refused when it is not where the phone put it: the phone is asked once", async () => {
    const { nativeId } = await picture(channel());
    channel().net.faults.media(404);
    expect(await open(nativeId)).toMatchObject({ ok: false, kind: "refused" });
    expect(channel().net.stat.receipts.filter(({ type }) => type === "server-error")).toHaveLength(1);
  });

  const asked = async () => {
    const { nativeId } = await picture(channel());
    const { net } = channel();
    net.faults.media(404);
    net.faults.reupload("silent");
    return open(nativeId);
  };

  test("may be there later when the phone does not answer within a minute", async () => {
    const opening = asked();
    await channel().net.until(() => channel().net.stat.receipts.some(({ type }) => type === "server-error"));
    channel().host.clock.advance(59 * SECOND_MS);
    expect(Bun.peek.status(opening)).toBe("pending");
    channel().host.clock.advance(SECOND_MS);
    expect(await opening).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("the phone is asked six times in a minute, and then not until the minute is over", async () => {
    const { net, host } = channel();
    const { nativeId } = await picture(channel());
    const asks = () => net.stat.receipts.filter(({ type }) => type === "server-error").length;
    net.faults.media(404);
    net.faults.reupload("gone");
    for (let count = 0; count < 6; count++) expect(await open(nativeId)).toMatchObject({ ok: false, kind: "refused" });
    expect(await open(nativeId)).toMatchObject({ ok: false, kind: "unavailable" });
    expect(asks()).toBe(6);
    host.clock.advance(60 * SECOND_MS);
    expect(await open(nativeId)).toMatchObject({ ok: false, kind: "refused" });
    expect(asks()).toBe(7);
  });

  test("is not waited for any more once the link has been closed", async () => {
    const opening = asked();
    await channel().net.until(() => channel().net.stat.receipts.some(({ type }) => type === "server-error"));
    await channel().link.close();
    expect(await opening).toMatchObject({ ok: false, kind: "unavailable" });
    expect(channel().host.clock.pendingTimers).toBe(0);
  });
});

describe("a sender names no host (5.12)", () => {
  const sent = async (fields: { directPath: string; url?: string }) => {
    const { ana, phone, host } = channel();
    await ana.sendProto(
      { imageMessage: { mimetype: "image/png", mediaKey: new Uint8Array(32), ...fields } },
      { to: phone },
    );
    const [event] = await received(host, "received");
    return open(event?.media?.nativeId ?? "");
  };

  test("the address in the message is never asked", async () => {
    await using activeSocket = await tripwire();
    expect(await sent({ directPath: "/v/nothing-there", url: activeSocket.url })).toMatchObject({
      ok: false,
      kind: "refused",
    });
    expect(activeSocket.connections).toBe(0);
  });

  test.each([
    "@{host}/x",
    ".{host}/x",
    ":1@{host}/x",
    "\\{host}/x",
    "/../x",
    "/v/%2e%2e/x",
    "/v/./x",
    "/v/x#y",
    "/v/x y",
    "/v\n/x",
    "https://{host}/x",
    "v/x",
  ])("nor does the path %s lead anywhere", async (path) => {
    await using activeSocket = await tripwire();
    expect(await sent({ directPath: path.replace("{host}", URL.parse(activeSocket.url)?.host ?? "") })).toMatchObject({
      ok: false,
      kind: "refused",
    });
    expect([activeSocket.connections, channel().net.stat.downloads]).toEqual([0, []]);
  });
});

test("nothing of a key, a file's place or what was written is on any log", async () => {
  const { nativeId, directPath, mediaKey } = await picture(channel());
  channel().net.faults.media("bit-flip", { times: 1 });
  await open(nativeId)
    .then(bytesOf)
    .catch(() => undefined);
  channel().net.faults.media(404);
  await open(nativeId);
  const lines = channel().host.logLines.join("\n");
  for (const secret of [
    mediaKey.toString("base64"),
    mediaKey.toString("hex"),
    directPath,
    pathOf(directPath),
    "veja só",
    channel().ana.pn ?? "-",
  ])
    expect(lines).not.toContain(secret);
});
