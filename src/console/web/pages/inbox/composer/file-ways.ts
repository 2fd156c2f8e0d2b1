import type { Limits } from "../../../parts/messages/send-limits.ts";
import type { FileMessage } from "./outgoing.ts";

/** How a file is sent; empty: as it is. A file has one way alone, because apps have no two at once. */
export type FileWay = "" | "standard" | "hd" | "viewOnce" | "videoNote" | "gifPlayback";

/** TABLE: the ways of each type, with the field that a network must declare, and its value. */
const WAYS: Partial<Record<FileMessage, readonly (readonly [way: FileWay, field: string, value: string | true])[]>> = {
  image: [
    ["standard", "quality", "standard"],
    ["hd", "quality", "hd"],
    ["viewOnce", "viewOnce", true],
  ],
  video: [
    ["viewOnce", "viewOnce", true],
    ["videoNote", "videoNote", true],
    ["gifPlayback", "gifPlayback", true],
  ],
};

/** The ways in which a phone's network takes a file that goes out as this type, besides as it is. */
export const fileWays = (limits: Limits, type: FileMessage): FileWay[] => {
  const fields: readonly string[] = limits?.contentLimits.find((limit) => limit.type === type)?.furtherFields ?? [];
  return (WAYS[type] ?? []).flatMap(([way, field]) => (fields.includes(field) ? [way] : []));
};

/** The field of the content that says so; none for a file as it is. */
export const wayField = (type: FileMessage, way: FileWay): Record<string, string | true> =>
  Object.fromEntries((WAYS[type] ?? []).flatMap(([one, field, value]) => (one === way ? [[field, value]] : [])));

/** Whether a text may stand below the file. The text of a sound or of a video note goes out by itself. */
export const hasCaption = (type: FileMessage, way: FileWay): boolean => type !== "audio" && way !== "videoNote";
