import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issuesOf } from "../../../kernel/schema.ts";
import { isRecord } from "../../../kernel/texts/json.ts";
import type { ChannelsEnv } from "../env.ts";

type Registered = Pick<ChannelsEnv, "registry">;

/** The ids at the network that credentials name, as a channel stores them. */
export type RouteIds = { numberId: string | null; accountId: string | null; verifyTokenHash: string | null };

/** The ids in the credentials; null for an id that they lack, or that an adapter gives as an empty text. */
export const routeIdsOf = (
  plugin: Pick<ChannelPlugin, "routeOf"> | undefined,
  credentials: Record<string, string>,
): RouteIds => {
  const { numberId, accountId, verifyToken } = plugin?.routeOf?.(credentials) ?? {};
  return {
    numberId: numberId || null,
    accountId: accountId || null,
    verifyTokenHash: verifyToken === undefined ? null : sha256(verifyToken),
  };
};

/** The names of the credentials that channels of a kind have; undefined for a kind without credentials. */
export const credentialNames = ({ registry }: Registered, kind: ChannelKind): string[] | undefined => {
  const schema = registry.ofKind(kind)?.credentials;
  return schema && Object.keys(schema["properties"] as object);
};

/**
 * The credentials of a kind in what a client gave. Fields of other kinds are left out: they would lie in the vault.
 * `path`: the field of the request that holds them.
 * @throws AppError VALIDATION, or CHANNEL_CREDENTIALS_REQUIRED when the kind requires credentials and some are missing
 */
export const checkedCredentials = (
  env: Registered,
  kind: ChannelKind,
  given: unknown,
  path: string,
): Record<string, string> => {
  const { credentials: schema, refusals } = env.registry.ofKind(kind) ?? {};
  if (!schema) return {};
  const issues = issuesOf(schema, given, path);
  if (refusals?.credentials && issues.some((one) => one.rule === "required"))
    throw new AppError(refusals.credentials, { message: "This type needs complete credentials.", issues });
  if (issues.length > 0) throw invalid(...issues);
  const names = credentialNames(env, kind) ?? [];
  const known = Object.entries(isRecord(given) ? given : {}).filter(([name]) => names.includes(name));
  return Object.fromEntries(known) as Record<string, string>; // the schema of an adapter has texts alone
};
