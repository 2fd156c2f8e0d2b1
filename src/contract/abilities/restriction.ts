import { Type } from "@sinclair/typebox";
import { Nullable, OneOf, Text } from "../../kernel/schema.ts";

/** What an account may still do: answer people who wrote first, or nothing. */
export const ALLOWANCES = ["replies", "none"] as const;

/**
 * A temporary restriction of an account by its network. `reason` is one word, which may be a word of the network that
 * Recado does not know. `until` is in milliseconds; null if the network names no end. `text` is the network's message
 * to the owner.
 */
export type Restriction = {
  reason: string;
  until: number | null;
  allows: (typeof ALLOWANCES)[number];
  text?: string;
};

/** The shape of a restriction in a link's report. */
export const RestrictionShape = Type.Object({
  reason: Text(1, 100),
  until: Nullable(Type.Number({ minimum: 0, maximum: 8_640_000_000_000_000 })),
  allows: OneOf(ALLOWANCES),
  text: Type.Optional(Text(0, 1024)),
});
