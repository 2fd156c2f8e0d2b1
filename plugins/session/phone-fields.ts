import { Type } from "@sinclair/typebox";
import type { PhoneFields } from "../../src/contract/kind.ts";
import { Nullable } from "../../src/kernel/schema.ts";

/** What the gateway API shows of a session beside the common fields. */
export const PHONE_FIELDS: PhoneFields = {
  schema: {
    proxy: Type.Optional(
      Nullable(
        Type.String({
          description: "The proxy that a session connects through, without its user and password; null without one",
        }),
      ),
    ),
  },
  of: ({ profile }) => ({ proxy: typeof profile["proxy"] === "string" ? profile["proxy"] : null }),
};
