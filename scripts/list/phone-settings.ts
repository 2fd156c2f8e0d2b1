import { anyTimeSettings, PHONE_SETTINGS, type PhoneSetting } from "../../src/core/channels/settings/phone-settings.ts";
import { onEmptyDatabase } from "../../src/description.ts";
import { FIELD_TEXT } from "../../src/kernel/schema.ts";

type Described = { description?: string; [FIELD_TEXT]?: { description?: string } };

const meaningOf = ({ description = "", [FIELD_TEXT]: text }: Described): string => text?.description ?? description;

/** The rows of `npm run list -- phone-settings`, with the names of their columns before them. */
export const phoneSettingRows = (): Promise<string[][]> =>
  onEmptyDatabase(async ({ registry: { adapters } }) => {
    const atCreation = Object.entries<PhoneSetting>(PHONE_SETTINGS).filter(([, one]) => one.takenAt === "creation");
    return [
      ["setting", "phones", "taken", "meaning"],
      ...atCreation.map(([name, { schema, isOf }]) => {
        const kinds = adapters.filter(({ network }) => isOf(network)).map(({ kind }) => kind);
        return [name, kinds.join(" "), "at creation", meaningOf(schema)];
      }),
      ...adapters.flatMap((adapter) =>
        Object.entries<Described>(anyTimeSettings(adapter)).map(([name, schema]) => {
          return [name, adapter.kind, "any time", meaningOf(schema)];
        }),
      ),
    ];
  });
