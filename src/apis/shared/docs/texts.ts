import { Type } from "@sinclair/typebox";
import { Text } from "../../../kernel/schema.ts";
import { describedAs } from "../description/json-schema.ts";

// Constraints that the core checks beyond these schemas, with its own messages. The description states them.

/** A user's e-mail address. The core trims it and checks its form. */
export const UserEmail = Type.Unsafe<string>({ ...Text(1, 254), ...describedAs({ format: "email" }) });

/** A text of `min` to `max` code points that the core refuses when it is blank. */
export const FilledText = (min: number, max: number) =>
  Type.Unsafe<string>({ ...Text(min, max), ...describedAs({ pattern: "\\S" }) });
