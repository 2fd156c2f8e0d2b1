import type { EntriesApi, EntryApi, IceBreakers, Menu } from "../../../contract/abilities/entries.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireValue } from "../links/upstream.ts";

/** The entries into a conversation: questions and a menu. */
type Entries = { iceBreakers: IceBreakers; menu: Menu };
type Which = keyof Entries;

/** @throws AppError CHANNEL_NOT_FOUND, and OPERATION_UNSUPPORTED for a kind without them. */
const entryOf = async <Name extends Which>(
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  which: Name,
): Promise<EntryApi<Entries[Name]>> => {
  const channel = await getChannel(env, scope, id);
  const api: EntriesApi | undefined = env.supervisor.linkOf(channel, "live")?.entries;
  if (!api)
    throw new AppError("OPERATION_UNSUPPORTED", {
      message: "A channel of this kind offers neither questions nor a menu.",
      details: { operation: which },
    });
  return api[which] as EntryApi<Entries[Name]>; // the entry of this name
};

/**
 * The entry that the network shows now; empty if there is nothing.
 * @throws AppError as `entryOf`, and what `requireValue` throws.
 */
export const getEntry = async <Name extends Which>(
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  which: Name,
): Promise<Entries[Name]> => requireValue(await (await entryOf(env, scope, id, which)).read());

/**
 * Replaces the entry that the network shows.
 * @throws AppError VALIDATION without the language `default`, as `entryOf`, and what `requireValue` throws.
 */
export const putEntry = async <Name extends Which>(
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  { which, entry }: { which: Name; entry: Entries[Name] },
): Promise<void> => {
  const api = await entryOf(env, scope, id, which);
  const locales = entry.map(({ locale }) => locale);
  if (!locales.includes("default")) throw invalid(issue(which, "required", "needs an entry with the locale default"));
  if (new Set(locales).size < locales.length) throw invalid(issue(which, "forbidden", "names a locale twice"));
  requireValue(await api.write(entry));
};

/** Removes the entry that the network shows. @throws AppError as `entryOf`, and what `requireValue` throws. */
export const clearEntry = async (env: ChannelsEnv, scope: TenantScope, id: string, which: Which): Promise<void> => {
  requireValue(await (await entryOf(env, scope, id, which)).clear());
};
