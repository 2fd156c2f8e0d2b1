import { takesIds } from "../../../core/channels/channel.ts";
import type { Registry } from "../../../core/channels/links/registry.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issuesOf, Text } from "../../../kernel/schema.ts";
import type { Principal } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { Addressee } from "../schemas.ts";
import { hiddenKinds } from "../words.ts";

const LONGEST_ID = 140;
const Anybody = Text(
  1,
  LONGEST_ID,
  "must be a number, as `5511999990001` or `+55 11 99999-0001`, `98765432@lid`, or an id of the channel's own network",
);

/** Whether a network of this API names people by its own ids. */
const hasIds = (registry: Registry): boolean => {
  const hidden = hiddenKinds(registry);
  return registry.adapters.some(({ kind, network }) => network.recipients === "ids" && !hidden.includes(kind));
};

/**
 * The schema of `to`: a number or the address of a person without a number, unless a network of this API names people
 * by other ids.
 */
export const recipientSchema = (registry: Registry) => (hasIds(registry) ? Anybody : Addressee);

/**
 * Refuses a recipient that is not a number on a channel whose network names people by numbers. Does not check whether
 * the channel exists.
 *
 * @throws AppError VALIDATION.
 */
export const checkRecipient = async (
  env: PlatformEnv,
  principal: Principal,
  { channelId, to }: { channelId: string; to: string },
): Promise<void> => {
  if (!hasIds(env.registry) || (await takesIds(env, principal, channelId)) !== false) return;
  const issues = issuesOf(Addressee, to, "to");
  if (issues.length > 0) throw invalid(...issues);
};
