import { Type } from "@sinclair/typebox";
import { SENDERS, type SentBy } from "../../../core/conversations/senders.ts";
import { Nullable, OneOf } from "../../../kernel/schema.ts";
import { IDS } from "../fields.ts";

/** The person, key or program behind a message or an act. */
export const SentByView = Type.Unsafe<SentBy>(
  Type.Object(
    {
      kind: OneOf(SENDERS, { title: "SenderKind", description: "The source of the request for the message" }),
      id: Type.String({
        maxLength: 64, // a text with a bound is no UUID: of programs it is empty
        description:
          "The id of the key, person, schedule or batch; of an agent, that of its phone; empty for programs without one",
        examples: [IDS.other],
      }),
      name: Nullable(
        Type.String({
          description: "The name of the sender; null if no name is known",
          examples: ["Padaria Estrela"],
        }),
      ),
    },
    { title: "SentBy" },
  ),
);
