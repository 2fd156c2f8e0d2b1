import type { ChannelPlugin } from "../../../contract/plugin.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, issuesOf } from "../../../kernel/schema.ts";

/** What a client says of one send beside its content, by the names that the kind declares. */
export type SendOptions = Readonly<Record<string, string>>;

/** How much of an unknown name a refusal repeats. */
const LONGEST_NAME = 64;

/**
 * Refuses options that the kind of the channel does not have, or with values of another form.
 * @throws AppError VALIDATION
 */
export const checkOptions = ({ options }: Pick<ChannelPlugin, "options">, given: SendOptions = {}): void => {
  const names = Object.keys((options?.["properties"] ?? {}) as object);
  const known = names.length === 0 ? "a phone of this kind has none" : `a phone of this kind has ${names.join(", ")}`;
  const unknown = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) =>
      issue(`sendOptions.${name.slice(0, LONGEST_NAME)}`, "forbidden", `is not an option of a send; ${known}`),
    );
  const issues = [...unknown, ...(options ? issuesOf(options, given, "sendOptions") : [])];
  if (issues.length > 0) throw invalid(...issues);
};
