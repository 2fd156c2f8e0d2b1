import { Type } from "@sinclair/typebox";
import type { PhoneFields } from "../../src/contract/kind.ts";

/** The fields of a session in the gateway API beside the common ones. */
export const PHONE_FIELDS: PhoneFields = {
  schema: {
    lid: Type.Optional(
      Type.String({
        description: "The account's own hidden id, by which groups mention it; absent before it is known",
        examples: ["98765432@lid"],
      }),
    ),
    proxy: Type.Optional(
      Type.String({
        description: "The proxy that a session connects through, without its user and password",
        examples: ["socks5://proxy.example:1080"],
      }),
    ),
  },
  of: ({ profile: { proxy, lid } }) => ({
    ...(typeof lid === "string" ? { lid } : {}),
    ...(typeof proxy === "string" ? { proxy } : {}),
  }),
};
