import { Type } from "@sinclair/typebox";

/** The votes of each option of a poll, in both APIs. */
export const PollTotals = Type.Array(
  Type.Object(
    {
      option: Type.String({ description: "The text of the option", examples: ["Cenoura"] }),
      votes: Type.Integer({ description: "How many chose it", examples: [3] }),
    },
    { title: "PollTotal" },
  ),
  { description: "How often each option was chosen" },
);
