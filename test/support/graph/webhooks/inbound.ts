import { webhookError } from "../errors.ts";
import { BSUID, newNumericId, newWamid } from "../ids.ts";
import { seededFile } from "../media/seeded-file.ts";
import type { Fields } from "../shape.ts";
import { addRecipient, openWindow, type Recipient, recipientOf, type State } from "../state.ts";
import { type Change, contactOf, envelopeOfChanges, idsOf, messagesChange, secondsOf } from "../values.ts";
import type { InboundOptions, InboundSeed } from "./inbound-seeds.ts";
import { statusHead } from "./statuses.ts";
import type { Delivery, SendOptions, Signature, Webhooks } from "./webhooks.ts";

type Of<Kind extends InboundSeed["kind"]> = Omit<Extract<InboundSeed, { kind: Kind }>, "kind">;
type Post<Kind extends InboundSeed["kind"]> = (message: Of<Kind>, options?: InboundOptions) => Promise<Posted>;

/** The posted webhook: the ids of its messages, and the delivery with all its answers. */
export type Posted = { wamid: string; wamids: string[]; delivery: Delivery };

/**
 * Messages of users, one POST each; `batch` puts several into one. Each resolves when the webhook was answered with 2xx
 * or given up.
 */
export type InboundApi = { [Kind in InboundSeed["kind"]]: Post<Kind> } & {
  batch(messages: readonly InboundSeed[], options?: InboundOptions): Promise<Posted>;
  /** A change of another field, such as `account_update`. */
  field(change: Change, options?: { signature?: Signature }): Promise<Delivery>;
  /** Any body: an object in Meta's escaped form, or an unchanged string. */
  raw(body: unknown, options?: SendOptions): Promise<Delivery>;
};

export const createInbound = (state: State, webhooks: Webhooks): InboundApi => {
  const batch: InboundApi["batch"] = async (messages, { layout = "one-change", signature = "valid" } = {}) => {
    const pieces = messages.map((message) => pieceOf(state, message));
    const changes = layout === "one-change" ? joined(state, pieces) : pieces.map((piece) => changeOf(state, [piece]));
    const [first] = changes;
    const whose = first === undefined ? {} : { businessAccountId: first.businessAccountId };
    const delivery = await webhooks.send(envelopeOfChanges(changes, layout), { signature, ...whose });
    const wamids = pieces.map((piece) => piece.wamid);
    return { wamid: wamids[0] ?? "", wamids, delivery };
  };
  return {
    batch,
    text: (message, options) => batch([{ kind: "text", ...message }], options),
    image: (message, options) => batch([{ kind: "image", ...message }], options),
    video: (message, options) => batch([{ kind: "video", ...message }], options),
    audio: (message, options) => batch([{ kind: "audio", ...message }], options),
    document: (message, options) => batch([{ kind: "document", ...message }], options),
    sticker: (message, options) => batch([{ kind: "sticker", ...message }], options),
    location: (message, options) => batch([{ kind: "location", ...message }], options),
    contacts: (message, options) => batch([{ kind: "contacts", ...message }], options),
    buttonReply: (message, options) => batch([{ kind: "buttonReply", ...message }], options),
    listReply: (message, options) => batch([{ kind: "listReply", ...message }], options),
    templateButton: (message, options) => batch([{ kind: "templateButton", ...message }], options),
    reaction: (message, options) => batch([{ kind: "reaction", ...message }], options),
    unsupported: (message, options) => batch([{ kind: "unsupported", ...message }], options),
    other: (message, options) => batch([{ kind: "other", ...message }], options),
    status: (message, options) => batch([{ kind: "status", ...message }], options),
    field: (change, options = {}) =>
      webhooks.send(envelopeOfChanges([change], "changes"), {
        businessAccountId: change.businessAccountId,
        ...options,
      }),
    raw: (body, options) => webhooks.send(body, options),
  };
};

/** One message or status, before it is laid out in a webhook. */
type Piece = { wamid: string; phoneNumberId: string; list: "messages" | "statuses"; item: Fields; contact: Fields };

const pieceOf = (state: State, seed: InboundSeed): Piece => {
  const recipient = senderOf(state, seed);
  const contact = contactOf(state, recipient);
  const at = seed.at ?? state.clock.now();
  if (seed.kind === "status")
    return {
      wamid: seed.wamid,
      phoneNumberId: seed.to,
      list: "statuses",
      item: statusOf(state, seed, recipient, at),
      contact,
    };
  const wamid = seed.wamid ?? newWamid(state.random, recipient.waId, "inbound");
  openWindow(state, seed.to, recipient);
  state.inbound.set(wamid, { wamid, at, type: seed.kind, phoneNumberId: seed.to, recipient });
  return {
    wamid,
    phoneNumberId: seed.to,
    list: "messages",
    item: messageOf(state, seed, recipient, { wamid, at }),
    contact,
  };
};

const senderOf = (state: State, { from, name }: InboundSeed): Recipient => {
  const key = BSUID.test(from) ? from : from.replace(/\D/g, "");
  const recipient =
    recipientOf(state, key) ??
    addRecipient(state, { waId: newNumericId(state.random), userId: key, contactMode: "bsuid" });
  if (name !== undefined) recipient.name = name;
  return recipient;
};

const statusOf = (
  state: State,
  seed: Extract<InboundSeed, { kind: "status" }>,
  recipient: Recipient,
  at: number,
): Fields => ({
  ...statusHead(state, { wamid: seed.wamid, status: seed.status, recipient, at }),
  ...(seed.bizOpaque === undefined ? {} : { biz_opaque_callback_data: seed.bizOpaque }),
  ...(seed.status === "failed" ? { errors: [webhookError(seed.code ?? 131026, seed.details)] } : {}),
});

type Message = Exclude<InboundSeed, { kind: "status" }>;

const messageOf = (
  state: State,
  seed: Message,
  recipient: Recipient,
  { wamid, at }: { wamid: string; at: number },
): Fields => {
  const { waId, userId } = idsOf(state, recipient);
  const sent =
    seed.quoted === undefined ? undefined : state.numbers.get(seed.to)?.seed.displayPhoneNumber.replace(/\D/g, "");
  return {
    ...(seed.quoted === undefined
      ? {}
      : { context: { ...(sent === undefined ? {} : { from: sent }), id: seed.quoted } }),
    ...(waId === undefined ? {} : { from: waId }),
    ...(userId === undefined ? {} : { from_user_id: userId }),
    id: wamid,
    timestamp: secondsOf(at),
    ...contentOf(state, seed),
  };
};

/** Without the fields that are undefined. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const contentOf = (state: State, seed: Message): Fields => {
  switch (seed.kind) {
    case "text":
      return { type: "text", text: { body: seed.text } };
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return { type: seed.kind, [seed.kind]: mediaOf(state, seed) };
    case "location":
      return {
        type: "location",
        location: present({
          latitude: seed.latitude,
          longitude: seed.longitude,
          name: seed.locationName,
          address: seed.address,
        }),
      };
    case "contacts":
      return { type: "contacts", contacts: seed.contacts };
    case "buttonReply":
      return {
        type: "interactive",
        interactive: { type: "button_reply", button_reply: { id: seed.id, title: seed.title } },
      };
    case "listReply":
      return {
        type: "interactive",
        interactive: {
          type: "list_reply",
          list_reply: present({ id: seed.id, title: seed.title, description: seed.description }),
        },
      };
    case "templateButton":
      return { type: "button", button: { payload: seed.payload, text: seed.text } };
    case "reaction":
      return { type: "reaction", reaction: present({ message_id: seed.messageId, emoji: seed.emoji }) };
    case "unsupported":
      return {
        type: "unsupported",
        ...(seed.originalType === undefined ? {} : { unsupported: { type: seed.originalType } }),
        errors: [unsupportedError()],
      };
    case "other":
      return { type: seed.type, ...(seed.content === undefined ? {} : { [seed.type]: seed.content }) };
  }
};

const unsupportedError = (): Fields => ({
  ...webhookError(131051, "Message type is currently not supported."),
  title: "Message type unknown",
  message: "Message type unknown",
});

type MediaSeed = Extract<Message, { kind: "image" | "video" | "audio" | "document" | "sticker" }>;

const mediaOf = (state: State, seed: MediaSeed): Fields =>
  present({
    ...seededFile(state, { ...seed, phoneNumberId: seed.to }),
    caption: seed.caption,
    filename: seed.kind === "document" ? seed.filename : undefined,
    voice: seed.kind === "audio" ? (seed.voice ?? false) : undefined,
    animated: seed.kind === "sticker" ? (seed.animated ?? false) : undefined,
  });

const changeOf = (state: State, pieces: Piece[]): Change => {
  const [first] = pieces;
  const contacts = new Map(pieces.map(({ contact }) => [JSON.stringify(contact), contact]));
  const messages = pieces.filter((piece) => piece.list === "messages").map((piece) => piece.item);
  const statuses = pieces.filter((piece) => piece.list === "statuses").map((piece) => piece.item);
  return messagesChange(state, first?.phoneNumberId ?? "", {
    contacts: [...contacts.values()],
    ...(messages.length > 0 ? { messages } : {}),
    ...(statuses.length > 0 ? { statuses } : {}),
  });
};

/**
 * A change has one number in its metadata, and holds messages or statuses: pieces that agree in both share a change.
 */
const joined = (state: State, pieces: Piece[]): Change[] => {
  const groups = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const key = `${piece.phoneNumberId}:${piece.list}`;
    const group = groups.get(key);
    if (group) group.push(piece);
    else groups.set(key, [piece]);
  }
  return [...groups.values()].map((group) => changeOf(state, group));
};
