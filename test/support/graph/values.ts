import type { Fields } from "./shape.ts";
import type { Recipient, State } from "./state.ts";

/** One change of a webhook: its account, its field, and its value. Only fields of management have `at` (ms). */
export type Change = { businessAccountId: string; field: string; value: Fields; at?: number };

const UNKNOWN_ACCOUNT = "100000000000000";

/** The account of a number; a number that the simulator does not know belongs to an account of its own. */
export const accountIdOf = (state: State, phoneNumberId: string): string =>
  state.numbers.get(phoneNumberId)?.seed.businessAccountId ?? UNKNOWN_ACCOUNT;

const metadataOf = (state: State, phoneNumberId: string): Fields => ({
  display_phone_number: state.numbers.get(phoneNumberId)?.seed.displayPhoneNumber.replace(/\D/g, "") ?? "15550000000",
  phone_number_id: phoneNumberId,
});

/** A change of a field that names its number. */
export const numberChange = (state: State, phoneNumberId: string, field: string, parts: Fields): Change => ({
  businessAccountId: accountIdOf(state, phoneNumberId),
  field,
  value: { messaging_product: "whatsapp", metadata: metadataOf(state, phoneNumberId), ...parts },
});

/** A change of the field `messages`. */
export const messagesChange = (state: State, phoneNumberId: string, parts: Fields): Change =>
  numberChange(state, phoneNumberId, "messages", parts);

/** The ids of a user that webhooks show. */
export const idsOf = (state: State, recipient: Recipient): { waId?: string; userId?: string } => {
  const mode = recipient.contactMode ?? state.settings.contactMode;
  return {
    ...(mode === "bsuid" ? {} : { waId: recipient.waId }),
    ...(mode === "number" ? {} : { userId: recipient.userId }),
  };
};

export const contactOf = (state: State, recipient: Recipient): Fields => {
  const { waId, userId } = idsOf(state, recipient);
  const profile = {
    name: recipient.name,
    ...(recipient.username === undefined ? {} : { username: recipient.username }),
  };
  return {
    profile,
    ...(waId === undefined ? {} : { wa_id: waId }),
    ...(userId === undefined ? {} : { user_id: userId }),
  };
};

/** Times of webhooks: seconds, as a string. */
export const secondsOf = (atMs: number): string => String(Math.floor(atMs / 1000));

/**
 * The layout of the changes of one POST. `one-change`: as few changes as can be; `changes`: a change each; `entries`:
 * an entry each.
 */
export const LAYOUTS = ["one-change", "changes", "entries"] as const;
export type Layout = (typeof LAYOUTS)[number];

type Entry = { id: string; time?: number; changes: Fields[] };

/** The body of a webhook: `one-change` and `changes` put all changes of an account into one entry. */
export const envelopeOfChanges = (changes: Change[], layout: Layout): Fields => {
  const entries: Entry[] = [];
  const byAccount = new Map<string, Entry>();
  for (const { businessAccountId, field, value, at } of changes) {
    const known = layout === "entries" ? undefined : byAccount.get(businessAccountId);
    const entry = known ?? {
      id: businessAccountId,
      ...(at === undefined ? {} : { time: Math.floor(at / 1000) }),
      changes: [],
    };
    if (!known) {
      entries.push(entry);
      byAccount.set(businessAccountId, entry);
    }
    entry.changes.push({ value, field });
  }
  return { object: "whatsapp_business_account", entry: entries };
};
