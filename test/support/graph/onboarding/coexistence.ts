import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type Call, type Effect, numberOf, ok, requireProduct } from "../call.ts";
import { badParameter, GraphError, webhookError } from "../errors.ts";
import { newNumericId, newWamid } from "../ids.ts";
import type { Fields } from "../shape.ts";
import { type PhoneNumber, recipientOf, type State, SYNC_TYPES, type SyncType } from "../state.ts";
import { envelopeOfChanges, idsOf, numberChange, secondsOf } from "../values.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";
import { contentOf, digitsOf } from "./content.ts";
import { chunksOf, type HistoryChunk, historyOf } from "./history.ts";
import type { ContactsOrder, EchoContent, EchoOrder, HistoryOrder } from "./seeds.ts";

const isCoexistent = ({ seed, platformType }: PhoneNumber): boolean =>
  seed.isOnBizApp === true && platformType === "CLOUD_API";
const isSyncType = (value: unknown): value is SyncType => SYNC_TYPES.some((one) => one === value);

/**
 * `POST /{number}/smb_app_data`: asks for the contacts or the history of the business app; they come when a test sends
 * them. Refused with 10 to any other number, with 2593108 a day after onboarding, with 2593107 for what was asked for
 * before.
 */
export const requestSync = (call: Call): Effect => {
  const number = numberOf(call);
  requireProduct(call);
  const { sync_type: type } = call.body;
  if (!isSyncType(type)) throw badParameter(`Param sync_type must be one of {${SYNC_TYPES.join(", ").toUpperCase()}}.`);
  if (!isCoexistent(number))
    throw new GraphError(10, { details: "The phone number is not used with the WhatsApp Business app." });
  if (number.syncs.has(type)) throw new GraphError(2593107, { details: `The sync of ${type} was requested before.` });
  if (call.state.clock.now() - number.onboardedAt >= DAY_MS)
    throw new GraphError(2593108, { details: "The request has to be made within 24 hours of onboarding." });
  const run = () => {
    number.syncs.add(type);
    return ok({ messaging_product: "whatsapp", request_id: newNumericId(call.state.random) });
  };
  return { operation: "number.sync", phoneNumberId: call.node, run };
};

/**
 * The business app of a coexistent number. Each sends its webhooks one after the other and resolves with them; throws
 * for a number that has no business app, and for data that the gateway has not requested.
 */
export type Coexistence = {
  /** Webhooks `smb_app_state_sync`, after the contacts were asked for. */
  contacts(order: ContactsOrder): Promise<Delivery[]>;
  /**
   * Webhooks `history`, after it was asked for: by phase, in chunks, the last with progress 100. Media stand as
   * placeholders.
   */
  history(order: HistoryOrder): Promise<{ deliveries: Delivery[]; wamids: string[] }>;
  /**
   * The content of the media in the history sent so far, as far as they were written in the 14 days before onboarding.
   */
  historyMedia(phoneNumberId: string): Promise<Delivery[]>;
  /** The owner does not share the history: a webhook with 2593109, after it was asked for. */
  declineHistory(phoneNumberId: string): Promise<Delivery>;
  /** A message that was written, changed or taken back in the app: a webhook `smb_message_echoes`. */
  echo(order: EchoOrder): Promise<{ wamid: string; delivery: Delivery }>;
};

export const createCoexistence = (state: State, webhooks: Webhooks): Coexistence => {
  const send = (phoneNumberId: string, field: string, parts: Fields) =>
    webhooks.send(envelopeOfChanges([numberChange(state, phoneNumberId, field, parts)], "one-change"), {
      phoneNumberId,
    });

  const sendAll = async (phoneNumberId: string, field: string, all: readonly Fields[]) => {
    const deliveries: Delivery[] = [];
    for (const parts of all) deliveries.push(await send(phoneNumberId, field, parts));
    return deliveries;
  };

  return {
    async contacts({ phoneNumberId, contacts, perWebhook = 100 }) {
      askedFor(state, phoneNumberId, "smb_app_state_sync");
      const items = contacts.map((contact) => contactItem(state, contact));
      const pages = chunksOf(items, perWebhook);
      return sendAll(
        phoneNumberId,
        "smb_app_state_sync",
        pages.map((page) => ({ state_sync: page })),
      );
    },
    async history({ phoneNumberId, messages, chunkSize = 50, isReversed = false }) {
      const number = askedFor(state, phoneNumberId, "history");
      const { chunks, held, wamids } = historyOf(state, number, messages, chunkSize);
      number.heldMedia.push(...held);
      const ordered = isReversed ? chunks.toReversed() : chunks;
      return { deliveries: await sendAll(phoneNumberId, "history", ordered.map(chunkParts)), wamids };
    },
    async historyMedia(phoneNumberId) {
      const { heldMedia } = askedFor(state, phoneNumberId, "history");
      return sendAll(
        phoneNumberId,
        "history",
        heldMedia.splice(0).map((message) => ({ messages: [message] })),
      );
    },
    async declineHistory(phoneNumberId) {
      askedFor(state, phoneNumberId, "history");
      return send(phoneNumberId, "history", {
        history: [{ errors: [webhookError(2593109, "History sharing is turned off by the business")] }],
      });
    },
    async echo(order) {
      const { phoneNumberId, to, wamid = newWamid(state.random, to, "outbound") } = order;
      const number = coexistentNumber(state, phoneNumberId);
      const delivery = await send(phoneNumberId, "smb_message_echoes", {
        message_echoes: [echoItem(state, number, { ...order, wamid })],
      });
      return { wamid, delivery };
    },
  };
};

const chunkParts = (chunk: HistoryChunk): Fields => ({ history: [chunk] });

const coexistentNumber = (state: State, phoneNumberId: string): PhoneNumber => {
  const number = state.numbers.get(phoneNumberId);
  if (!number || !isCoexistent(number)) throw new Error(`${phoneNumberId} is no number of the business app`);
  return number;
};

const askedFor = (state: State, phoneNumberId: string, type: SyncType): PhoneNumber => {
  const number = coexistentNumber(state, phoneNumberId);
  if (!number.syncs.has(type)) throw new Error(`nobody asked for ${type} of ${phoneNumberId}`);
  return number;
};

const contactItem = (
  state: State,
  { waId, action = "add", fullName, firstName, at }: ContactsOrder["contacts"][number],
): Fields => {
  const name = fullName ?? `User ${waId.slice(-4)}`;
  const names = action === "remove" ? {} : { full_name: name, first_name: firstName ?? name.split(" ")[0] };
  return {
    type: "contact",
    contact: { ...names, phone_number: waId },
    action,
    metadata: { timestamp: secondsOf(at ?? state.clock.now()) },
  };
};

const echoItem = (state: State, number: PhoneNumber, { to, wamid, at, content }: EchoOrder): Fields => {
  const { waId, userId } = idsOf(state, recipientOf(state, to) ?? { waId: to, userId: to, name: to });
  return {
    from: digitsOf(number),
    ...(waId === undefined ? {} : { to: waId }),
    ...(userId === undefined ? {} : { to_user_id: userId }),
    id: wamid,
    timestamp: secondsOf(at ?? state.clock.now()),
    ...echoContent(state, number, content),
  };
};

const echoContent = (state: State, number: PhoneNumber, content: EchoContent): Fields => {
  if (content.kind === "revoke") return { type: "revoke", revoke: { original_message_id: content.wamid } };
  if (content.kind === "edit")
    return {
      type: "edit",
      edit: { original_message_id: content.wamid, message: { type: "text", text: { body: content.text } } },
    };
  return contentOf(state, number, content);
};
