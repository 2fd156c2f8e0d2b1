import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { standardHere } from "../../../../src/adapters/pictures/sticker-making.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { MadeStandard } from "../../../../src/contract/ports/pictures.ts";
import { fileServer } from "../../../support/session/file-server.ts";
import { openedFile } from "../../../support/session/opened-file.ts";
import { type Session, sendingSession } from "../../../support/session/sending.ts";

let session: Session;
/** What the next pictures become, in place of what this server makes. */
const instead: MadeStandard[] = [];
beforeAll(async () => {
  session = await sendingSession({ makeStandard: async (bytes) => instead.shift() ?? standardHere(bytes) });
});
afterAll(() => session.stop());

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
const serving = (bytes: Uint8Array) =>
  fileServer(() => new Response(new Uint8Array(bytes), { headers: { "content-type": "image/jpeg" } }));
const pictureAt = (mediaUrl: string, quality: "standard" | "hd") =>
  ({ type: "image", content: { mediaUrl, quality, caption: "Bolos" } }) as const;
const SD = 3;
const HD = 4;
const HD_OF = 10;

describe("a picture in HD", () => {
  test("is two messages: the smaller one with the caption and the id, then the whole one, which names it", async () => {
    const bytes = await drawn(2400, 1200);
    await using server = serving(bytes);
    const ana = session.contact();
    const key = session.newKey();
    const outcome = await session.send(pictureAt(server.url, "hd"), { to: `pn:${ana.pn}`, key });
    const [shown, whole] = ana.received;
    expect([ana.received.length, ana.unshown]).toEqual([2, []] as never);
    expect(shown).toMatchObject({ id: key, mediatype: "image" });
    expect(shown?.message.imageMessage).toMatchObject({
      caption: "Bolos",
      mimetype: "image/jpeg",
      width: 1600,
      height: 800,
      contextInfo: { pairedMediaType: SD },
    });
    const smaller = await openedFile(session.net, shown?.message.imageMessage, "image");
    expect(await sharp(smaller).metadata()).toMatchObject({ format: "jpeg", width: 1600, height: 800 });
    const inHd = whole?.message.associatedChildMessage?.message?.imageMessage;
    expect(inHd).toMatchObject({ caption: null, width: 2400, height: 1200, contextInfo: { pairedMediaType: HD } });
    expect(await openedFile(session.net, inHd, "image")).toEqual(bytes);
    expect(whole?.message.messageContextInfo?.messageAssociation).toMatchObject({
      associationType: HD_OF,
      parentMessageKey: { id: key, fromMe: true },
    });
    expect(outcome).toEqual({ ok: true, key, furtherKeys: [whole?.id as ProviderMessageId] });
    expect(server.asked).toHaveLength(1);
  });

  test("takes one turn more than another message", async () => {
    await using server = serving(await drawn(2000, 2000));
    const turns = () => (session.limits.pace.state() as { turns: number }).turns;
    const before = turns();
    await session.send(pictureAt(server.url, "hd"), { to: `pn:${session.contact().pn}` });
    expect(turns()).toBe(before - 1);
  });

  test("that is no larger than the standard, or is no picture of which one can be made, goes once, as it is", async () => {
    for (const bytes of [await drawn(1600, 900), new Uint8Array(300).fill(7)]) {
      await using server = serving(bytes);
      const ana = session.contact();
      const key = session.newKey();
      const outcome = await session.send(pictureAt(server.url, "hd"), { to: `pn:${ana.pn}`, key });
      expect(outcome).toEqual({ ok: true, key });
      expect(ana.received).toHaveLength(1);
      const { imageMessage } = ana.received[0]?.message ?? {};
      expect(imageMessage?.contextInfo?.pairedMediaType ?? 0).toBe(0);
      expect(imageMessage?.caption).toBe("Bolos");
      expect(await openedFile(session.net, imageMessage, "image")).toEqual(Buffer.from(bytes));
    }
  });

  test("that is sent again goes under the same ids, and nothing is fetched or uploaded again", async () => {
    await using server = serving(await drawn(2400, 1200));
    const ana = session.contact();
    const key = session.newKey();
    const order = pictureAt(server.url, "hd");
    const first = await session.send(order, { to: `pn:${ana.pn}`, key });
    const uploads = session.net.stat.uploads.length;
    expect(await session.send(order, { to: `pn:${ana.pn}`, key })).toEqual(first);
    expect([server.asked.length, session.net.stat.uploads.length]).toEqual([1, uploads]);
    await session.net.until(() => ana.repeats.length === 2);
    expect(ana.received).toHaveLength(2);
  });

  test("of which the network refuses the whole one is sent all the same, and of a refused smaller one nothing leaves", async () => {
    await using server = serving(await drawn(2400, 1200));
    const ana = session.contact();
    const key = session.newKey();
    const heal = session.net.faults.nack(400, ({ attrs }) => attrs["id"] !== key);
    const sent = await session.send(pictureAt(server.url, "hd"), { to: `pn:${ana.pn}`, key });
    heal();
    expect(sent).toEqual({ ok: true, key });
    expect(ana.received.map(({ id }) => id)).toEqual([key]);
    const other = session.contact();
    const healAll = session.net.faults.nack(400, () => true);
    const outcome = await session.send(pictureAt(server.url, "hd"), { to: `pn:${other.pn}` });
    healAll();
    expect(outcome).toMatchObject({ ok: false, kind: "refused" });
    expect(other.received).toEqual([]);
  });

  test("waits where this machine cannot make the smaller one now, and nothing leaves", async () => {
    await using server = serving(await drawn(2400, 1200));
    const ana = session.contact();
    instead.push({ ok: false, reason: "BROKEN" });
    const outcome = await session.send(pictureAt(server.url, "hd"), { to: `pn:${ana.pn}` });
    expect(outcome).toMatchObject({ ok: false, kind: "retry" });
    expect(ana.received).toEqual([]);
  });

  test("is deleted whole", async () => {
    await using server = serving(await drawn(2400, 1200));
    const ana = session.contact();
    const chat = `pn:${ana.pn}`;
    const sent = await session.send(pictureAt(server.url, "hd"), { to: chat });
    if (!sent.ok) throw new Error("not sent");
    const deletion = { name: "delete", key: sent.key, chat, sender: null, operationId: "d1" } as const;
    expect(await session.sender.operate(deletion)).toEqual({ ok: true });
    const revoked = () => ana.received.flatMap(({ message }) => message.protocolMessage?.key?.id ?? []);
    await session.net.until(() => revoked().length === 2);
    expect(new Set(revoked())).toEqual(new Set([sent.key, ...(sent.furtherKeys ?? [])]));
  });
});

test("a picture in standard quality is one message of at most 1600 pixels a side, upright", async () => {
  const lying = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: "red" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  await using server = serving(lying);
  const ana = session.contact();
  const key = session.newKey();
  expect(await session.send(pictureAt(server.url, "standard"), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
  expect(ana.received).toHaveLength(1);
  const { imageMessage } = ana.received[0]?.message ?? {};
  expect(imageMessage).toMatchObject({ caption: "Bolos", width: 800, height: 1600 });
  expect(imageMessage?.contextInfo?.pairedMediaType ?? 0).toBe(0);
});
