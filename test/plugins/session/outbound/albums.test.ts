import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cachedMessage } from "../../../../plugins/session/message-cache.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { fileServer } from "../../../support/session/file-server.ts";
import { openedFile } from "../../../support/session/opened-file.ts";
import { type Session, sendingSession } from "../../../support/session/sending.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterAll(() => session.stop());

/** A picture of its own for each address: `/1`, `/2` … `/gone` is none. */
const pictures = () =>
  fileServer((path) =>
    path === "/gone"
      ? new Response("", { status: 404 })
      : new Response(new Uint8Array(200).fill(Number(path.slice(1))), { headers: { "content-type": "image/jpeg" } }),
  );
const albumAt = (url: string, ...names: string[]) =>
  ({
    type: "image",
    content: { images: names.map((name) => ({ mediaUrl: `${url}/${name}` })), caption: "Bolos" },
  }) as const;
const leftSince = (before: number | undefined) => (session.net.stat.stanzas["message"] ?? 0) - (before ?? 0);

describe("several pictures", () => {
  test("are an album: its announcement, then each picture, which names it; the first has the caption and the id", async () => {
    await using server = pictures();
    const ana = session.contact();
    const key = session.newKey();
    const outcome = await session.send(albumAt(server.url, "1", "2", "3"), { to: `pn:${ana.pn}`, key });
    const [album, first, second, third] = ana.received;
    expect(album?.message.albumMessage).toMatchObject({ expectedImageCount: 3 });
    expect([first, second, third].map((one) => one?.message.imageMessage?.caption)).toEqual(["Bolos", null, null]);
    for (const [at, picture] of [first, second, third].entries()) {
      expect(picture?.message.messageContextInfo?.messageAssociation).toMatchObject({
        associationType: 1,
        parentMessageKey: { id: album?.id ?? "", fromMe: true },
      });
      const bytes = await openedFile(session.net, picture?.message.imageMessage, "image");
      expect(bytes).toEqual(Buffer.alloc(200, at + 1));
    }
    expect(first?.id).toBe(key);
    expect(outcome).toEqual({ ok: true, key, furtherKeys: [album?.id, second?.id, third?.id] as ProviderMessageId[] });
  });

  test("count as so many sends", async () => {
    await using server = pictures();
    const ana = session.contact();
    const turns = () => (session.limits.pace.state() as { turns: number }).turns;
    const before = turns();
    await session.send(albumAt(server.url, "1", "2", "3"), { to: `pn:${ana.pn}` });
    expect(turns()).toBe(before - 3);
  });

  test("do not leave, not even their announcement, if one of them cannot be fetched", async () => {
    await using server = pictures();
    const ana = session.contact();
    const before = session.net.stat.stanzas["message"];
    const outcome = await session.send(albumAt(server.url, "1", "gone"), { to: `pn:${ana.pn}` });
    expect(outcome).toMatchObject({ ok: false, kind: "refused" });
    expect([leftSince(before), ana.received]).toEqual([0, []] as never);
  });

  test("that are sent again go under the same ids, and nothing is fetched or uploaded again", async () => {
    await using server = pictures();
    const ana = session.contact();
    const key = session.newKey();
    const order = albumAt(server.url, "1", "2");
    const first = await session.send(order, { to: `pn:${ana.pn}`, key });
    const [asked, uploads] = [server.asked.length, session.net.stat.uploads.length];
    expect(await session.send(order, { to: `pn:${ana.pn}`, key })).toEqual(first);
    expect([server.asked.length, session.net.stat.uploads.length]).toEqual([asked, uploads]);
    await session.net.until(() => ana.repeats.length === 3);
    expect(ana.received).toHaveLength(3);
  });

  test("of which the network refuses the second say how many were sent", async () => {
    await using server = pictures();
    const ana = session.contact();
    const key = session.newKey();
    let pictureStanzas = 0;
    const heal = session.net.faults.nack(400, ({ attrs }) => attrs["id"] !== key && ++pictureStanzas === 2);
    const outcome = await session.send(albumAt(server.url, "1", "2"), { to: `pn:${ana.pn}`, key });
    heal();
    expect(outcome).toMatchObject({ ok: false, reason: expect.stringContaining("1 of 2 pictures were sent") });
    expect(outcome).toHaveProperty("furtherKeys", ana.received.map(({ id }) => id) as never);
  });

  test("are deleted together, and another message alone", async () => {
    await using server = pictures();
    const ana = session.contact();
    const chat = `pn:${ana.pn}`;
    const sent = await session.send(albumAt(server.url, "1", "2"), { to: chat });
    const other = await session.send({ type: "text", content: { text: "oi" } }, { to: chat });
    if (!sent.ok || !other.ok) throw new Error("not sent");
    const keys = [sent.key, ...(sent.furtherKeys ?? [])];
    const outcome = await session.sender.operate({
      name: "delete",
      key: sent.key,
      chat,
      sender: null,
      operationId: "d1",
    });
    expect(outcome).toEqual({ ok: true });
    const revoked = () => ana.received.flatMap(({ message }) => message.protocolMessage?.key?.id ?? []);
    await session.net.until(() => revoked().length === 3);
    expect(new Set(revoked())).toEqual(new Set(keys));
    await session.sender.operate({ name: "delete", key: other.key, chat, sender: null, operationId: "d2" });
    await session.net.until(() => revoked().length === 4);
    expect(await cachedMessage(session.keyStore, sent.key)).toBeDefined();
  });
});
