import { type Static, Type } from "@sinclair/typebox";
import { CONTENT } from "../../contract/content/content.ts";
import type { FallbackInput } from "../../core/messaging/fallback/fallback-input.ts";
import { FALLBACK_REASONS } from "../../core/messaging/read.ts";
import { described, OneOf } from "../../kernel/schema.ts";

const LONGEST_MINUTES = 1440;

export const FallbackReason = OneOf(FALLBACK_REASONS, { title: "FallbackReason" });

/** Why the template of a fallback could not be sent. */
export const FallbackRefusal = Type.Object(
  {
    code: Type.String({ description: "An error code of this API", examples: ["TEMPLATE_NOT_FOUND"] }),
    message: Type.String({ description: "The same in words", examples: ["Vocês abrem no domingo?"] }),
  },
  { title: "FallbackRefusal" },
);

/** The fields of a fallback besides its phone. */
export const FALLBACK_TERMS = {
  template: described(CONTENT.template, "An approved template of the other phone"),
  afterMinutes: Type.Integer({
    minimum: 1,
    maximum: LONGEST_MINUTES,
    description: "How many minutes the first phone has",
    examples: [10],
  }),
  when: Type.Optional(
    Type.Array(FallbackReason, {
      minItems: 1,
      maxItems: FALLBACK_REASONS.length,
      description: "The cases in which the second way is used; all by default",
      examples: [["lost", "restricted"]],
    }),
  ),
  mayArriveTwice: Type.Optional(
    Type.Boolean({
      description: "True: the template is sent even if the message may have arrived; false by default",
      examples: [false],
    }),
  ),
};
const Terms = Type.Object(FALLBACK_TERMS);

/** The fallback of a body, as the core takes it. */
export const fallbackInput = (
  channelId: string,
  { template, afterMinutes, when, mayArriveTwice }: Static<typeof Terms>,
): FallbackInput => ({
  channelId,
  template,
  afterMinutes,
  reasons: when ?? FALLBACK_REASONS,
  mayArriveTwice: mayArriveTwice ?? false,
});

/** The reverse, for a stored fallback. */
export const fallbackTerms = ({ template, afterMinutes, reasons, mayArriveTwice }: FallbackInput) => ({
  template,
  afterMinutes,
  when: [...reasons],
  mayArriveTwice,
});
