import { type TSchema, Type } from "@sinclair/typebox";
import { OPT_OUT_SOURCES } from "../../core/conversations/opt-outs.ts";
import { described, OneOf } from "../../kernel/schema.ts";
import { describedAs } from "./description/json-schema.ts";

/** Fields that many objects have, each with its text. Every other field has its text in its own place. */

/** Ids of examples: the same thing has the same id in all of them. */
export const IDS = {
  account: "019a1b2c-0000-4a10-8b20-c30d40e50f01",
  phone: "019a1b2c-1111-4a11-8b21-c31d41e51f01",
  message: "019a1b2c-2222-4a12-8b22-c32d42e52f01",
  contact: "019a1b2c-3333-4a13-8b23-c33d43e53f01",
  conversation: "019a1b2c-4444-4a14-8b24-c34d44e54f01",
  webhook: "019a1b2c-5555-4a15-8b25-c35d45e55f01",
  batch: "019a1b2c-6666-4a16-8b26-c36d46e56f01",
  user: "019a1b2c-7777-4a17-8b27-c37d47e57f01",
  institution: "019a1b2c-8888-4a18-8b28-c38d48e58f01",
  invitation: "019a1b2c-9999-4a19-8b29-c39d49e59f01",
  task: "019a1b2c-aaaa-4a1a-8b2a-c3ad4ae5af01",
  event: "019a1b2c-bbbb-4a1b-8b2b-c3bd4be5bf01",
  call: "019a1b2c-cccc-4a1c-8b2c-c3cd4ce5cf01",
  other: "019a1b2c-3d4e-4f50-8a61-b2c3d4e5f601",
} as const;

/** An id that this server made. `of`: what it names, for the example. */
export const Id = (description: string, of: keyof typeof IDS = "other") =>
  Type.String({ ...describedAs({ format: "uuid" }), description, examples: [IDS[of]] });

/** The time at which a thing was created here. `of`: its noun, as the sentence has it. */
export const CreatedAt = (of: string) =>
  Type.String({ format: "date-time", description: `When the ${of} was created` });

/** What recorded an opt-out, in both APIs. */
export const OPT_OUT_BY =
  "What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the console";

/** The opt-out of a contact, in both APIs. */
export const OPT_OUT_FIELDS = {
  optedOutAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description: "Since when the person wants no messages but answers; null if they want all",
  }),
  optedOutBy: Type.Union([OneOf(OPT_OUT_SOURCES), Type.Null()], {
    description: `${OPT_OUT_BY}; null without an opt-out`,
  }),
};

/** The filter of lists of contacts. */
export const OptedOutFilter = OneOf(["true", "false"], {
  description: "Only contacts who opted out, or only those who did not",
});

/** The field of a send that answers. */
export const IsAnswer = Type.Boolean({
  description:
    "Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the " +
    "person is an answer too.",
});

/** The beginning of a list's page. `schema`: the cursors that the list takes. */
export const Cursor = <Schema extends TSchema>(schema: Schema): Schema =>
  described(schema, "The `nextCursor` of the page before; absent for the first", IDS.other);

/** The largest number of items of a page. */
export const limitText = (maximum: number, fallback: number): string =>
  `How many at most; ${fallback} by default, up to ${maximum.toLocaleString("en")}`;

/** The prefix of the names under which a route's `detail` holds the parameters of its path. */
export const IN_PATH = "x-path-";

/**
 * The parameters of the paths of a plugin's routes, for the documentation: `detail: inPath({ id: Id("…") })`. A plugin
 * and its routes never both state one name: Elysia would merge the second into the first.
 */
export const inPath = (parameters: Readonly<Record<string, TSchema>>): object =>
  Object.fromEntries(Object.entries(parameters).map(([name, schema]) => [IN_PATH + name, schema]));
