/**
 * Fields of common contents that few networks have. A client may send them if the channel's kind declares them for the
 * type of the content (`capabilities.furtherFields`).
 */
export const FURTHER_FIELDS = ["viewOnce", "videoNote", "gifPlayback", "thumbnail", "mentions"] as const;
export type FurtherField = (typeof FURTHER_FIELDS)[number];

/** The further fields that a content has, whatever their values. */
export const furtherFieldsIn = (content: object): FurtherField[] => FURTHER_FIELDS.filter((field) => field in content);
