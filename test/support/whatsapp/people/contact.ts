import { proto } from "@whiskeysockets/baileys";
import { optionsIn } from "../messages/business.ts";
import { encryptFile, type FileKind } from "../messages/files.ts";
import { envelope, linkedOf } from "../messages/messages.ts";
import { type Account, accountOf, jidOf, type Network } from "../model.ts";
import { stanza } from "../wire/stanza.ts";
import { type Calling, type CallOptions, placeCall } from "./calls.ts";
import type { Sendable } from "./content.ts";
import {
  type Habits,
  keepSent,
  makePerson,
  type Person,
  type PersonOptions,
  type Received,
  type ReceivedReceipt,
  sendReceipt,
} from "./person.ts";
import { type Chat, chatJid, type Extras, targetOf, transmit } from "./sending.ts";

/** A message by its id. `fromMe`: the contact that names it wrote it. */
export type KeyOf = { id: string; fromMe?: boolean; author?: Contact };

export type SendOptions = Extras & { to: Chat };
export type SayOptions = SendOptions & { quoted?: KeyOf & { text?: string } };
export type MediaOptions = SendOptions & { mimetype: string; caption?: string; fields?: Record<string, unknown> };

/** A person with a phone, driven by a test. */
export type Contact = {
  readonly account: Account;
  readonly person: Person;
  readonly pn: string | undefined;
  readonly lid: string;
  /** Shows its number from now on, and says so in the chat. */
  sharePhoneNumber(pn: string, to: Chat): Promise<string>;
  /**
   * Gives its number up, and has this number or none from now on. A person who is made with the old number is its new
   * holder.
   */
  moveTo(pn: string | undefined): void;
  /** The jid by number, or by LID without a number; and the jid by LID. */
  readonly jid: string;
  readonly lidJid: string;
  readonly received: readonly Received[];
  readonly receivedReceipts: readonly ReceivedReceipt[];
  readonly repeats: readonly string[];
  readonly unread: readonly string[];
  readonly unshown: readonly string[];
  /** The automatic answers of the phone. */
  receipts: Habits;
  /** Makes the phone decrypt nothing, and ask for every message again. */
  blind: boolean;
  /** Sends text; answers the id once the network has it. Throws if the network refuses it. */
  say(text: string, options: SayOptions): Promise<string>;
  /** Sends a message, or a message's bytes. */
  sendProto(message: Sendable, options: SendOptions): Promise<string>;
  /** Uploads a file and sends it. */
  sendMedia(kind: FileKind, bytes: Uint8Array, options: MediaOptions): Promise<{ id: string; message: proto.IMessage }>;
  react(to: Chat, key: KeyOf, text: string): Promise<string>;
  edit(to: Chat, id: string, text: string): Promise<string>;
  revoke(to: Chat, id: string): Promise<string>;
  /** Taps the button or the row with this id; throws where the message shows none. */
  tap(received: Received, id: string): Promise<string>;
  /** Calls somebody; `in`: with a group. */
  call(to: Contact, options?: CallOptions): Calling;
  /** Sends the placeholder that companions get in place of view-once content; answers its id. */
  viewOnce(to: Contact): string;
  /** The first message, past or future, that matches. */
  until(matches: (message: Received) => boolean): Promise<Received>;
  untilReceived(matches: (receipt: ReceivedReceipt) => boolean): Promise<ReceivedReceipt>;
  deliver(...ids: string[]): void;
  read(...ids: string[]): void;
  play(...ids: string[]): void;
  /** Reinstalls the app: new keys, and its contacts are notified of the new identity. */
  reset(): void;
};

const keyIn = (person: Person, to: Chat, { id, fromMe = false, author }: KeyOf): proto.IMessageKey => {
  const target = targetOf(to);
  const isGroup = "members" in target;
  const participant = fromMe ? person.account : author?.account;
  return {
    remoteJid: chatJid(target),
    id,
    fromMe,
    ...(isGroup && participant ? { participant: jidOf(participant, target.addressing) } : {}),
  };
};

const quoting = (
  person: Person,
  to: Chat,
  { id, fromMe = false, author, text = "" }: NonNullable<SayOptions["quoted"]>,
): proto.IContextInfo => {
  const target = targetOf(to);
  const other = author?.account ?? ("members" in target ? undefined : target);
  const by = fromMe ? person.account : other;
  return {
    stanzaId: id,
    quotedMessage: { conversation: text },
    ...(by ? { participant: jidOf(by, by.addressing) } : {}),
  };
};

const { Type } = proto.Message.ProtocolMessage;

/** Puts somebody on the network for a test to drive. */
export const makeContact = (network: Network, options: PersonOptions): Contact =>
  contactOf(network, makePerson(network, options));

export const contactOf = (network: Network, person: Person): Contact => {
  const { account } = person;
  const known = new Set<string>();

  const sendProto = async (message: Sendable, { to, ...extras }: SendOptions): Promise<string> => {
    const id = extras.id ?? network.newId();
    const sent = { message, to: targetOf(to), extras: { ...extras, id, time: extras.time ?? network.now() } };
    keepSent(person, id, sent);
    const code = await transmit(network, person.primary, sent, known);
    if (code !== undefined) throw new Error(`the network refused the message with ${code}`);
    return id;
  };
  const receipt =
    (type?: string) =>
    (...ids: string[]) => {
      const about = person.received.findLast((received) => ids.includes(received.id));
      if (!about) throw new Error(`${account.name} has not received ${ids.join(", ")}`);
      sendReceipt(network, person.primary, about.stanza, { ids, ...(type === undefined ? {} : { type }) });
    };

  return {
    account,
    person,
    pn: account.pn,
    lid: account.lid,
    sharePhoneNumber: (pn, to) => {
      account.pn = pn;
      network.accounts.set(`pn:${pn}`, account);
      return sendProto({ protocolMessage: { type: Type.SHARE_PHONE_NUMBER } }, { to });
    },
    moveTo: (pn) => {
      network.accounts.delete(`pn:${account.pn}`);
      account.pn = pn;
      if (pn !== undefined) network.accounts.set(`pn:${pn}`, account);
    },
    jid: jidOf(account, "pn"),
    lidJid: jidOf(account, "lid"),
    received: person.received,
    receivedReceipts: person.receivedReceipts,
    repeats: person.repeats,
    unread: person.unread,
    unshown: person.unshown,
    get receipts() {
      return person.habits;
    },
    set receipts(habits) {
      person.habits = habits;
    },
    get blind() {
      return person.isBlind;
    },
    set blind(isBlind) {
      person.isBlind = isBlind;
    },
    say: (text, { quoted, ...rest }) =>
      sendProto(
        quoted
          ? { extendedTextMessage: { text, contextInfo: quoting(person, rest.to, quoted) } }
          : { conversation: text },
        rest,
      ),
    sendProto,
    sendMedia: async (kind, bytes, { mimetype, caption, fields, ...rest }) => {
      const message = encryptFile(network.media, kind, bytes, {
        mimetype,
        ...(caption === undefined ? {} : { caption }),
        ...fields,
      });
      return { id: await sendProto(message, rest), message };
    },
    react: (to, key, text) =>
      sendProto(
        { reactionMessage: { key: keyIn(person, to, key), text, senderTimestampMs: network.now() * 1000 } },
        { to },
      ),
    edit: (to, id, text) => {
      const editedMessage = { conversation: text };
      return sendProto(
        {
          protocolMessage: {
            type: Type.MESSAGE_EDIT,
            key: keyIn(person, to, { id, fromMe: true }),
            editedMessage,
            timestampMs: network.now() * 1000,
          },
        },
        { to, edit: "1" },
      );
    },
    revoke: (to, id) =>
      sendProto(
        { protocolMessage: { type: Type.REVOKE, key: keyIn(person, to, { id, fromMe: true }) } },
        { to, edit: "7" },
      ),
    tap: async (received, id) => {
      const title = optionsIn(received.message).get(id);
      if (title === undefined) throw new Error(`${account.name} is shown no option ${id}`);
      const to = network.groups.get(received.chat) ?? accountOf(network, received.chat);
      if (!to) throw new Error(`nobody is ${received.chat}`);
      const contextInfo: proto.IContextInfo = { stanzaId: received.id, quotedMessage: received.message };
      const nativeFlowResponseMessage = { name: "quick_reply", paramsJson: JSON.stringify({ id }), version: 3 };
      return sendProto(
        { interactiveResponseMessage: { body: { text: title }, nativeFlowResponseMessage, contextInfo } },
        { to: "members" in to ? { group: to } : { account: to } },
      );
    },
    call: (to, options) => placeCall(network, account, to.account, options),
    viewOnce: (to) => {
      const id = network.newId();
      const message = stanza("message", { id, type: "media" });
      for (const device of linkedOf(to.account))
        device.deliver(
          envelope(network, { sender: person.primary, device, to: to.account }, message, [
            stanza("unavailable", { type: "view_once" }),
          ]),
        );
      return id;
    },
    until: (matches) => network.until(() => person.received.find(matches)),
    untilReceived: (matches) => network.until(() => person.receivedReceipts.find(matches)),
    deliver: receipt(),
    read: receipt("read"),
    play: receipt("played"),
    reset: () => {
      for (const peer of person.peers) peer.reset();
      known.clear();
      notifyNewIdentity(network, account);
    },
  };
};

const notifyNewIdentity = (network: Network, account: Account): void => {
  const met = [...new Set(network.accounts.values())].filter((other) => other !== account);
  for (const device of met.flatMap(linkedOf)) {
    device.deliver(
      stanza(
        "notification",
        { from: jidOf(account, account.addressing), type: "encrypt", id: network.newId(), t: String(network.now()) },
        [stanza("identity")],
      ),
    );
  }
};
