import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { proto } from "@whiskeysockets/baileys";
import type { Content } from "../../../../src/contract/content/content.ts";
import type { SendOutcome } from "../../../../src/contract/outcome.ts";
import { receivingChannel, untilPaced } from "../../../support/session/receiving.ts";
import type { GroupChat } from "../../../support/whatsapp/index.ts";

const channel = receivingChannel();

const send = async (to: string, content: Content): Promise<SendOutcome> => {
  const { host, link } = channel();
  await untilPaced({ host, link }, to);
  const key = link.providerMessageIdFor?.(randomUUID());
  return link.send({ ...content, to, messageId: randomUUID(), ...(key === undefined ? {} : { key }) });
};
type Shown = { text: string; context: proto.IContextInfo };
/** The last text at Ana's phone, with its context. */
const shown = async (count = 1): Promise<Shown> => {
  const { ana, net } = channel();
  await net.until(() => ana.received.length >= count);
  const part = ana.received.at(-1)?.message.extendedTextMessage;
  return { text: part?.text ?? "", context: part?.contextInfo ?? {} };
};
const groupOf = (addressing: "lid" | "pn", subject = "Equipe") => {
  const { net, phone, ana, bia } = channel();
  return net.group({ subject, members: [phone, ana, bia], addressing });
};
const keyOf = ({ jid }: GroupChat) => `group:${jid.replace("@g.us", "")}`;

describe("a mention of a member, by whatever name a client gives", () => {
  const names = (): [string, string][] => {
    const { bia } = channel();
    return [
      [bia.pn ?? "", `@${bia.pn}`],
      [`+${bia.pn}`, `@${bia.pn}`],
      [bia.jid, `@${bia.pn}`],
      [bia.lidJid, `@${bia.lid}`],
      [`lid:${bia.lid}`, `@${bia.lid}`],
    ];
  };

  test("is the LID in a group of LIDs, in the text too", async () => {
    const { bia } = channel();
    const group = groupOf("lid");
    for (const [at, [given, written]] of names().entries()) {
      const text = `Oi ${written}, e ${written}!`;
      await send(keyOf(group), { type: "text", content: { text, mentions: [given] } });
      const { text: arrived, context } = await shown(at + 1);
      expect([arrived, context.mentionedJid]).toEqual([`Oi @${bia.lid}, e @${bia.lid}!`, [bia.lidJid]]);
    }
  });

  test("is the number in a group of numbers, in the text too", async () => {
    const { bia } = channel();
    const group = groupOf("pn");
    for (const [at, [given, written]] of names().entries()) {
      await send(keyOf(group), { type: "text", content: { text: `Oi ${written}`, mentions: [given] } });
      const { text, context } = await shown(at + 1);
      expect([text, context.mentionedJid]).toEqual([`Oi @${bia.pn}`, [bia.jid]]);
    }
  });

  test("is found by the number's other spelling", async () => {
    const { net, phone, ana } = channel();
    const caio = net.contact({ pn: "5511988880003" });
    const group = net.group({ subject: "Equipe", members: [phone, ana, caio], addressing: "lid" });
    await send(keyOf(group), {
      type: "text",
      content: { text: "Oi @551188880003", mentions: ["551188880003"] },
    });
    const { text, context } = await shown();
    expect([text, context.mentionedJid]).toEqual([`Oi @${caio.lid}`, [caio.lidJid]]);
  });
});

test("only the names of mentioned people change in a text, and whole ones alone", async () => {
  const { bia, ana } = channel();
  const text = `@${bia.pn}1 @${ana.pn} maria@5511.example @${bia.pn}@s.whatsapp.net`;
  await send(keyOf(groupOf("lid")), { type: "text", content: { text, mentions: [bia.pn ?? ""] } });
  expect((await shown()).text).toBe(`@${bia.pn}1 @${ana.pn} maria@5511.example @${bia.lid}`);
});

test("a person who is not named in the text is mentioned all the same, once", async () => {
  const { bia } = channel();
  await send(keyOf(groupOf("lid")), { type: "text", content: { text: "Oi", mentions: [bia.pn ?? "", bia.lidJid] } });
  expect(await shown()).toMatchObject({ text: "Oi", context: { mentionedJid: [bia.lidJid] } });
});

test("a person outside the group is mentioned by the number", async () => {
  await send(keyOf(groupOf("lid")), {
    type: "text",
    content: { text: "Fale com @351912345678", mentions: ["351912345678"] },
  });
  expect(await shown()).toMatchObject({
    text: "Fale com @351912345678",
    context: { mentionedJid: ["351912345678@s.whatsapp.net"] },
  });
});

test("everybody is one mention without a list, and a group has its name", async () => {
  const other = groupOf("lid", "Avisos");
  const text = `@all vejam @${other.jid}`;
  await send(keyOf(groupOf("lid")), { type: "text", content: { text, mentions: ["all", other.jid] } });
  const { text: arrived, context } = await shown();
  expect([arrived, context.nonJidMentions, context.mentionedJid, context.groupMentions]).toEqual([
    text,
    1,
    [],
    [{ groupJid: other.jid, groupSubject: "Avisos" }],
  ] as never);
});

test("in a chat of two a mention is the LID, beside the timer and the quoted message", async () => {
  const { ana, bia, phone, host } = channel();
  await ana.say("Quem faz?", { to: phone, id: "3EB0QUEM" });
  await host.until(() => host.events.some(({ kind }) => kind === "received"));
  const { link } = channel();
  const to = `pn:${ana.pn}`;
  await untilPaced(channel(), to);
  await link.send({
    type: "text",
    content: { text: `@${bia.pn}`, mentions: [bia.pn ?? ""] },
    to,
    messageId: randomUUID(),
    quotedProviderMessageId: "3EB0QUEM" as never,
  });
  const { context } = await shown();
  expect([context.stanzaId, context.mentionedJid?.length]).toEqual(["3EB0QUEM", 1]);
});

test("a text without mentions has none, whatever numbers stand in it", async () => {
  const { bia } = channel();
  await send(keyOf(groupOf("lid")), { type: "text", content: { text: `@${bia.pn}` } });
  const { text, context } = await shown();
  expect([text, context.mentionedJid ?? []]).toEqual([`@${bia.pn}`, []]);
});

test.each(["status@broadcast", "120363041234567890@newsletter"])(
  "a mention of %s is refused: nothing leaves",
  async (jid) => {
    const group = keyOf(groupOf("lid"));
    const before = channel().net.stat.stanzas["message"];
    expect(await send(group, { type: "text", content: { text: "Oi", mentions: [jid] } })).toMatchObject({
      ok: false,
      kind: "refused",
    });
    expect(channel().net.stat.stanzas["message"]).toBe(before);
  },
);

test("a message to a group that is not ours has one outcome, with a mention and without", async () => {
  const { net, ana, bia } = channel();
  const foreign = keyOf(net.group({ subject: "Delas", members: [ana, bia] }));
  const plain = await send(foreign, { type: "text", content: { text: "Oi" } });
  expect(plain).toMatchObject({ ok: false, kind: "refused" });
  const mentions = [bia.pn ?? ""];
  expect(await send(foreign, { type: "text", content: { text: "Oi", mentions } })).toEqual(plain);
  expect(ana.received).toEqual([]);
});

test("the names of mentioned groups are asked for once each", async () => {
  const { net } = channel();
  const others = Array.from({ length: 5 }, (_, at) => groupOf("lid", `Avisos ${at}`));
  const to = groupOf("lid");
  const asked = net.stat.iqs["w:g2"] ?? 0;
  await send(keyOf(to), { type: "text", content: { text: "Oi", mentions: others.map(({ jid }) => jid) } });
  const { context } = await shown();
  expect(context.groupMentions?.map(({ groupSubject }) => groupSubject)).toEqual(others.map((_, at) => `Avisos ${at}`));
  expect((net.stat.iqs["w:g2"] ?? 0) - asked).toBeLessThanOrEqual(6);
});

describe("an edit", () => {
  const edited = async (to: string, content: Content, text: string) => {
    const { host, link, ana, net } = channel();
    await untilPaced({ host, link }, to);
    const key = link.providerMessageIdFor?.(randomUUID());
    if (!key) throw new Error("no key");
    await link.send({ ...content, to, messageId: randomUUID(), key });
    await net.until(() => ana.received.some(({ id }) => id === key));
    expect(await link.operate?.({ name: "edit", text, chat: to, sender: null, key })).toEqual({ ok: true });
    const { message } = await ana.until(({ edit }) => edit === "1");
    const part = message.protocolMessage?.editedMessage?.extendedTextMessage;
    const { mentionedJid, groupMentions, nonJidMentions } = part?.contextInfo ?? {};
    return { text: part?.text, mentionedJid, groupMentions, nonJidMentions };
  };

  test("keeps the mentions whose names stand in the new text, in the network's form, and loses others", async () => {
    const { ana, bia } = channel();
    const other = groupOf("lid", "Avisos");
    const before = `@${ana.pn} @${bia.pn} @${other.jid}`;
    const mentions = [ana.pn ?? "", bia.pn ?? "", other.jid];
    const content: Content = { type: "text", content: { text: before, mentions } };
    expect(await edited(keyOf(groupOf("lid")), content, `Só @${bia.pn} e @${other.jid}`)).toEqual({
      text: `Só @${bia.lid} e @${other.jid}`,
      mentionedJid: [bia.lidJid],
      groupMentions: [{ groupJid: other.jid, groupSubject: "Avisos" }],
      nonJidMentions: null,
    } as never);
  });

  test("of a text without mentions makes none, whatever numbers stand in it", async () => {
    const { bia } = channel();
    const text = `Fale com @${bia.pn}`;
    const { mentionedJid, ...after } = await edited(
      keyOf(groupOf("lid")),
      { type: "text", content: { text: "Oi" } },
      text,
    );
    expect([after.text, mentionedJid ?? []]).toEqual([text, []]);
  });
});
