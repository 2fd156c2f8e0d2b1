import type { Rejection } from "../call.ts";
import { GraphError } from "../errors.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import type { PhoneNumber, State } from "../state.ts";
import { MEDIA_KINDS, type MediaKind } from "./kinds.ts";
import { findMedia } from "./store.ts";

/** A file that a message refers to by its id. */
type Reference = { param: string; kind: MediaKind; id: string; isVoice: boolean };

const isKind = (name: string): name is MediaKind => name in MEDIA_KINDS;
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

const referenceOf = (holder: Fields, kind: string, param: string): Reference[] => {
  const { id, voice } = fieldsOf(holder[kind]);
  return isKind(kind) && id !== undefined
    ? [{ param: `${param}['id']`, kind, id: textOf(id), isVoice: voice === true }]
    : [];
};

const inParameters = (components: unknown, param: string): Reference[] =>
  listOf(components).flatMap(({ parameters, cards }, at) => [
    ...listOf(parameters).flatMap((one, index) =>
      referenceOf(one, textOf(one["type"]), `${param}['${at}']['parameters']['${index}']['${textOf(one["type"])}']`),
    ),
    ...listOf(cards).flatMap((card, index) =>
      inParameters(card["components"], `${param}['${at}']['cards']['${index}']['components']`),
    ),
  ]);

/**
 * The places of files in messages: the message itself, the header of an interactive message, the parameters of a
 * template.
 */
const referencesOf = (type: string, content: unknown): Reference[] => {
  if (type === "template") return inParameters(fieldsOf(content)["components"], "template['components']");
  if (type !== "interactive") return referenceOf({ [type]: content }, type, type);
  const header = fieldsOf(fieldsOf(content)["header"]);
  return referenceOf(header, textOf(header["type"]), `interactive['header']['${textOf(header["type"])}']`);
};

/**
 * Throws 100 for the id of a file that is unknown, expired or was uploaded on another number. A file of a wrong type is
 * rejected later, in a `failed` status; a document may have any type. It does not check links.
 */
export const checkReferences = (
  state: State,
  number: PhoneNumber,
  { type, content }: { type: string; content: unknown },
): Rejection | undefined => {
  for (const { param, kind, id, isVoice } of referencesOf(type, content)) {
    const media = findMedia(state, id);
    if (media?.phoneNumberId !== number.seed.phoneNumberId)
      throw new GraphError(100, {
        message: `(#100) Param ${param} is not a valid whatsapp business account media attachment ID`,
      });
    const mimeTypes: readonly string[] = isVoice ? ["audio/ogg"] : MEDIA_KINDS[kind].mimeTypes;
    if (kind !== "document" && !mimeTypes.includes(media.mimeType))
      return {
        code: 131053,
        details: `Unsupported ${kind} mime type ${media.mimeType}. Please use one of ${mimeTypes.join(", ")}.`,
      };
  }
  return undefined;
};
