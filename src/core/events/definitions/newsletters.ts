import type { NewsletterCounts } from "../../../contract/abilities/newsletters.ts";
import type { NewsletterChanged } from "../../../contract/events.ts";
import type { MessageId } from "../../../kernel/ids.ts";
import { type Definitions, type Ordering, TO_ACCOUNTS } from "./definition.ts";
import { AT, MESSAGE_ID } from "./samples.ts";

export type NewsletterEvents = {
  /** `name` and `description` are null if the network did not report them. */
  "newsletter.changed": {
    newsletterId: string;
    at: number;
    change: NewsletterChanged["what"];
    name: string | null;
    description: string | null;
  };
  /** `messageId`: the post, if it was sent from here. */
  "newsletter.counts": NewsletterCounts & {
    newsletterId: string;
    at: number;
    serverId: string;
    messageId: MessageId | null;
  };
};

const NEWSLETTER = { newsletterId: "120363000000000001", at: AT };
const BY_NEWSLETTER: Ordering<{ newsletterId: string }> = {
  by: "newsletter",
  keyOf: ({ newsletterId }) => `newsletter:${newsletterId}`,
};
const OF_NEWSLETTER = { ordering: BY_NEWSLETTER, direction: null, publishedTo: TO_ACCOUNTS } as const;

export const NEWSLETTER_EVENTS = {
  "newsletter.changed": {
    ...OF_NEWSLETTER,
    samples: [{ ...NEWSLETTER, change: "followed", name: "Padaria Estrela", description: null }],
  },
  "newsletter.counts": {
    ...OF_NEWSLETTER,
    samples: [
      {
        ...NEWSLETTER,
        serverId: "107",
        messageId: MESSAGE_ID,
        views: 1840,
        reactions: [{ emoji: "❤️", count: 12 }],
      },
    ],
  },
} satisfies Definitions<NewsletterEvents>;
