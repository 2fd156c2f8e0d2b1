import type { Fields } from "../shape.ts";
import type { State } from "../state.ts";
import { envelopeOfChanges } from "../values.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";
import type { Template, TemplateStatus } from "./model.ts";

/** Graph's reports about a template, and the status that follows; FLAGGED and LOCKED leave it unchanged. */
const STATUS_OF = {
  APPROVED: "APPROVED",
  REJECTED: "REJECTED",
  PENDING: "PENDING",
  PAUSED: "PAUSED",
  DISABLED: "DISABLED",
  FLAGGED: undefined,
  IN_APPEAL: "IN_APPEAL",
  REINSTATED: "APPROVED",
  LOCKED: undefined,
  LIMIT_EXCEEDED: "LIMIT_EXCEEDED",
  PENDING_DELETION: "PENDING_DELETION",
  DELETED: "DELETED",
  ARCHIVED: "ARCHIVED",
  UNARCHIVED: "APPROVED",
} as const satisfies Record<string, TemplateStatus | undefined>;

export type TemplateEvent = keyof typeof STATUS_OF;
export const TEMPLATE_EVENTS = Object.keys(STATUS_OF) as TemplateEvent[];

/**
 * `reason`: of a rejection, default INVALID_FORMAT then and NONE otherwise. `more`: further fields of the webhook, such
 * as `rejection_info` and `other_info`.
 */
export type ReviewOptions = { reason?: string; more?: Fields };

/** Gives a template the status of the event and posts `message_template_status_update`. Throws for an unknown id. */
export const reviewTemplate =
  (state: State, webhooks: Webhooks) =>
  (
    id: string,
    event: TemplateEvent,
    { reason = event === "REJECTED" ? "INVALID_FORMAT" : "NONE", more = {} }: ReviewOptions = {},
  ): Promise<Delivery> => {
    const template = state.templates.get(id);
    if (!template) throw new Error(`there is no template ${id}`);
    template.status = STATUS_OF[event] ?? template.status;
    template.rejectedReason = event === "REJECTED" ? reason : "NONE";
    const { businessAccountId } = template;
    const value = { ...changeOf(template, event), reason, ...DETAILS[event], ...more };
    return webhooks.send(
      envelopeOfChanges([{ businessAccountId, field: "message_template_status_update", value }], "changes"),
      { businessAccountId },
    );
  };

/** Here the id is a number, and the language is written with a hyphen. */
const changeOf = ({ id, name, language, category }: Template, event: TemplateEvent): Fields => ({
  event,
  message_template_id: Number(id),
  message_template_name: name,
  message_template_language: language.replace("_", "-"),
  message_template_category: category,
});

const DETAILS: Partial<Record<TemplateEvent, Fields>> = {
  PAUSED: {
    other_info: { title: "FIRST_PAUSE", description: "Your WhatsApp message template has been paused for 3 hours." },
  },
  DISABLED: { disable_info: { disable_date: 1_751_247_548 } },
};

/** Ends the review of a template as the settings say, unless it has ended or the template is gone. */
export const reviewLater = (state: State, webhooks: Webhooks, template: Template): void => {
  const { templateReview: end, templateReviewMs: waitMs } = state.settings;
  if (end === "off") return;
  const review = async () => {
    if (waitMs > 0) await webhooks.pause(waitMs);
    if (template.status === "PENDING" && state.templates.has(template.id))
      await reviewTemplate(state, webhooks)(template.id, end);
  };
  void webhooks.track(review());
};
