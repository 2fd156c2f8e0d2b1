import { Type } from "@sinclair/typebox";
import { Nullable } from "../../kernel/schema.ts";

/** A time of an answer or event. In a file of its own, because the schemas of routes list the events. */
export const Instant = Type.String({ format: "date-time" });
export const InstantOrNull = Nullable(Instant);
