import { Type } from "@sinclair/typebox";
import { Nullable } from "../../../../kernel/schema.ts";

/** How often a post of a newsletter was seen. */
export const NewsletterViews = Nullable(
  Type.Integer({ description: "How often it was seen; null if the network did not report it", examples: [1840] }),
);

/** The reactions to a post of a newsletter, without the people who gave them. */
export const NewsletterReactionCounts = Type.Array(
  Type.Object(
    {
      emoji: Type.String({ description: "The emoji of the reaction", examples: ["❤️"] }),
      count: Type.Integer({ description: "How many people reacted with it", examples: [12] }),
    },
    { title: "NewsletterReactionCount" },
  ),
  { description: "The reactions, counted by emoji; the network names nobody" },
);
