import { type Customer, TO } from "../customers/customer.ts";
import type { World } from "../world.ts";

/** The official network's posts about a customer's phone, for events that `graph.inbound` does not have. */

type Phone = Pick<Customer, "phone">;
type Fields = Record<string, unknown>;

/** A change of a field that names the phone's number. */
export const ofNumber = ({ phone }: Phone, value: Fields, field = "messages") => ({
  field,
  value: {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: phone.number, phone_number_id: phone.phoneNumberId },
    ...value,
  },
});

/** Seconds, in the network's form. */
export const secondsAt = (atMs: number): string => String(Math.floor(atMs / 1000));

/**
 * Posts changes of one account in one webhook, signed, and waits for all effects. Gives the answers that the network
 * got. `at`: the entry's time.
 */
export const post = async (
  w: World,
  changes: readonly object[],
  { accountId = "1", at }: { accountId?: string; at?: number } = {},
): Promise<(number | null)[]> => {
  const time = at === undefined ? {} : { time: Math.floor(at / 1000) };
  const { answers } = await w.graph.inbound.raw({
    object: "whatsapp_business_account",
    entry: [{ id: accountId, ...time, changes }],
  });
  await w.settle();
  return answers.map(({ status }) => status);
};

/** The phone's account at the network. */
export const accountOf = async (w: World, { key, phone }: Pick<Customer, "key" | "phone">): Promise<string> =>
  (await w.gateway(`/v1/phones/${phone.id}`, { key })).body.wabaBusinessAccountId;

/** The names of a person in an envelope: any of them, or several. */
export type Who = { pn?: string; bsuid?: string; parentBsuid?: string; username?: string; name?: string };

const contactOf = ({ pn, bsuid, parentBsuid, username, name = "Ana" }: Who): Fields => ({
  profile: { name, ...(username ? { username } : {}) },
  ...(pn ? { wa_id: pn } : {}),
  ...(bsuid ? { user_id: bsuid } : {}),
  ...(parentBsuid ? { parent_user_id: parentBsuid } : {}),
});

/** A message of a person, with the contact that names them. */
export const messageFrom = (who: Who, more: Fields = {}): Fields => ({
  contacts: [contactOf(who)],
  messages: [
    {
      ...(who.pn ? { from: who.pn } : {}),
      ...(who.bsuid ? { from_user_id: who.bsuid } : {}),
      id: `wamid.${Bun.randomUUIDv7()}`,
      timestamp: "1700000000",
      type: "text",
      text: { body: "oi" },
      ...more,
    },
  ],
});

/** Lets a person write to the phone. */
export const postInbound = (w: World, c: Phone, who: Who = { pn: TO }, more: Fields = {}) =>
  post(w, [ofNumber(c, messageFrom(who, more))]);

/** GET /v1/phones/{id}/identities/resolve. */
export const resolve = (w: World, { key, phone }: Pick<Customer, "key" | "phone">, name: string) =>
  w.gateway(`/v1/phones/${phone.id}/identities/resolve?key=${encodeURIComponent(name)}`, { key });
