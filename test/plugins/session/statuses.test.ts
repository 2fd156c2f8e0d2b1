import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { Action } from "../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import { fileServer } from "../../support/session/file-server.ts";
import { received, receivingChannel, sendText, untilPaced } from "../../support/session/receiving.ts";
import { type Contact, stanza } from "../../support/whatsapp/index.ts";

const channel = receivingChannel();
const STATUS = "status@broadcast";
const TEXT: Content = { type: "text", content: { text: "Hoje tem pão de queijo" } };

/** Posts a status for these people. */
const post = async (
  content: Content,
  audience: readonly Contact[],
  { key, ...options }: { key?: ProviderMessageId; everybody?: "true"; backgroundColor?: string; font?: string } = {},
): Promise<SendOutcome> => {
  const { link } = channel();
  await untilPaced(channel(), "broadcast:status");
  const messageId = randomUUID();
  return link.send({
    ...content,
    to: "broadcast:status",
    messageId,
    key: key ?? (link.providerMessageIdFor?.(messageId) as ProviderMessageId),
    options: {
      audience: audience.map(({ pn, lid }) => (pn === undefined ? `lid:${lid}` : `pn:${pn}`)).join(),
      ...options,
    },
  });
};
const posted = async (...given: Parameters<typeof post>): Promise<ProviderMessageId> => {
  const outcome = await post(...given);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.key;
};
const operate = (key: ProviderMessageId, action: Action) =>
  channel().link.operate?.({ ...action, key, chat: "broadcast:status", sender: null });
/** The statuses that a person has. */
const statusesOf = ({ received: all }: Contact) => all.filter(({ chat }) => chat === STATUS);

describe("a status of a session", () => {
  test("reaches the people whom it is for, on the phone too, and nobody else", async () => {
    const { ana, bia, phone } = channel();
    const key = await posted(TEXT, [ana], { backgroundColor: "#25D366", font: "2" });
    const { message, chat, from } = await ana.until(({ id }) => id === key);
    expect([chat, from]).toEqual([STATUS, phone.pn as string]);
    expect(message.extendedTextMessage).toMatchObject({
      text: "Hoje tem pão de queijo",
      backgroundArgb: 0xff25_d366,
      font: 2,
    });
    await phone.until(({ id }) => id === key);
    await sendText(channel(), `pn:${bia.pn}`, "fim");
    await bia.until(({ text }) => text === "fim");
    expect(statusesOf(bia)).toEqual([]);
  });

  test("with a picture or a voice note brings its file encrypted, like a message", async () => {
    const { ana, net } = channel();
    const jpeg = Buffer.from("ffd8ffe000104a46494600010101", "hex");
    await using files = fileServer(() => new Response(jpeg, { headers: { "content-type": "image/jpeg" } }));
    const key = await posted({ type: "image", content: { mediaUrl: `${files.url}/a.jpg`, caption: "fornada" } }, [ana]);
    const { message, mediatype } = await ana.until(({ id }) => id === key);
    expect(mediatype).toBe("image");
    expect(message.imageMessage?.caption).toBe("fornada");
    expect(message.imageMessage?.mediaKey?.length).toBe(32);
    expect(net.stat.uploads.map(({ path }) => path.startsWith("/mms/image/"))).toEqual([true]);
  });

  test("that is repeated is the same one, for the same people", async () => {
    const { ana, bia, net, host } = channel();
    const key = channel().link.providerMessageIdFor?.(randomUUID()) as ProviderMessageId;
    net.faults.dropAcks(() => true, { times: 1 });
    const first = post(TEXT, [ana], { key });
    await ana.until(({ id }) => id === key);
    host.clock.advance(60_000);
    expect(await first).toMatchObject({ ok: false, kind: "unknown" });
    expect(await post(TEXT, [ana, bia], { key })).toEqual({ ok: true, key });
    await net.until(() => ana.repeats.includes(key));
    expect([statusesOf(ana).length, statusesOf(bia).length]).toEqual([1, 0]);
  });

  test("for everybody leaves out whom the owner excluded in the app; a named audience is the caller's own", async () => {
    const { ana, bia, phone } = channel();
    phone.account.statusPrivacy = { type: "blacklist", people: [bia.account] };
    const first = await posted(TEXT, [ana, bia], { everybody: "true" });
    await ana.until(({ id }) => id === first);
    phone.account.statusPrivacy = { type: "whitelist", people: [bia.account] };
    const second = await posted(TEXT, [ana, bia], { everybody: "true" });
    await bia.until(({ id }) => id === second);
    const third = await posted(TEXT, [ana]);
    await ana.until(({ id }) => id === third);
    expect(statusesOf(ana).map(({ id }) => id)).toEqual([first, third]);
    expect(statusesOf(bia).map(({ id }) => id)).toEqual([second]);
  });

  test("for nobody on the network is refused, and nothing is sent", async () => {
    const { link, net } = channel();
    const before = net.stat.stanzas["message"];
    const messageId = randomUUID();
    const order = { ...TEXT, to: "broadcast:status", messageId, options: { audience: "pn:5511900009999" } };
    expect(await link.send(order)).toMatchObject({ kind: "refused", code: "RECIPIENT_NOT_ON_NETWORK" });
    expect(net.stat.stanzas["message"]).toBe(before as number);
  });

  test("is not posted while the network does not say whom the owner excludes", async () => {
    const { ana, net } = channel();
    net.faults.answerIq((iq) =>
      iq.attrs["xmlns"] === "status"
        ? { tag: "iq", attrs: { type: "error" }, content: [{ tag: "error", attrs: { code: "500", text: "x" } }] }
        : undefined,
    );
    expect(await post(TEXT, [ana], { everybody: "true" })).toMatchObject({ ok: false, kind: "retry" });
    net.faults.clear();
    await sendText(channel(), `pn:${ana.pn}`, "fim");
    await ana.until(({ text }) => text === "fim");
    expect(statusesOf(ana)).toEqual([]);
  });

  test("is deleted for those who could see it, and nothing else can be done to it", async () => {
    const { ana } = channel();
    const key = await posted(TEXT, [ana]);
    await ana.until(({ id }) => id === key);
    for (const action of [{ name: "edit", text: "x" }, { name: "react", emoji: "👍" }, { name: "typing" }] as const)
      expect(await operate(key, action)).toMatchObject({ code: "UPSTREAM_UNSUPPORTED" });
    expect(await operate(key, { name: "delete" })).toEqual({ ok: true });
    const { edit, chat, message } = await ana.until(({ message: { protocolMessage } }) => Boolean(protocolMessage));
    expect([edit, chat]).toEqual(["7", STATUS]);
    expect(message.protocolMessage?.key).toMatchObject({ id: key, fromMe: true });
    expect(await operate("3EB0000000000000000000" as ProviderMessageId, { name: "delete" })).toMatchObject({
      kind: "refused",
    });
  });

  test("says who saw it", async () => {
    const { ana, bia, host } = channel();
    const key = await posted(TEXT, [ana, bia]);
    await ana.until(({ id }) => id === key);
    await bia.until(({ id }) => id === key);
    ana.read(key);
    const seen = () =>
      host.events.flatMap((event) => (event.kind === "receipt" && event.status === "read" ? [event] : []));
    await host.until(() => seen().length > 0);
    expect(seen()).toMatchObject([{ key, by: { pn: ana.pn, lid: ana.lid } }] as never);
  });

  test("is answered as a message that quotes it, and reacted to in both ways of the apps", async () => {
    const { ana, bia, phone, host, net } = channel();
    const key = await posted(TEXT, [ana, bia]);
    await ana.until(({ id }) => id === key);
    await ana.say("Quero um!", { to: phone, quoted: { id: key, author: phone } });
    const [answer] = await received(host, "received");
    expect(answer).toMatchObject({ quotedProviderMessageId: key, content: { content: { text: "Quero um!" } } });
    await ana.react(net.status(ana, [phone]), { id: key, author: phone }, "❤️");
    await received(host, "reacted"); // chats are read side by side
    await bia.react(phone, { id: key, author: phone }, "😂");
    const reactions = await received(host, "reacted", 2);
    expect(reactions).toMatchObject([
      { key, emoji: "❤️", from: { pn: ana.pn } },
      { key, emoji: "😂", from: { pn: bia.pn } },
    ] as never);
  });

  test("of others makes no event although own ones are shown, and a reaction to theirs is none to ours", async () => {
    const { ana, phone, host, net } = channel();
    await posted(TEXT, [ana]);
    const theirs = await ana.say("na praia", { to: net.status(ana, [phone]) });
    await ana.react(net.status(ana, [phone]), { id: theirs, fromMe: true }, "❤️");
    await ana.say("fim", { to: phone });
    await received(host, "received");
    expect(host.events.filter(({ kind }) => kind === "broadcast" || kind === "reacted")).toEqual([]);
  });

  test("that a device cannot read is sent again as a status, never as a message of the chat", async () => {
    const { net } = channel();
    const ana = net.contact({ pn: "5511911110003", devices: 2 });
    ana.blind = true;
    const key = await posted(TEXT, [ana]);
    await net.until(() => ana.unread.filter((id) => id === key).length >= 2);
    ana.blind = false;
    for (const device of [0, 1]) {
      const { chat } = await ana.until((message) => message.id === key && message.device === device);
      expect(chat).toBe(STATUS);
    }
    await sendText(channel(), `pn:${ana.pn}`, "fim");
    await ana.until(({ text }) => text === "fim");
    expect(ana.received.filter(({ id, chat }) => id === key && chat !== STATUS)).toEqual([]);
  });

  test.each(["1", "NaN", "-7", "1e-9"])(
    "is sent again five times at most to a device that asks for ever, and always says it is time %s",
    async (count) => {
      const { ana, phone, net } = channel();
      const [key, last] = [await posted(TEXT, [ana]), await posted(TEXT, [ana])];
      await ana.until(({ id }) => id === last);
      const again: string[] = [];
      net.watch(({ tag, attrs }) => void (tag === "message" && again.push(attrs["id"] ?? "")));
      const ask = (id: string, t: number) => {
        const participant = t % 2 === 0 ? ana.lidJid : ana.jid; // both addresses of the one device
        const names = { participant, participant_pn: ana.jid, participant_lid: ana.lidJid };
        const asked = stanza("retry", { count, id, t: String(t), v: "1" });
        phone.notify(stanza("receipt", { from: STATUS, ...names, id, type: "retry", t: String(t) }, [asked]));
      };
      for (let t = 1; t <= 30; t += 1) ask(key, t);
      ask(last, 31); // is answered after all others
      await net.until(() => again.includes(last));
      expect(again).toEqual([key, key, key, key, key, last]);
    },
  );
});
