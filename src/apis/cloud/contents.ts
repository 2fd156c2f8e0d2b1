import type { SendableType } from "../../contract/content/content.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { isRecord, type Json, recordOf } from "../../kernel/texts/json.ts";
import {
  given,
  isOn,
  objectIn,
  optionalField,
  requiredList,
  requiredObject,
  requiredText,
  textIn,
} from "../shared/loose-fields.ts";
import { valuesIn } from "../shared/templates/values.ts";
import { handleOf } from "./ids.ts";
import { interactiveContent } from "./interactive.ts";

/** A message as the core takes it. The core checks the content. */
export type CoreContent = { type: SendableType; content: Json };

type MediaType = "image" | "video" | "audio" | "document" | "sticker";

/**
 * The content of a message in the form of the Cloud API: `{"type":"text","text":{"body":"…"}}`.
 * @throws AppError VALIDATION that names the parameter, or CONTENT_UNSUPPORTED for a type that no phone has
 */
export const contentIn = (body: Json): CoreContent => {
  const type = textIn(body, "type") ?? "text";
  switch (type) {
    case "text":
      return { type, content: { text: requiredText(requiredObject(body, type), "body", "text.body") } };
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return { type, content: fileIn(requiredObject(body, type), type) };
    case "location":
      return { type, content: placeIn(requiredObject(body, type)) };
    case "contacts":
      return { type: "contact", content: { contacts: requiredList(body, type).map(cardIn) } };
    case "interactive":
      return interactiveContent(requiredObject(body, type));
    case "template":
      return { type, content: templateContent(requiredObject(body, type)) };
    default:
      throw new AppError("CONTENT_UNSUPPORTED", { message: `A phone does not send messages of the type ${type}.` });
  }
};

/** A template by its name, with the values of its parts. The core checks the values. */
const templateContent = (template: Json): Json => {
  const language = requiredObject(template, "language", "template.language");
  return {
    name: requiredText(template, "name", "template.name"),
    language: requiredText(language, "code", "template.language.code"),
    ...valuesIn(template, { path: "template.components", handleOf }),
  };
};

/** The file of a message: Recado fetches `link`; `id` is that of an upload. */
const fileIn = (file: Json, type: MediaType): Json => {
  const [id, link] = [textIn(file, "id", `${type}.id`), textIn(file, "link", `${type}.link`)];
  if (id === undefined && link === undefined)
    throw invalid(issue(`${type}.link`, "required", "one of link and id is required"));
  return {
    ...(id === undefined ? { mediaUrl: link } : { mediaHandle: handleOf(id, `${type}.id`) }),
    ...given({
      caption: type === "audio" || type === "sticker" ? undefined : textIn(file, "caption", `${type}.caption`),
      filename: type === "document" ? textIn(file, "filename", `${type}.filename`) : undefined,
      ptt: type === "audio" && isOn(file, "voice") ? true : undefined,
    }),
  };
};

/** Coordinates are numbers, or texts of numbers. */
const numberIn = (of: Json, name: string, path: string): number => {
  const value = optionalField(of, name);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw invalid(issue(path, value === undefined ? "required" : "type", "must be a number"));
};

const placeIn = (place: Json): Json => ({
  latitude: numberIn(place, "latitude", "location.latitude"),
  longitude: numberIn(place, "longitude", "location.longitude"),
  ...given({ name: textIn(place, "name", "location.name"), address: textIn(place, "address", "location.address") }),
});

/** A card has one number and one address: the first ones. */
const cardIn = (card: unknown, at: number): Json => {
  const path = `contacts.${at}`;
  if (!isRecord(card)) throw invalid(issue(path, "type", "must be an object"));
  const name = requiredText(
    requiredObject(card, "name", `${path}.name`),
    "formatted_name",
    `${path}.name.formatted_name`,
  );
  const [phone] = requiredList(card, "phones", `${path}.phones`);
  const email = textIn(recordOf(listIn(card, "emails")[0]), "email", `${path}.emails.0.email`);
  return { name, phone: requiredText(recordOf(phone), "phone", `${path}.phones.0.phone`), ...given({ email }) };
};

const listIn = (of: Json, name: string): readonly unknown[] => {
  const value = optionalField(of, name);
  return Array.isArray(value) ? value : [];
};

/** The message that this one answers, by its id in this API. `context` may be null. */
export const contextIn = (body: Json): string | undefined => {
  const context = objectIn(body, "context");
  return context && textIn(context, "message_id", "context.message_id");
};
