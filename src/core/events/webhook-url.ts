import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import type { SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import type { EventsEnv } from "./env.ts";

/** The mask that is shown and stored in place of a password. If a client sends it back, the password stays. */
const MASK = "********";

type Secrets = Pick<EventsEnv, "secrets">;
type Stored = Pick<SubscriptionRow, "id" | "url" | "sealedUrl">;

/** The row that the sealed URL of a webhook is bound to. */
const urlRow = (id: SubscriptionRow["id"]): string => `subscriptions:${id}:sealed_url`;

/** The URL for deliveries. It may hold a password, and is never shown, logged or stored. */
export const urlOf = ({ secrets }: Secrets, { id, url, sealedUrl }: Stored): string =>
  sealedUrl === null ? url : secrets.open(urlRow(id), sealedUrl);

/**
 * The given URL; a masked password stands for the current one, of the same user at the same place.
 * @throws AppError VALIDATION for a masked password anywhere else
 */
const meantUrl = (env: Secrets, current: Stored, given: string): string => {
  const asked = URL.parse(given);
  if (asked?.password !== MASK) return given;
  const known = URL.parse(urlOf(env, current));
  const isSame = asked.protocol === known?.protocol && asked.host === known.host && asked.username === known.username;
  if (!isSame)
    throw invalid(issue("url", "format", "needs its password, which is kept for the same user and host only"));
  asked.password = known.password;
  return asked.href;
};

/** Whether a given URL leads elsewhere, or has another password. */
export const isOtherUrl = (env: Secrets, current: Stored, given: string): boolean =>
  meantUrl(env, current, given) !== urlOf(env, current);

/**
 * The columns of a URL: as it is shown, and sealed if it has a password.
 * @throws AppError VALIDATION for a masked password that is not known
 */
export const urlColumns = (
  env: Secrets,
  current: Stored,
  given: string,
): Pick<SubscriptionRow, "url" | "sealedUrl"> => {
  const meant = meantUrl(env, current, given);
  const shown = URL.parse(meant);
  if (!shown || shown.password === "") return { url: given, sealedUrl: null };
  shown.password = MASK;
  return { url: shown.href, sealedUrl: env.secrets.seal(urlRow(current.id), meant) };
};
