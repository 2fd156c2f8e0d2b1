import { afterEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { proto } from "@whiskeysockets/baileys";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { Receipt, Received } from "../../../src/contract/events.ts";
import { fileServer } from "../../support/session/file-server.ts";
import { untilPaced } from "../../support/session/receiving.ts";
import { type UnpairedChannel, unpairedChannel } from "../../support/session/unpaired.ts";
import { type ZapoClient, zapoClient } from "../../support/whatsapp/zapo.ts";

/** The other party of a session is here a client that shares no code with the session's library. */
const channel = unpairedChannel();
const ZAPO = "5511977770001";
const OWNER = "5511900000001";
const FILE = new Uint8Array(seededRandom(7).bytes(100_003));
const clients: ZapoClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
});

/** A paired session, and a person on zapo-js. */
const both = async () => {
  const all = channel();
  await all.pair();
  const zapo = await zapoClient(all.net, ZAPO);
  clients.push(zapo);
  return { ...all, zapo };
};

const send = async ({ host, link }: Pick<UnpairedChannel, "host" | "link">, to: string, content: Content) => {
  const key = link.providerMessageIdFor?.(randomUUID());
  if (!key) throw new Error("a session chooses its keys");
  await untilPaced({ host, link }, to);
  expect(await link.send({ ...content, to, key, messageId: randomUUID() })).toEqual({ ok: true, key });
  return key;
};
const text = (words: string): Content => ({ type: "text", content: { text: words } });
/** The message that the session reads next, of this content. */
const read = async ({ host }: Pick<UnpairedChannel, "host">, type: string): Promise<Received> => {
  const isIt = (event: object): event is Received =>
    "kind" in event && event.kind === "received" && (event as Received).content.type === type;
  await host.until(() => host.events.some(isIt));
  const found = host.events.find(isIt);
  if (!found) throw new Error("it is gone");
  return found;
};
const textOf = ({ conversation, extendedTextMessage }: proto.IMessage = {}): string | undefined =>
  conversation ?? extendedTextMessage?.text ?? undefined;

describe("a second, independent client on the simulated network", () => {
  test("links, uploads its keys, and finds the digest of them right", async () => {
    const { zapo, net } = await both();
    expect(zapo.phone.devices.map(({ preKeys, isActive }) => [(preKeys ?? 0) > 0, isActive])).toEqual([[true, true]]);
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });

  test("reads what a session writes, and the session sees that it was delivered", async () => {
    const { zapo, host, link } = await both();
    const key = await send({ host, link }, `pn:${ZAPO}`, text("olá, zapo"));
    const { message, stanzaId } = await zapo.until((event) => textOf(event.message) === "olá, zapo");
    expect([textOf(message), stanzaId]).toEqual(["olá, zapo", key]);
    await host.until(() =>
      host.events.some(
        (event): event is Receipt => event.kind === "receipt" && event.key === key && event.status === "delivered",
      ),
    );
  });

  test("writes what a session reads, and both go on in the same chat", async () => {
    const { zapo, host, link, net } = await both();
    await zapo.client.sendMessage(`${OWNER}@s.whatsapp.net`, "oi da zapo");
    expect(await read({ host }, "text")).toMatchObject({
      from: { pn: ZAPO },
      content: { type: "text", content: { text: "oi da zapo" } },
    });
    for (const words of ["um", "dois", "três"]) {
      await send({ host, link }, `pn:${ZAPO}`, text(words));
      await zapo.until((event) => textOf(event.message) === words);
      await zapo.client.sendMessage(`${OWNER}@s.whatsapp.net`, `${words} também`);
      await host.until(() => JSON.stringify(host.events).includes(`${words} também`));
    }
    expect(net.stat.unhandled).toEqual([]);
  });

  test("shares a group with a session: each reads what the other writes there", async () => {
    const { zapo, host, link, net, phone } = await both();
    const group = net.group({ subject: "Equipe", members: [phone, zapo.phone] });
    await zapo.client.sendMessage(group.jid, "oi, grupo");
    expect(await read({ host }, "text")).toMatchObject({
      chat: expect.anything(),
      content: { content: { text: "oi, grupo" } },
    });
    await send({ host, link }, `group:${group.jid.split("@")[0]}`, text("olá, grupo"));
    const { chatJid, isGroupChat } = await zapo.until((event) => textOf(event.message) === "olá, grupo");
    expect([chatJid, isGroupChat]).toEqual([group.jid, true]);
  });

  test("sends a file whose bytes a session reads", async () => {
    const { zapo, host, link } = await both();
    const file = { type: "document", media: FILE, mimetype: "application/pdf", fileName: "a.pdf" } as const;
    await zapo.client.sendMessage(`${OWNER}@s.whatsapp.net`, file);
    const { media } = await read({ host }, "document");
    const opened = await link.media?.open(media?.nativeId ?? "");
    if (!opened?.ok) throw new Error("not opened");
    expect(Buffer.concat(await Array.fromAsync(opened.value.body))).toEqual(Buffer.from(FILE));
  });

  test("reads the bytes of a file that a session sends", async () => {
    const { zapo, host, link } = await both();
    await using server = fileServer(() => new Response(FILE, { headers: { "content-type": "application/pdf" } }));
    await send({ host, link }, `pn:${ZAPO}`, {
      type: "document",
      content: { mediaUrl: `${server.url}/a.pdf`, filename: "a.pdf" },
    });
    const { message } = await zapo.until((event) => Boolean(event.message?.documentMessage));
    const { directPath, mediaKey, fileSha256, fileEncSha256 } = message?.documentMessage ?? {};
    const bytes = await zapo.client.mediaTransfer.downloadAndDecrypt({
      directPath: directPath ?? "",
      hosts: [channel().net.mediaHost],
      mediaType: "document",
      mediaKey: mediaKey ?? new Uint8Array(),
      fileSha256: fileSha256 ?? new Uint8Array(),
      fileEncSha256: fileEncSha256 ?? new Uint8Array(),
    });
    expect(Buffer.from(bytes)).toEqual(Buffer.from(FILE));
  });
});
