import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type ChatUpdate, proto, type WASocket } from "@whiskeysockets/baileys";
import { type Client, linked } from "../baileys.ts";
import { type Stanza, stanza, startWhatsApp, type WhatsApp } from "../index.ts";
import { child, children } from "../wire/stanza.ts";

const PN = "5511900000001";
let net: WhatsApp;
let client: Client;

beforeEach(async () => {
  net = await startWhatsApp();
  client = await linked(net, PN, {
    shouldSyncHistoryMessage: () => false,
    appStateMacVerification: { patch: true, snapshot: true },
    ...trusting(),
  });
  await net.phone(PN).open();
});
afterEach(async () => {
  expect(net.stat.unhandled).toEqual([]);
  client.end();
  await net.stop();
});

/** Files of the simulated network, whose certificate nobody else knows. */
const trusting = () => ({
  options: {
    fetch: (url: string, init: object) =>
      fetch(url.replace("mmg.whatsapp.net", net.mediaHost), { ...init, tls: { rejectUnauthorized: false } } as object),
  } as never,
});

const sync = (sock: WASocket) => sock.resyncAppState(["regular_low"], false);
const sent = (collection: Stanza, patch?: Uint8Array) =>
  client.sock.query(
    stanza("iq", { to: "s.whatsapp.net", xmlns: "w:sync:app:state", type: "set" }, [
      stanza("sync", {}, [stanza("collection", collection.attrs, patch ? [stanza("patch", {}, patch)] : undefined)]),
    ]),
  );
const only = (answer: Stanza) => children(child(answer, "sync"), "collection")[0];

describe("the app state of the simulated network", () => {
  test("a plain client reads the phone's acts, from a snapshot and then from patches, and the phone reads its own", async () => {
    const phone = net.phone(PN);
    const ana = net.contact({ pn: "5511911110001" });
    await phone.appState.pin(ana, true);
    await phone.appState.share();
    await client.until(() => client.identity.creds.myAppStateKeyId);
    await sync(client.sock);
    expect(client.identity.rows.get("app-state-sync-version regular_low")).toMatchObject({ version: 1 });
    const archived = new Promise<void>((resolve) =>
      client.sock.ev.on("chats.update", (changed: Partial<ChatUpdate>[]) => {
        if (changed.some((chat) => chat.archived)) resolve();
      }),
    );
    await phone.appState.archive(ana, true);
    await archived;
    await client.sock.chatModify({ pin: false }, ana.lidJid);
    expect(phone.appState.broken).toEqual([]);
    await net.until(() => phone.appState.value(["pin_v1", ana.lidJid])?.pinAction?.pinned === false);
  });

  test("a patch on another version than the present one is refused with 409, and changes nothing", async () => {
    const phone = net.phone(PN);
    await phone.appState.pin(net.contact({ pn: "5511911110001" }), true);
    await phone.appState.share();
    await client.until(() => client.identity.creds.myAppStateKeyId);
    const answer = await sent(stanza("", { name: "regular_low", version: "0" }), patchBytes());
    expect(child(only(answer), "error")?.attrs["code"]).toBe("409");
    const present = await sent(stanza("", { name: "regular_low", version: "1" }));
    expect(only(present)?.attrs["version"]).toBe("1");
  });

  test("a patch without MACs, and a collection of no name, are refused with 400", async () => {
    expect(child(only(await sent(stanza("", { name: "nonsense", version: "0" }))), "error")?.attrs["code"]).toBe("400");
    const answer = await sent(stanza("", { name: "regular_low", version: "0" }), Buffer.from([1, 2, 3]));
    expect(child(only(answer), "error")?.attrs["code"]).toBe("400");
  });

  test("the phone ignores an archive whose range ends before the newest message", async () => {
    const phone = net.phone(PN);
    const ana = net.contact({ pn: "5511911110001" });
    await phone.appState.share();
    await client.until(() => client.identity.creds.myAppStateKeyId);
    const id = await ana.say("oi", { to: phone });
    const lastMessages = (messageTimestamp: number) => [
      { key: { remoteJid: ana.lidJid, id, fromMe: false }, messageTimestamp },
    ];
    await client.sock.chatModify({ archive: true, lastMessages: lastMessages(1_000_000_000) }, ana.lidJid);
    await net.until(() => phone.appState.ignored.length > 0);
    expect(phone.appState.value(["archive", ana.lidJid])).toBeUndefined();
    await client.sock.chatModify({ archive: true, lastMessages: lastMessages(4_000_000_000) }, ana.lidJid);
    await net.until(() => phone.appState.value(["archive", ana.lidJid])?.archiveChatAction?.archived);
  });
});

/** A patch that the server can read; only a phone could find its MACs wrong. */
const patchBytes = (): Uint8Array =>
  proto.SyncdPatch.encode({
    mutations: [{ operation: 0, record: { index: { blob: Buffer.alloc(32) }, value: { blob: Buffer.alloc(64) } } }],
    patchMac: Buffer.alloc(32),
    snapshotMac: Buffer.alloc(32),
    keyId: { id: Buffer.from([1]) },
  }).finish();
