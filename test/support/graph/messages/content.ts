import { type TSchema, Type } from "@sinclair/typebox";
import { Text } from "../../../../src/kernel/schema.ts";
import { badParameter, badValue, GraphError, missing } from "../errors.ts";
import { checked, type Fields, fieldsOf, textOf } from "../shape.ts";
import type { Settings } from "../state.ts";
import { checkInteractive } from "./interactive.ts";
import { checkSource } from "./source.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;

const source = { id: optional(Type.String({ pattern: "^\\d{1,40}$" })), link: optional(Text(1, 2048)) };
const caption = optional(Text(0, 1024));
const Degrees = Type.Union([Type.Number(), Type.String({ pattern: "^-?\\d{1,3}(\\.\\d+)?$" })]);
const Wamid = Type.String({ pattern: "^wamid\\..+" });

const texts = (...names: string[]): Record<string, TSchema> =>
  Object.fromEntries(names.map((name) => [name, optional(Text(0, 1000))]));

const Contact = Type.Object(
  {
    name: Type.Object(
      { formatted_name: Text(1, 1000), ...texts("first_name", "last_name", "middle_name", "suffix", "prefix") },
      strict,
    ),
    phones: optional(
      Type.Array(
        Type.Object(
          { phone: optional(Text(1, 40)), type: optional(Text(0, 40)), wa_id: optional(Text(1, 40)) },
          strict,
        ),
      ),
    ),
    emails: optional(Type.Array(Type.Object({ email: Text(1, 320), type: optional(Text(0, 40)) }, strict))),
    addresses: optional(
      Type.Array(Type.Object(texts("street", "city", "state", "zip", "country", "country_code", "type"), strict)),
    ),
    org: optional(Type.Object(texts("company", "department", "title"), strict)),
    urls: optional(Type.Array(Type.Object({ url: Text(1, 2048), type: optional(Text(0, 40)) }, strict))),
    birthday: optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
  },
  strict,
);

/** The fields of each type's object. Other files check `interactive` and `template`. */
const SCHEMAS: Record<string, TSchema> = {
  text: Type.Object({ body: Text(1, 4096), preview_url: optional(Type.Boolean()) }, strict),
  image: Type.Object({ ...source, caption }, strict),
  video: Type.Object({ ...source, caption }, strict),
  audio: Type.Object({ ...source, voice: optional(Type.Boolean()) }, strict),
  document: Type.Object({ ...source, caption, filename: optional(Text(1, 1000)) }, strict),
  sticker: Type.Object({ ...source }, strict),
  location: Type.Object(
    { latitude: Degrees, longitude: Degrees, name: optional(Text(0, 1000)), address: optional(Text(0, 1000)) },
    strict,
  ),
  contacts: Type.Array(Contact, { minItems: 1 }),
  reaction: Type.Object({ message_id: Wamid, emoji: Text(0, 16) }, strict),
};

const MEDIA_TYPES = ["image", "video", "audio", "document", "sticker"];
const TYPES = [...Object.keys(SCHEMAS), "interactive", "template", "pin"];

/**
 * The type of a message and its object. Throws Graph's error for a wrong type or content. It checks only the outside of
 * templates.
 */
export const contentOf = (body: Fields, settings: Settings): { type: string; content: unknown } => {
  const type = body["type"] ?? "text";
  if (typeof type !== "string" || !TYPES.includes(type))
    throw badParameter(`Param type must be one of {${TYPES.join(", ").toUpperCase()}} - got "${textOf(type)}".`);
  const content = body[type];
  if (content === undefined || content === null)
    throw new GraphError(131008, { details: `Parameter '${type}' is mandatory for type '${type}'` });
  if (type === "pin") throw badValue("Messages can be pinned in groups only.");
  if (type === "interactive") checkInteractive(content, settings);
  else checkContent(type, content);
  return { type, content };
};

const checkContent = (type: string, content: unknown): void => {
  const schema = SCHEMAS[type];
  if (schema) checked(schema, content, type);
  if (MEDIA_TYPES.includes(type)) checkSource(fieldsOf(content), type);
  if (type === "location") checkPlace(fieldsOf(content));
  if (type === "contacts" && Array.isArray(content)) content.forEach(checkName);
};

const checkPlace = ({ latitude, longitude }: Fields): void => {
  if (Math.abs(Number(latitude)) > 90) throw badValue("Param location['latitude'] must be between -90 and 90.");
  if (Math.abs(Number(longitude)) > 180) throw badValue("Param location['longitude'] must be between -180 and 180.");
};

/** A formatted name alone is not enough: one of its parts must stand beside it. */
const checkName = (contact: unknown, index: number): void => {
  if (Object.keys(fieldsOf(fieldsOf(contact)["name"])).length < 2)
    throw missing(`contacts['${index}']['name']['first_name']`);
};
