import { describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { newDesk } from "../../../support/customers/conversations.ts";
import { holdBack, release, rowsOf, TO } from "../../../support/customers/customer.ts";
import { arrives, FILES, type FileSeed } from "../../../support/customers/media.ts";
import { messageFrom, ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { gatewayKeyOf, made } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const d = useEach(() => newDesk(w));

/** Has a file come in, and returns the event of its message. */
const received = async (seed: FileSeed = {}) => {
  await arrives(w, { phone: d.channel }, seed);
  await w.settle();
  return d.hook.arrived.findLast(({ body }) => body.type === "message.received")?.body;
};
const message = (id: string) => d.get(`/v1/messages/${id}`);
const file = (id: string, key = d.key) => w.platform(`/v1/messages/${id}/media`, { key });

describe("the file of a message", () => {
  test("P-144 P-320 is named in the event and in the message alike, and is had with the key", async () => {
    const { messageId, media, content } = await received({
      kind: "document",
      bytes: FILES.pdf,
      mimeType: "application/pdf",
      filename: "nota.pdf",
      caption: "a nota",
    });
    expect(content).toMatchObject({ caption: "a nota", mimeType: "application/pdf", filename: "nota.pdf" });
    expect(media).toEqual({
      url: `${w.app.platformUrl}/v1/messages/${messageId}/media`,
      mimeType: "application/pdf",
      sizeBytes: FILES.pdf.length,
      filename: "nota.pdf",
      expiresAt: new Date(w.clock.now() + 7 * DAY_MS).toISOString(),
    });
    const shown = await message(messageId);
    expect(shown).toMatchObject({ type: "document", content, media });
    expect(await d.messages(shown.conversationId)).toEqual([shown]);
    const { status, headers } = await file(messageId);
    expect([status, headers.get("cache-control")]).toEqual([302, "no-store"]);
    const got = await fetch(headers.get("location") ?? "");
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(await got.bytes()).toEqual(FILES.pdf);
    await w.advance(10 * MINUTE_MS + 1000);
    expect((await fetch(headers.get("location") ?? "")).status).toBe(403);
  });

  test("is in no message that was deleted for everyone, nor is what else it said; the deletion shows", async () => {
    const { messageId } = await received({ kind: "image", caption: "a nota" });
    expect(await message(messageId)).toMatchObject({ content: { caption: "a nota" }, media: {}, deletedAt: null });
    const idOf = "SELECT provider_message_id AS wamid FROM inbox WHERE message_id = ?1";
    const [stored] = await rowsOf<{ wamid: string }>(w, idOf, [messageId]);
    const revoke = { type: "revoke", revoke: { original_message_id: stored?.wamid } };
    await post(w, [ofNumber({ phone: d.channel }, messageFrom({ pn: TO }, { text: undefined, ...revoke }))]);
    const deleted = await message(messageId);
    expect(deleted).toMatchObject({ type: "image", content: {}, media: null, deletedAt: expect.any(String) });
    expect(await d.messages(deleted.conversationId)).toEqual([deleted]);
    expect(await file(messageId)).toMatchObject({ status: 404, body: { code: "MEDIA_NOT_FOUND" } });
  });

  test("is null while it is on its way, although the message is there already", async () => {
    await received();
    await holdBack(w, `media:${d.channel.id}`);
    const before = d.received().length;
    await arrives(w, { phone: d.channel });
    await w.settle();
    expect(d.received()).toHaveLength(before);
    const [{ id, media }] = await d.messages((await d.conversation()).id);
    expect(media).toBeNull();
    expect((await file(id)).body.code).toBe("MEDIA_NOT_FOUND");
    await release(w, `media:${d.channel.id}`);
    expect((await message(id)).media).toMatchObject({ mimeType: "image/png" });
  });

  test("that cannot be had is null in the event and in the message", async () => {
    const { messageId, media } = await received({ mediaId: "unknown to the network" });
    expect([media, (await message(messageId)).media]).toEqual([null, null]);
    expect(await file(messageId)).toMatchObject({ status: 404, body: { code: "MEDIA_NOT_FOUND" } });
  });

  test("that has expired or was taken by the gateway's acknowledgement is a 410, and null in the message", async () => {
    const [acked, expired] = [await received(), await received()];
    const [row] = await w.app.env.db.read(async (r) =>
      r.rows<{ id: string }>("SELECT id FROM media WHERE message_id = ?1", [acked.messageId]),
    );
    made(await w.gateway(`/v1/media/${row?.id}/ack`, { key: await gatewayKeyOf(w, d), method: "POST" }), 204);
    expect(await file(acked.messageId)).toMatchObject({ status: 410, body: { code: "MEDIA_DELETED" } });
    expect((await message(acked.messageId)).media).toBeNull();
    expect((await message(expired.messageId)).media).not.toBeNull();
    await w.advance(7 * DAY_MS);
    expect(await file(expired.messageId)).toMatchObject({ status: 410, body: { code: "MEDIA_EXPIRED" } });
    expect((await message(expired.messageId)).media).toBeNull();
  });

  test("is nobody else's, and needs messages.read; a message without one has none", async () => {
    const { messageId } = await received();
    const other = await newDesk(w);
    await d.receives();
    const text = d.hook.arrived.at(-1)?.body.messageId;
    for (const [id, key] of [
      [messageId, other.key],
      [text, d.key],
      ["none", d.key],
    ])
      expect(await file(id, key)).toMatchObject({
        status: 404,
        body: { message: expect.any(String), code: "MEDIA_NOT_FOUND" },
      });
    expect((await file(messageId, await w.platformKey(d.token, { permissions: ["conversations.read"] }))).status).toBe(
      403,
    );
    expect((await fetch(`${w.app.platformUrl}/v1/messages/${messageId}/media`, { redirect: "manual" })).status).toBe(
      401,
    );
  });
});
