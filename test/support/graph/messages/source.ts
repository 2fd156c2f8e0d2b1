import { badParameter, badValue, GraphError } from "../errors.ts";
import type { Fields } from "../shape.ts";

/** Throws unless the media comes from exactly one of `id` and `link`, and the link can be fetched. */
export const checkSource = ({ id, link }: Fields, param: string): void => {
  if (id === undefined && link === undefined)
    throw new GraphError(131008, { details: `Param ${param} must have either id or link.` });
  if (id !== undefined && link !== undefined) throw badValue(`Param ${param} can have only one of id and link.`);
  if (link === undefined) return;
  const isUrl = typeof link === "string" && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
  if (!isUrl) throw badParameter(`Param ${param}['link'] is not a valid URI.`);
};
