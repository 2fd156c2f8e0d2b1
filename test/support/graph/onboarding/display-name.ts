import type { State } from "../state.ts";
import { envelopeOfChanges } from "../values.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";
import { digitsOf } from "./content.ts";
import type { NameDecision } from "./seeds.ts";

const STATUSES = {
  APPROVED: "APPROVED",
  REJECTED: "DECLINED",
  DEFERRED: "PENDING_REVIEW",
  PENDING: "PENDING_REVIEW",
} as const;

/** Decides on the requested display name, and reports it. @throws when none was requested. */
export const decideName = async (
  state: State,
  webhooks: Webhooks,
  { phoneNumberId, decision, reason = "UNKNOWN" }: NameDecision,
): Promise<Delivery> => {
  const number = state.numbers.get(phoneNumberId);
  if (!number?.nameRequest) throw new Error(`nobody asked for a new name of ${phoneNumberId}`);
  const { name } = number.nameRequest;
  const { businessAccountId } = number.seed;
  number.nameRequest = { name, status: STATUSES[decision] };
  if (decision === "APPROVED") number.verifiedName = name;
  const rejection = decision === "REJECTED" ? reason : null;
  const value = {
    display_phone_number: digitsOf(number),
    decision,
    requested_verified_name: name,
    rejection_reason: rejection,
  };
  return webhooks.send(
    envelopeOfChanges(
      [{ businessAccountId, field: "phone_number_name_update", value, at: state.clock.now() }],
      "one-change",
    ),
    { businessAccountId },
  );
};
