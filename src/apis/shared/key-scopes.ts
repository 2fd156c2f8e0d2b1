import { Type } from "@sinclair/typebox";
import { SHARED_RESOURCES } from "../../core/tenancy/people/roles.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { isStrict } from "./http/strict.ts";

/** The resources of the routes that need an account's API key: in the gateway API, the tags of those routes. */
export const RESOURCES = [...SHARED_RESOURCES, "billing", "keys", "audit"] as const;
/** Every scope that limits a key. Any other text among a key's scopes is stored and has no effect. */
export const SCOPES: readonly string[] = RESOURCES.flatMap((resource) => [`${resource}.read`, `${resource}.write`]);

/**
 * The warnings of the answer to a new key about unknown scopes; absent if there are none.
 * @throws AppError VALIDATION for a request that prefers strict handling.
 */
export const scopeWarnings = (request: Request, scopes: readonly string[] = []): { warnings?: string[] } => {
  const unknown = scopes.flatMap((scope, n) => (SCOPES.includes(scope) ? [] : [{ scope, n }]));
  if (unknown.length === 0) return {};
  if (isStrict(request))
    throw invalid(
      ...unknown.map(({ scope, n }) => issue(`scopes.${n}`, "enum", `${JSON.stringify(scope)} ${NO_SCOPE}`)),
    );
  const warnings = unknown.map(({ scope }) => `${JSON.stringify(scope)} is not a scope and limits nothing.`);
  return { warnings: unknown.length < scopes.length ? warnings : [...warnings, UNLIMITED] };
};

const NO_SCOPE = "is not a scope";
const UNLIMITED = "No scope limits this key.";

/** The warnings, as answers have them. */
export const Warnings = Type.Optional(
  Type.Array(Type.String(), {
    description: "The parts of the request without effect; absent if every part has an effect",
    examples: [['"mesages.write" is not a scope and limits nothing.', UNLIMITED]],
  }),
);

/** The scopes that a key has. */
export type KeyLimits = { scopes: readonly string[]; isReadOnly: boolean };

/** The scopes that limit a key; undefined for a key without a limit. */
export const keyLimits = ({
  permissions,
  isReadOnly,
}: {
  permissions: readonly string[];
  isReadOnly: boolean;
}): KeyLimits | undefined => {
  const scopes = permissions.filter((scope) => SCOPES.includes(scope));
  if (scopes.length === 0 && !isReadOnly) return undefined;
  return { scopes: scopes.length > 0 ? scopes : SCOPES, isReadOnly };
};

/** The scope of a route that every key may use, whatever its limits. */
export const ANY_KEY = "any";

/** Whether a limited key may use a route with this scope. Without a route it may not. */
export const isWithinLimits = ({ scopes, isReadOnly }: KeyLimits, scope: string | undefined): boolean =>
  scope === ANY_KEY || (scope !== undefined && scopes.includes(scope) && (!isReadOnly || scope.endsWith(".read")));

/** The scopes that a new key would have beyond these limits; empty if it stays within them. */
export const beyondLimits = (limits: KeyLimits | undefined, key: Parameters<typeof keyLimits>[0]): string[] =>
  limits ? (limitedTo(key) ?? SCOPES).filter((scope) => !isWithinLimits(limits, scope)) : [];

/** The scopes that limit a key, as keys are shown; null for a key that may do everything. */
export const limitedTo = (key: Parameters<typeof keyLimits>[0]): string[] | null => {
  const limits = keyLimits(key);
  return limits ? SCOPES.filter((scope) => isWithinLimits(limits, scope)) : null;
};
