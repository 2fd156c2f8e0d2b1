import type { NewsletterEvents } from "../../../../core/events/definitions/newsletters.ts";
import { iso } from "../../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant } from "../../instants.ts";
import { NewsletterReactionCounts, NewsletterViews } from "../event-schemas/newsletters.ts";
import { Id, shape, TextOrNull, text } from "../event-schemas/parts.ts";
import { event, type GatewayEvents } from "./definition.ts";

const NewsletterId = described(text, "The network's id of the newsletter", "120363000000000001");

const NewsletterChange = shape("NewsletterChange", {
  newsletterId: NewsletterId,
  change: OneOf(["followed", "unfollowed", "muted", "unmuted", "updated", "deleted"], {
    title: "NewsletterChangeType",
    description: "What happened to it",
    examples: ["followed"],
  }),
  timestamp: described(Instant, "When it happened"),
  name: described(TextOrNull, "Its name; null if the network did not report it", "Padaria Estrela"),
  description: described(TextOrNull, "Its description; null if the network did not report it", "Novidades da padaria"),
});

const NewsletterCountsData = shape("NewsletterPostCounts", {
  newsletterId: NewsletterId,
  serverId: described(text, "The number of the post in its newsletter", "107"),
  messageId: described(Nullable(Id), "The post, if it was sent from here; else null", IDS.message),
  timestamp: described(Instant, "When the network counted"),
  views: NewsletterViews,
  reactions: NewsletterReactionCounts,
});

/** Newsletters, which WhatsApp calls channels. */
export const NEWSLETTERS = {
  "newsletter.changed": {
    "newsletter:changed": event({
      when:
        "The phone follows a newsletter from now on, or no longer, muted it or unmuted it; or a newsletter " +
        "changed or was deleted. Sent for acts of the owner's app too.",
      of: "sessions",
      data: NewsletterChange,
      mayBeCut: true,
      render: ({ newsletterId, change, at, name, description }) => ({
        newsletterId,
        change,
        timestamp: iso(at),
        name,
        description,
      }),
    }),
  },
  "newsletter.counts": {
    "newsletter:counts": event({
      when:
        "The views or reactions of a newsletter's post changed. Sent for some minutes after " +
        "`POST /v1/newsletters/{id}/live-updates`.",
      of: "sessions",
      data: NewsletterCountsData,
      mayBeCut: false,
      render: ({ newsletterId, serverId, messageId, at, views, reactions }) => ({
        newsletterId,
        serverId,
        messageId,
        timestamp: iso(at),
        views,
        reactions: [...reactions],
      }),
    }),
  },
} satisfies GatewayEvents<NewsletterEvents>;
