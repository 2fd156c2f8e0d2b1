import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import type { Registry } from "../../../core/channels/links/registry.ts";
import { AnyText, described, FIELD_TEXT } from "../../../kernel/schema.ts";
import { describedAs } from "../description/json-schema.ts";

type Adapters = Pick<Registry, "adapters">;

/** The adapters whose channels a client creates by kind: all except those that need the owner's consent by OAuth. */
export const creatable = ({ adapters }: Adapters): ChannelPlugin[] =>
  adapters.filter(({ oauth, credentials }) => !oauth || credentials);

const propertiesOf = (schema: TSchema | undefined): Record<string, TSchema> =>
  (schema?.["properties"] ?? {}) as Record<string, TSchema>;

/**
 * The credentials of any kind of channel: the fields of all adapters, none of them required. The core checks them by
 * the schema of the kind's adapter.
 */
export const credentialsOf = (registry: Adapters) => {
  const fields: TProperties = {};
  for (const { credentials, kind } of creatable(registry))
    for (const [name, { title, [FIELD_TEXT]: text }] of Object.entries(propertiesOf(credentials)))
      fields[name] ??= Type.Optional({
        ...AnyText(),
        ...(title === undefined ? {} : { description: `${kind}: ${title}` }),
        ...(text === undefined ? {} : { [FIELD_TEXT]: text as object }),
      });
  // a program that was made from the description of another server may name fields of an adapter of this one
  const open = describedAs({ additionalProperties: { type: "string" } });
  return Type.Unsafe<Record<string, string>>({ ...Type.Object(fields), ...open });
};

/** The body of a request that replaces the credentials of a channel. */
export const credentialsBody = (registry: Adapters) =>
  Type.Object({
    credentials: described(credentialsOf(registry), "All credentials of its kind: one that is missing is removed", {
      phoneNumberId: "5647382910",
      businessAccountId: "1029384756",
      accessToken: "EAAGexemplo",
    }),
  });
