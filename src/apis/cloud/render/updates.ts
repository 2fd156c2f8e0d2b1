import type { DomainEvent } from "../../../core/domain-event.ts";
import type { EventContext } from "../../../core/messaging/receiving/event-context.ts";
import { templateIdOf } from "../ids.ts";
import { type Change, secondsOf } from "./envelope.ts";

type TemplateChanged = Extract<DomainEvent, { type: "template.changed" }>;
type Restricted = Extract<DomainEvent, { type: "channel.restricted" }>;
type Disconnected = Extract<DomainEvent, { type: "channel.disconnected" }>;

export const templateChange = (changed: TemplateChanged): Change => ({
  field: "message_template_status_update",
  value: {
    event: changed.status,
    message_template_id: templateIdOf(changed.templateId),
    message_template_name: changed.name,
    message_template_language: changed.language,
    message_template_category: changed.category,
    reason: changed.rejectionReason ?? "NONE",
  },
});

const accountChange = ({ phoneNumber }: EventContext, event: string, more: object): Change => ({
  field: "account_update",
  value: { ...(phoneNumber === null ? {} : { phone_number: phoneNumber }), event, ...more },
});

/** The network's words for an account that may only answer, and for an account that may not write at all. */
const RESTRICTION = {
  replies: "RESTRICTED_BIZ_INITIATED_MESSAGING",
  none: "RESTRICTED_CUSTOMER_INITIATED_MESSAGING",
} as const;

export const restrictedChange = ({ allows, until }: Restricted, context: EventContext): Change =>
  accountChange(context, "ACCOUNT_RESTRICTION", {
    restriction_info: [
      { restriction_type: RESTRICTION[allows], ...(until === null ? {} : { expiration: Number(secondsOf(until)) }) },
    ],
  });

/** The reasons that end a connection for good. An outage does not: the phone connects again by itself. */
export const isEnd = ({ reason }: Disconnected): boolean => reason === "BANNED" || reason === "LOGGED_OUT";

export const endedChange = ({ reason }: Disconnected, context: EventContext): Change =>
  reason === "BANNED"
    ? accountChange(context, "DISABLED_UPDATE", { ban_info: { waba_ban_state: "DISABLE" } })
    : accountChange(context, "PARTNER_REMOVED", { disconnection_info: { reason, initiated_by: "USER" } });
