import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import sharp from "sharp";
import { postIn } from "../../../plugins/session/newsletters/posts.ts";
import type { NewslettersApi } from "../../../src/contract/abilities/newsletters.ts";
import type { Action } from "../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { fileServer } from "../../support/session/file-server.ts";
import { received, receivingChannel, untilPaced } from "../../support/session/receiving.ts";
import { stanza } from "../../support/whatsapp/index.ts";
import type { NewsletterChat } from "../../support/whatsapp/newsletters/newsletters.ts";

const channel = receivingChannel();
const api = (): NewslettersApi => channel().link.newsletters as NewslettersApi;

/** A newsletter of the phone's account, made through it. */
const own = async (): Promise<NewsletterChat> => {
  const made = await api().create({ name: "Padaria Estrela", description: "Novidades" });
  if (!made.ok) throw new Error(JSON.stringify(made));
  return channel().net.newsletterOf(`${made.value.newsletterId}@newsletter`) as NewsletterChat;
};
const post = async (of: NewsletterChat, content: Content, key?: ProviderMessageId): Promise<SendOutcome> => {
  const { link } = channel();
  await untilPaced(channel(), `newsletter:${of.id}`);
  const messageId = randomUUID();
  return link.send({
    ...content,
    to: `newsletter:${of.id}`,
    messageId,
    key: key ?? (link.providerMessageIdFor?.(messageId) as ProviderMessageId),
  });
};
const posted = async (of: NewsletterChat, text: string): Promise<ProviderMessageId> => {
  const outcome = await post(of, { type: "text", content: { text } });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.key;
};
const operate = (of: NewsletterChat, key: ProviderMessageId, action: Action) =>
  channel().link.operate?.({ ...action, key, chat: `newsletter:${of.id}`, sender: null });

/** Serves these files, by their paths. */
const serveFiles = (files: Record<string, { type: string; body: Uint8Array }>) =>
  fileServer((path) => {
    const { type = "", body = new Uint8Array() } = files[path] ?? {};
    return new Response(Buffer.from(body), { headers: { "content-type": type } });
  });

describe("newsletters of a session", () => {
  test("are listed with what the account is to each, and nobody else's", async () => {
    const { ana, phone, net } = channel();
    const mine = await own();
    const followed = net.newsletter({ name: "De Ana", owner: ana, followers: [phone] });
    net.newsletter({ name: "De ninguém", owner: ana });
    expect(await api().list()).toMatchObject({
      ok: true,
      value: [
        { newsletterId: mine.id, name: "Padaria Estrela", description: "Novidades", role: "owner", isMuted: false },
        { newsletterId: followed.id, name: "De Ana", role: "subscriber", subscriberCount: 1, reactions: "all" },
      ],
    });
  });

  test("one is looked at by its id and by its invite link, without being followed", async () => {
    const { ana, net } = channel();
    const of = net.newsletter({ name: "De Ana", owner: ana });
    const expected = { ok: true, value: { newsletterId: of.id, name: "De Ana", role: "guest", hasPicture: false } };
    expect(await api().read({ id: of.id })).toMatchObject(expected);
    expect(await api().read({ invite: of.newsletter.invite })).toMatchObject(expected);
    expect(await api().read({ id: "120363999999999999" })).toMatchObject({ kind: "refused", error: { code: 404 } });
    expect([...of.newsletter.followers]).toEqual([]);
  });

  test("follow, mute, unmute and unfollow are done once each, and reported", async () => {
    const { ana, phone, net, host } = channel();
    const of = net.newsletter({ name: "De Ana", owner: ana });
    expect(await api().follow(of.id)).toEqual({ ok: true, value: true });
    expect(of.newsletter.followers.has(phone.account)).toBe(true);
    expect(await api().setMuted(of.id, true)).toEqual({ ok: true, value: true });
    expect(await api().setMuted(of.id, false)).toEqual({ ok: true, value: true });
    expect(await api().unfollow(of.id)).toEqual({ ok: true, value: true });
    expect(of.newsletter.followers.has(phone.account)).toBe(false);
    const events = await received(host, "newsletter", 4);
    expect(events.map(({ what, newsletterId }) => [what, newsletterId])).toEqual(
      ["followed", "muted", "unmuted", "unfollowed"].map((what) => [what, of.id]) as never,
    );
    expect(events[0]).toMatchObject({ name: "De Ana" });
    expect(new Set(events.map(({ nativeId }) => nativeId)).size).toBe(4);
  });

  test("a report with a word of objects as its name is no event, and the session goes on", async () => {
    const { ana, phone, net, host } = channel();
    const of = net.newsletter({ name: "De Ana", owner: ana });
    for (const word of ["__proto__", "constructor", "toString", "valueOf"]) {
      const update = `{"data":{"${word}":{"id":"${of.jid}"}}}`;
      phone.notify(
        stanza("notification", { from: "s.whatsapp.net", type: "mex", id: `n-${word}`, t: "1" }, [
          stanza("update", { op_name: "NotificationNewsletterJoin" }, Buffer.from(update)),
        ]),
      );
    }
    expect(await api().follow(of.id)).toEqual({ ok: true, value: true });
    const events = await received(host, "newsletter", 1);
    expect(events.map(({ what }) => what)).toEqual(["followed"]);
    expect(host.reports.at(-1)?.state).toBe("CONNECTED");
  });

  test("the owner changes and deletes one, and a stranger is refused with nothing changed", async () => {
    const { ana, net, host } = channel();
    const mine = await own();
    const bytes = await sharp({ create: { width: 32, height: 32, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const changes = { name: "Padaria", description: "Pães", reactions: "basic", picture: { bytes } } as const;
    expect(await api().update(mine.id, changes)).toEqual({ ok: true, value: true });
    expect(mine.newsletter).toMatchObject({ name: "Padaria", description: "Pães", reactions: "BASIC" });
    expect(mine.newsletter.picture?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(await api().update(mine.id, { picture: null })).toEqual({ ok: true, value: true });
    expect(mine.newsletter.picture).toBeUndefined();
    expect(mine.newsletter.name).toBe("Padaria");
    const hers = net.newsletter({ name: "De Ana", owner: ana });
    expect(await api().update(hers.id, { name: "Minha" })).toMatchObject({ kind: "refused", error: { code: 403 } });
    expect(await api().remove(hers.id)).toMatchObject({ kind: "refused" });
    expect(hers.newsletter.name).toBe("De Ana");
    expect(await api().remove(mine.id)).toEqual({ ok: true, value: true });
    expect(net.newsletterOf(mine.jid)).toBeUndefined();
    const events = await received(host, "newsletter", 3);
    expect(events.map(({ what }) => what)).toEqual(["updated", "updated", "deleted"]);
  });

  test("a picture that is none is refused, and nothing is asked", async () => {
    const mine = await own();
    expect(await api().update(mine.id, { name: "Outra", picture: { bytes: Buffer.from("x") } })).toMatchObject({
      kind: "refused",
    });
    expect(mine.newsletter.name).toBe("Padaria Estrela");
  });

  test("a young number makes two in a day, and the twenty-first change of a minute waits", async () => {
    const { host, net, ana } = channel();
    await own();
    await own();
    expect(await api().create({ name: "A third" })).toMatchObject({ isOwnLimit: true, mayHaveHappened: false });
    expect(net.newsletterOf("120363000000000003@newsletter")).toBeUndefined();
    host.clock.advance(DAY_MS);
    expect(await api().create({ name: "A third" })).toMatchObject({ ok: true });
    const of = net.newsletter({ name: "De Ana", owner: ana });
    for (let count = 0; count < 20; count++) await api().follow(of.id);
    expect(await api().unfollow(of.id)).toMatchObject({ isOwnLimit: true, retryAfterMs: MINUTE_MS });
    expect(of.newsletter.followers.size).toBe(1);
  });

  test("an answer of the network that is no newsletter is a refusal in words", async () => {
    const { net } = channel();
    net.faults.answerIq((iq) =>
      iq.attrs["xmlns"] === "w:mex"
        ? { tag: "iq", attrs: {}, content: [{ tag: "result", attrs: {}, content: Buffer.from("no JSON") }] }
        : undefined,
    );
    expect(await api().read({ id: "120363000000000001" })).toMatchObject({ ok: false, kind: "unavailable" });
  });
});

describe("a post", () => {
  test("leaves unencrypted, under its own id, and a repeat is no second post", async () => {
    const { phone } = channel();
    const mine = await own();
    const key = await posted(mine, "Pão quente às 7h");
    expect(await post(mine, { type: "text", content: { text: "Pão quente às 7h" } }, key)).toEqual({ ok: true, key });
    expect(mine.posts).toMatchObject([
      { id: key, type: "text", by: phone.account, message: { extendedTextMessage: { text: "Pão quente às 7h" } } },
    ]);
    expect(mine.posts[0]?.message?.messageContextInfo).toBeFalsy();
  });

  test("of each type with a file is uploaded for everybody, without keys and with its handle", async () => {
    const { net } = channel();
    const mine = await own();
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const webp = await sharp({ create: { width: 8, height: 8, channels: 4, background: "red" } })
      .webp()
      .toBuffer();
    await using files = serveFiles({
      "/foto.png": { type: "image/png", body: png },
      "/figura.webp": { type: "image/webp", body: webp },
      "/filme.mp4": { type: "video/mp4", body: Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom film") },
      "/som.mp3": { type: "audio/mpeg", body: Buffer.from("ID3\x04\0\0\0\0\0\0 sound") },
      "/lista.pdf": { type: "application/pdf", body: Buffer.from("%PDF-1.4\n%%EOF") },
    });
    const contents: Content[] = [
      { type: "image", content: { mediaUrl: `${files.url}/foto.png`, caption: "foto" } },
      { type: "sticker", content: { mediaUrl: `${files.url}/figura.webp` } },
      { type: "video", content: { mediaUrl: `${files.url}/filme.mp4` } },
      { type: "video", content: { mediaUrl: `${files.url}/filme.mp4`, gifPlayback: true } },
      { type: "audio", content: { mediaUrl: `${files.url}/som.mp3` } },
      { type: "document", content: { mediaUrl: `${files.url}/lista.pdf`, filename: "lista.pdf" } },
    ];
    for (const content of contents) expect(await post(mine, content)).toMatchObject({ ok: true });
    expect(mine.posts.map(({ type }) => type)).toEqual(contents.map(() => "media"));
    const messages = mine.posts.map(({ message }) => message ?? {});
    expect(messages).toMatchObject([
      { imageMessage: { caption: "foto", fileLength: expect.anything() } },
      { stickerMessage: { mimetype: "image/webp" } },
      { videoMessage: { mimetype: "video/mp4" } },
      { videoMessage: { gifPlayback: true } },
      { audioMessage: { mimetype: "audio/mpeg" } },
      { documentMessage: { fileName: "lista.pdf" } },
    ] as never);
    for (const message of messages)
      for (const file of Object.values(message))
        expect((file as { mediaKey?: Uint8Array } | null)?.mediaKey?.length ?? 0).toBe(0);
    expect(net.stat.uploads.map(({ path, status }) => [path.split("/").slice(0, 3).join("/"), status])).toEqual([
      ["/newsletter/newsletter-image", 200],
      ["/newsletter/newsletter-image", 200],
      ["/newsletter/newsletter-video", 200],
      ["/newsletter/newsletter-video", 200],
      ["/newsletter/newsletter-audio", 200],
      ["/newsletter/newsletter-document", 200],
    ]);
  });

  test("with a file that is repeated is not uploaded again", async () => {
    const { net } = channel();
    const mine = await own();
    await using files = serveFiles({
      "/a.pdf": { type: "application/pdf", body: Buffer.from("%PDF-1.4\n%%EOF") },
    });
    const content: Content = { type: "document", content: { mediaUrl: `${files.url}/a.pdf`, filename: "a.pdf" } };
    const lost = net.faults.dropAcks(() => true, { times: 1 });
    const key = channel().link.providerMessageIdFor?.(randomUUID()) as ProviderMessageId;
    const first = post(mine, content, key);
    await net.until(() => mine.posts.length === 1);
    channel().host.clock.advance(MINUTE_MS);
    expect(await first).toMatchObject({ ok: false, kind: "unknown" });
    lost();
    expect(await post(mine, content, key)).toEqual({ ok: true, key });
    expect([mine.posts.length, net.stat.uploads.length]).toEqual([1, 1]);
  });

  test("to a newsletter of somebody else, or of nobody, is refused for good", async () => {
    const { ana, net, phone } = channel();
    const hers = net.newsletter({ name: "De Ana", owner: ana, followers: [phone] });
    expect(await post(hers, { type: "text", content: { text: "x" } })).toMatchObject({
      kind: "refused",
      upstreamCode: 403,
    });
    expect(hers.posts).toEqual([]);
    const gone = await own();
    await api().remove(gone.id);
    expect(await post(gone, { type: "text", content: { text: "x" } })).toMatchObject({
      kind: "refused",
      upstreamCode: 404,
    });
  });

  test("is edited, reacted to and deleted under its id", async () => {
    const { phone } = channel();
    const mine = await own();
    const key = await posted(mine, "às 7h");
    expect(await operate(mine, key, { name: "edit", text: "às 8h" })).toEqual({ ok: true });
    expect(mine.posts).toMatchObject([{ isEdited: true, message: { extendedTextMessage: { text: "às 8h" } } }]);
    expect(await operate(mine, key, { name: "react", emoji: "❤️" })).toEqual({ ok: true });
    expect(mine.posts[0]?.reactions.get(phone.account)).toBe("❤️");
    expect(await operate(mine, key, { name: "react", emoji: "" })).toEqual({ ok: true });
    expect(mine.posts[0]?.reactions.size).toBe(0);
    expect(await operate(mine, key, { name: "typing" })).toMatchObject({ code: "UPSTREAM_UNSUPPORTED" });
    expect(await operate(mine, key, { name: "delete" })).toEqual({ ok: true });
    expect(mine.posts).toMatchObject([{ id: key, message: undefined }]);
    expect(await operate(mine, key, { name: "edit", text: "tarde" })).toMatchObject({ kind: "refused" });
  });
});

describe("an edit", () => {
  test("of a post with a file keeps the file, under another caption", async () => {
    const mine = await own();
    await using files = serveFiles({ "/a.pdf": { type: "application/pdf", body: Buffer.from("%PDF-1.4\n%%EOF") } });
    const outcome = await post(mine, {
      type: "document",
      content: { mediaUrl: `${files.url}/a.pdf`, filename: "a.pdf", caption: "velha" },
    });
    if (!outcome.ok) throw new Error(outcome.reason);
    const before = mine.posts[0]?.message;
    expect(await operate(mine, outcome.key, { name: "edit", text: "nova" })).toEqual({ ok: true });
    const documentIn = (message = mine.posts[0]?.message) =>
      message?.documentWithCaptionMessage?.message?.documentMessage ?? message?.documentMessage;
    expect(documentIn()?.caption).toBe("nova");
    expect(documentIn()?.directPath).toBe(documentIn(before)?.directPath as string);
  });

  test("of a poll is refused, and nothing changes", async () => {
    const mine = await own();
    const outcome = await post(mine, {
      type: "poll",
      content: { question: "Quando?", options: ["Sábado", "Domingo"] },
    });
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(await operate(mine, outcome.key, { name: "edit", text: "x" })).toMatchObject({
      code: "UPSTREAM_UNSUPPORTED",
    });
    expect(mine.posts[0]?.isEdited).toBe(false);
  });
});

describe("the posts of a newsletter", () => {
  test("are listed newest first, with views, reactions and votes, and a deleted one without content", async () => {
    const { ana, bia, phone } = channel();
    const mine = await own();
    const [first, second] = [await posted(mine, "um"), await posted(mine, "dois")];
    await post(mine, { type: "poll", content: { question: "Quando?", options: ["Sábado", "Domingo"] } });
    mine.see(100);
    mine.react(ana, 100, "❤️");
    mine.react(bia, 100, "❤️");
    mine.vote(102, "Domingo");
    await operate(mine, second, { name: "delete" });
    const listed = await api().posts(mine.id, { limit: 10 });
    expect(listed).toMatchObject({
      ok: true,
      value: [
        {
          serverId: "102",
          content: { type: "poll" },
          votes: [
            { option: "Sábado", votes: 0 },
            { option: "Domingo", votes: 1 },
          ],
        },
        { serverId: "101", key: second, isOwn: true, content: null },
        {
          serverId: "100",
          key: first,
          isOwn: true,
          content: { type: "text", content: { text: "um" } },
          views: 1,
          reactions: [{ emoji: "❤️", count: 2 }],
        },
      ],
    });
    expect(await api().posts(mine.id, { limit: 1, before: "101" })).toMatchObject({ value: [{ serverId: "100" }] });
    expect(phone.received.filter(({ isOwn }) => isOwn)).toEqual([]);
  });

  test("of others take a reaction, unless the newsletter wants none", async () => {
    const { ana, net, phone } = channel();
    const hers = net.newsletter({ name: "De Ana", owner: ana, followers: [phone] });
    const serverId = String(hers.post({ conversation: "oi" }));
    expect(await api().react(hers.id, serverId, "👍")).toEqual({ ok: true, value: true });
    expect(hers.posts[0]?.reactions.get(phone.account)).toBe("👍");
    hers.newsletter.reactions = "NONE";
    expect(await api().react(hers.id, serverId, "❤️")).toMatchObject({ kind: "refused", error: { code: 403 } });
    expect(await api().react(hers.id, "999", "❤️")).toMatchObject({ kind: "refused", error: { code: 404 } });
    expect(hers.posts[0]?.reactions.get(phone.account)).toBe("👍");
  });

  test("report their counts while they are watched, on disk before that is acknowledged", async () => {
    const { ana, host, net } = channel();
    const mine = await own();
    const key = await posted(mine, "oi");
    mine.see(100);
    expect(await api().watch(mine.id)).toEqual({ ok: true, value: { forMs: 5 * MINUTE_MS } });
    host.hold();
    mine.react(ana, 100, "❤️");
    await host.until(() => host.openEmits === 1);
    expect(net.stat.acks.filter(({ type }) => type === "newsletter")).toEqual([]);
    host.release();
    const [counts] = await received(host, "newsletter-counts");
    expect(counts).toMatchObject({
      newsletterId: mine.id,
      serverId: "100",
      key,
      views: 1,
      reactions: [{ emoji: "❤️", count: 1 }],
    });
  });
});

test("a post's poll of any number of options gives the votes of a hundred", () => {
  const options = Array.from({ length: 20_000 }, (_, index) => ({ optionName: `option ${index}` }));
  const plaintext = proto.Message.encode({ pollCreationMessageV3: { name: "?", options } }).finish();
  const post = stanza("message", { server_id: "1", t: "1" }, [{ tag: "plaintext", attrs: {}, content: plaintext }]);
  const { votes } = postIn(post);
  expect(votes).toHaveLength(100);
  expect(votes?.at(-1)).toEqual({ option: "option 99", votes: 0 });
});
