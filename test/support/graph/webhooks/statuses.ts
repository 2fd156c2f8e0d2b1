import type { Rejection } from "../call.ts";
import { webhookError } from "../errors.ts";
import type { StatusName } from "../seeds.ts";
import type { Fields } from "../shape.ts";
import type { Recipient, Sent, State } from "../state.ts";
import { type Change, contactOf, envelopeOfChanges, idsOf, messagesChange, secondsOf } from "../values.ts";
import type { Delivery, Webhooks } from "./webhooks.ts";

/** `isBatched`: all in one webhook. `code` and `details` are the error of `failed`. */
export type StatusOptions = { isBatched?: boolean; code?: number; details?: string };

export type Statuses = {
  /** The automatic statuses after an accepted send: a failed status after a rejection, else the configured ones. */
  begin(sent: Sent, rejection?: Rejection): void;
  /**
   * Sends statuses of an accepted message in the order given, out of order and repeated if given so; one webhook after
   * the other. Throws for an unknown message.
   */
  deliver(wamid: string, names: readonly StatusName[], options?: StatusOptions): Promise<Delivery[]>;
};

export const createStatuses = (state: State, webhooks: Webhooks): Statuses => {
  const post = (sent: Sent, names: readonly StatusName[], options: StatusOptions) =>
    webhooks.send(envelopeOfChanges([changeOf(state, sent, names, options)], "one-change"), {
      phoneNumberId: sent.phoneNumberId,
    });

  const deliver: Statuses["deliver"] = async (wamid, names, options = {}) => {
    const sent = state.sent.get(wamid);
    if (!sent) throw new Error(`no message ${wamid} was accepted here`);
    if (options.isBatched) return [await post(sent, names, options)];
    const deliveries: Delivery[] = [];
    for (const name of names) deliveries.push(await post(sent, [name], options));
    return deliveries;
  };

  const deliverSlowly = async (sent: Sent, names: readonly StatusName[], delayMs: number) => {
    for (const name of names) {
      if (delayMs > 0) await webhooks.pause(delayMs);
      await post(sent, [name], {});
    }
  };

  return {
    deliver,
    begin(sent, rejection) {
      const { autoStatuses, autoDelayMs } = state.settings;
      if (rejection) void webhooks.track(deliver(sent.wamid, ["failed"], rejection));
      else if (autoStatuses.length > 0) void webhooks.track(deliverSlowly(sent, autoStatuses, autoDelayMs));
    },
  };
};

const changeOf = (state: State, sent: Sent, names: readonly StatusName[], options: StatusOptions): Change => {
  const statuses = names.map((name) => statusOf(state, sent, name, options));
  const hasContacts = sent.groupId === undefined && names.some((name) => name !== "failed");
  return messagesChange(state, sent.phoneNumberId, {
    ...(hasContacts ? { contacts: [contactOf(state, sent.recipient)] } : {}),
    statuses,
  });
};

const statusOf = (state: State, sent: Sent, name: StatusName, { code = 131026, details }: StatusOptions): Fields => {
  sent.statuses.push(name);
  if (name === "delivered" || name === "read") sent.pricedBy ??= name;
  const isPriced = name === "sent" || name === sent.pricedBy;
  return {
    ...headOf(state, sent, name),
    ...(sent.bizOpaque === undefined ? {} : { biz_opaque_callback_data: sent.bizOpaque }),
    ...(isPriced ? { pricing: pricingOf(sent) } : {}),
    ...(name === "failed" ? { errors: [webhookError(code, details)] } : {}),
  };
};

const headOf = (state: State, { wamid, recipient, groupId }: Sent, status: StatusName): Fields => {
  const at = state.clock.now();
  if (groupId === undefined) return statusHead(state, { wamid, status, recipient, at });
  const [participant] = status === "sent" || status === "failed" ? [] : (state.groups.get(groupId)?.participants ?? []);
  const { waId, userId } = participant ? idsOf(state, participant) : {};
  return {
    id: wamid,
    status,
    timestamp: secondsOf(at),
    recipient_id: groupId,
    recipient_type: "group",
    ...(waId === undefined ? {} : { recipient_participant_id: waId }),
    ...(userId === undefined ? {} : { recipient_participant_user_id: userId }),
  };
};

/** The fields of every status of a message to one person. */
export const statusHead = (
  state: State,
  { wamid, status, recipient, at }: { wamid: string; status: string; recipient: Recipient; at: number },
): Fields => {
  const { waId, userId } = idsOf(state, recipient);
  return {
    id: wamid,
    status,
    timestamp: secondsOf(at),
    ...(waId === undefined ? {} : { recipient_id: waId }),
    ...(userId === undefined ? {} : { recipient_user_id: userId }),
  };
};

const pricingOf = ({ category }: Sent): Fields => {
  const isBillable = category !== "service";
  return {
    billable: isBillable,
    pricing_model: "PMP",
    type: isBillable ? "regular" : "free_customer_service",
    category,
  };
};
