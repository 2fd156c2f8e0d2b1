import { Type } from "@sinclair/typebox";
import type { PhoneFields } from "../../src/contract/kind.ts";

/** The fields of a session in the gateway API beside the common ones. */
export const PHONE_FIELDS: PhoneFields = {
  schema: {
    proxy: Type.Optional(
      Type.String({
        description: "The proxy that a session connects through, without its user and password",
        examples: ["socks5://proxy.example:1080"],
      }),
    ),
  },
  of: ({ profile }) => (typeof profile["proxy"] === "string" ? { proxy: profile["proxy"] } : {}),
};
