import { Type } from "@sinclair/typebox";
import { proto } from "@whiskeysockets/baileys";
import { AnyText, OneOf, Text } from "../../../src/kernel/schema.ts";
import { type Control, type Operation, operation, serveOperations } from "../graph/operations.ts";
import { FaultOrder, orderFault } from "./control-faults.ts";
import type { Heal } from "./faults.ts";
import type { GroupChat, Linked, Phone, Received, WhatsApp } from "./index.ts";
import type { Contact } from "./people/contact.ts";
import type { Sendable } from "./people/content.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;

const Who = Text(1, 64);
const Id = Text(1, 100);
const Pn = { pn: Who };
/** `atLeast`: the answer waits until there are so many. */
const Of = Type.Object({ by: Who, atLeast: optional(Type.Integer({ minimum: 0 })) }, strict);
const Message = { from: Who, to: Who };
const ContactSeed = Type.Object(
  {
    pn: optional(Who),
    lid: optional(Who),
    name: optional(Text(1, 100)),
    addressing: optional(OneOf(["lid", "pn"])),
    aliases: optional(Type.Array(Who)),
    devices: optional(Type.Integer({ minimum: 1, maximum: 2 })),
  },
  strict,
);
const FileSeed = Type.Object(
  {
    ...Message,
    kind: OneOf(["image", "video", "audio", "ptt", "document", "sticker"]),
    base64: Type.String(),
    mimetype: Text(1, 200),
    caption: optional(AnyText()),
  },
  strict,
);
const Habits = Type.Object(
  {
    of: Who,
    delivered: optional(Type.Boolean()),
    read: optional(Type.Boolean()),
    retry: optional(Type.Boolean()),
    blind: optional(Type.Boolean()),
  },
  strict,
);

const deviceView = ({ id, jid, lidJid, logins, preKeys, queued, isOnline, isActive }: Linked) => ({
  id,
  jid,
  lidJid,
  logins,
  preKeys,
  queued,
  isOnline,
  isActive,
});

const receivedView = ({ stanza: _stanza, message, ...rest }: Received) => ({
  ...rest,
  message: proto.Message.fromObject(message).toJSON(),
});

/** The people and groups of a network by the names that orders call them. */
const makeRegister = (net: WhatsApp) => {
  const people = new Map<string, Contact>();
  const groups = new Map<string, GroupChat>();
  const keep = (contact: Contact) => {
    people.set(contact.lid, contact);
    if (contact.pn !== undefined) people.set(contact.pn, contact);
    return contact;
  };
  const person = (who: string): Contact => {
    const found = people.get(who);
    if (!found) throw new Error(`nobody is ${who}`);
    return found;
  };
  return {
    keep,
    person,
    phone: (pn: string): Phone => {
      const phone = net.phone(pn);
      keep(phone);
      return phone;
    },
    keepGroup: (group: GroupChat) => groups.set(group.jid, group),
    chat: (to: string) => groups.get(to) ?? person(to),
  };
};

type Register = ReturnType<typeof makeRegister>;

const pairing = (net: WhatsApp, { keep, keepGroup, phone, person }: Register): Record<string, Operation> => ({
  phone: operation(Type.Object(Pn, strict), ({ pn }) => void phone(pn)),
  scan: operation(Type.Object({ ...Pn, qr: Text(1, 2000) }, strict), async ({ pn, qr }) =>
    deviceView(await phone(pn).scan(qr)),
  ),
  "type-code": operation(Type.Object({ ...Pn, code: Text(1, 20) }, strict), async ({ pn, code }) =>
    deviceView(await phone(pn).typeCode(code)),
  ),
  open: operation(Type.Object(Pn, strict), async ({ pn }) => deviceView(await phone(pn).open())),
  devices: operation(Type.Object(Pn, strict), ({ pn }) => phone(pn).devices.map(deviceView)),
  contact: operation(ContactSeed, (seed) => {
    const { pn, lid, jid, lidJid } = keep(net.contact(seed));
    return { pn, lid, jid, lidJid };
  }),
  group: operation(
    Type.Object({ subject: Text(1, 100), members: Type.Array(Who, { minItems: 1 }) }, strict),
    ({ subject, members }) => {
      const group = net.group({ subject, members: members.map(person) });
      keepGroup(group);
      return { jid: group.jid };
    },
  ),
});

/** `wire`: the bytes of a message, in base64. */
const sendableOf = (message: Record<string, unknown>): Sendable =>
  typeof message["wire"] === "string"
    ? { wire: Buffer.from(message["wire"], "base64") }
    : proto.Message.fromObject(message);

const talking = (net: WhatsApp, { person, chat }: Register): Record<string, Operation> => ({
  say: operation(
    Type.Object({ ...Message, text: AnyText(), id: optional(Id) }, strict),
    ({ from, to, text, ...rest }) => person(from).say(text, { to: chat(to), ...rest }),
  ),
  send: operation(
    Type.Object({ ...Message, message: Type.Record(Type.String(), Type.Unknown()), id: optional(Id) }, strict),
    ({ from, to, message, ...rest }) => person(from).sendProto(sendableOf(message), { to: chat(to), ...rest }),
  ),
  media: operation(FileSeed, async ({ from, to, kind, base64, ...rest }) => {
    const { id } = await person(from).sendMedia(kind, Buffer.from(base64, "base64"), { to: chat(to), ...rest });
    return id;
  }),
  react: operation(
    Type.Object({ ...Message, id: Id, fromMe: optional(Type.Boolean()), text: AnyText() }, strict),
    ({ from, to, text, ...key }) => person(from).react(chat(to), key, text),
  ),
  edit: operation(Type.Object({ ...Message, id: Id, text: AnyText() }, strict), ({ from, to, id, text }) =>
    person(from).edit(chat(to), id, text),
  ),
  revoke: operation(Type.Object({ ...Message, id: Id }, strict), ({ from, to, id }) =>
    person(from).revoke(chat(to), id),
  ),
  tap: operation(Type.Object({ by: Who, id: Id, option: Text(1, 200) }, strict), async ({ by, id, option }) => {
    const tapping = person(by);
    const received = tapping.received.find((one) => one.id === id);
    if (!received) throw new Error(`${by} has got no ${id}`);
    return tapping.tap(received, option);
  }),
  read: operation(Type.Object({ by: Who, ids: Type.Array(Id, { minItems: 1 }) }, strict), ({ by, ids }) =>
    person(by).read(...ids),
  ),
  habits: operation(Habits, ({ of, blind, ...habits }) => {
    const contact = person(of);
    contact.receipts = { ...contact.receipts, ...habits };
    contact.blind = blind ?? contact.blind;
  }),
  received: operation(Of, async ({ by, atLeast = 0 }) => {
    const { received } = person(by);
    await net.until(() => received.length >= atLeast);
    return received.map(receivedView);
  }),
  receipts: operation(Of, async ({ by, atLeast = 0 }) => {
    const { receivedReceipts } = person(by);
    await net.until(() => receivedReceipts.length >= atLeast);
    return receivedReceipts;
  }),
  repeats: operation(Type.Object({ by: Who }, strict), ({ by }) => person(by).repeats),
});

const breaking = (net: WhatsApp, { phone }: Register): Record<string, Operation> => {
  let heals: Heal[] = [];
  const heal = () => {
    for (const undo of heals) undo();
    heals = [];
  };
  return {
    fault: operation(FaultOrder, (order) => void heals.push(orderFault(net, order))),
    heal: operation(Type.Object({}, strict), heal),
    unlink: operation(Type.Object(Pn, strict), ({ pn }) => phone(pn).unlink()),
    cut: operation(Type.Object(Pn, strict), ({ pn }) => phone(pn).cut()),
    /** Until healed. */
    freeze: operation(Type.Object(Pn, strict), ({ pn }) => void heals.push(phone(pn).freeze())),
    replace: operation(Type.Object(Pn, strict), ({ pn }) => phone(pn).replace()),
    "stream-error": operation(Type.Object({ ...Pn, code: Text(1, 10) }, strict), ({ pn, code }) =>
      phone(pn).streamError(code),
    ),
    "expire-refs": operation(Type.Object({}, strict), () => net.expireRefs()),
    stat: operation(Type.Object({}, strict), () => net.stat),
  };
};

/** The control API over HTTP. */
export const controlOf = (net: WhatsApp): Control => {
  const register = makeRegister(net);
  return serveOperations({ ...pairing(net, register), ...talking(net, register), ...breaking(net, register) });
};
