/**
 * Fields of common contents that few networks have. A client may send them if the channel's kind declares them for the
 * type of the content (`capabilities.furtherFields`).
 */
export const FURTHER_FIELDS = [
  "viewOnce",
  "videoNote",
  "gifPlayback",
  "thumbnail",
  "mentions",
  "linkPreview",
  "quality",
] as const;
export type FurtherField = (typeof FURTHER_FIELDS)[number];

/** A field that is off asks for nothing: clients write their defaults. */
const isOff = (value: unknown): boolean =>
  value === undefined || value === false || (Array.isArray(value) && value.length === 0);

/** The content without further fields that are null: clients write null for a field that they do not use. */
export const withoutNulls = (content: object): object =>
  Object.fromEntries(
    Object.entries(content).filter(
      ([name, value]) => value !== null || !(FURTHER_FIELDS as readonly string[]).includes(name),
    ),
  );

/** The further fields that a content asks for. */
export const furtherFieldsIn = (content: object): FurtherField[] =>
  FURTHER_FIELDS.filter((field) => !isOff((content as Partial<Record<FurtherField, unknown>>)[field]));
