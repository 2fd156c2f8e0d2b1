import { proto } from "@whiskeysockets/baileys";
import { messageReader } from "../../../plugins/session/inbound/read.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { ChannelEvent } from "../../../src/contract/events.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { bytesOf, type Sendable } from "../whatsapp/people/content.ts";

/** The channel's own account, and people who write to it. Addresses are in the network's form. */
export const ME = { id: "5511900000001:3@s.whatsapp.net", lid: "900001:3@lid" };
export const ANA = { pn: "5511911110001", lid: "978001", jid: "978001@lid", pnJid: "5511911110001@s.whatsapp.net" };
export const BIA = { pn: "5511911110002", lid: "978002", jid: "978002@lid", pnJid: "5511911110002@s.whatsapp.net" };
export const GROUP = "120363000000000001";
export const AT = 1_795_000_000;

let count = 0;
const newId = () => `3EB0${String(++count).padStart(8, "0")}`;

/** The attributes of a message's stanza. */
export type Attrs = Record<string, string>;
export const fromAna = (attrs: Attrs = {}): Attrs => ({
  id: newId(),
  from: `${ANA.lid}:1@lid`,
  sender_pn: ANA.pnJid,
  t: String(AT),
  notify: "Ana",
  ...attrs,
});
export const fromBia = (attrs: Attrs = {}): Attrs =>
  fromAna({ from: BIA.jid, sender_pn: BIA.pnJid, notify: "Bia", ...attrs });
/** The same in the group. */
export const inGroup = ({ from, sender_pn, ...attrs }: Attrs): Attrs => ({
  ...attrs,
  from: `${GROUP}@g.us`,
  participant: from ?? "",
  participant_pn: sender_pn ?? "",
  addressing_mode: "lid",
});
/** Written by the owner on another device, to Ana. */
export const fromOwner = (attrs: Attrs = {}): Attrs => ({
  id: newId(),
  from: "900001@lid",
  recipient: ANA.jid,
  recipient_pn: ANA.pnJid,
  t: String(AT),
  ...attrs,
});

export type Reading = {
  host: RecordingHost;
  keyStore: KeyStore;
  /** Reads a decrypted message, writes its changes, and returns the events. */
  read(attrs: Attrs, message: Sendable): Promise<ChannelEvent[]>;
};

/** The reader of messages over a key store in memory. */
export const startReading = async (): Promise<Reading> => {
  const http = createHttp({ allow: [], extraCa: undefined });
  const host = recordingHost({ http, vault: {} });
  const keyStore = await host.vault.openKeyStore();
  const read = messageReader(host, () => ME);
  return {
    host,
    keyStore,
    async read(attrs, message) {
      const before = host.events.length;
      const bytes = bytesOf(message);
      const decrypted = proto.Message.decode(bytes);
      await keyStore.write(await read({ tag: "message", attrs, content: [] }, decrypted, { keyStore, bytes }));
      return host.events.slice(before);
    },
  };
};
