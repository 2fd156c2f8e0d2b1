import { isUuid, lowerIn } from "../../kernel/ids.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import { type Part, placeByNumber } from "../../store/engine/counting.ts";
import type { Reader } from "../../store/engine/db.ts";
import { boundsOf, type TimeFilter } from "../../store/engine/time-bounds.ts";
import { type AttemptRow, findAttemptSeq, listAttempts, passAttempts } from "../../store/tables/events/attempts.ts";
import type { SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { EventsEnv } from "./env.ts";
import { getSubscription, type Named } from "./subscriptions.ts";

/**
 * A page of the delivery attempts of a webhook, newest first.
 * @throws AppError SUBSCRIPTION_NOT_FOUND
 */
export const readAttempts = async (
  env: EventsEnv,
  scope: TenantScope,
  named: Named,
  asked: { isDelivered: boolean | undefined; limit: number; offset: number } & TimeFilter,
): Promise<{ rows: AttemptRow[]; total: number }> => {
  const subscription = await getSubscription(env, scope, named);
  const filter = { ...asked, ...(await env.db.read((reader) => boundsOf(reader, "attempts", asked))) };
  const pass = (reader: Reader, part: Part<number>) => passAttempts(reader, subscription.id, filter, part);
  const { total, before = filter.beforeSeq, offset } = await placeByNumber(env.db, pass, asked.offset);
  const page = { ...filter, beforeSeq: before, offset };
  return { rows: await env.db.read((reader) => listAttempts(reader, subscription.id, page)), total };
};

/**
 * The attempts of a webhook's deliveries, newest first. `cursor`: the id of the attempt after which to continue.
 * @throws AppError VALIDATION for a cursor that is not an attempt of the webhook
 */
export const attemptsPage = (
  env: EventsEnv,
  { id }: Pick<SubscriptionRow, "id">,
  { cursor, ...filter }: { isDelivered: boolean | undefined; limit: number; cursor: string | undefined },
): Promise<{ items: AttemptRow[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const beforeSeq = cursor && isUuid(cursor) ? await findAttemptSeq(reader, id, lowerIn(cursor)) : undefined;
    if (cursor !== undefined && beforeSeq === undefined) throw unknownCursor();
    const found = await listAttempts(reader, id, { ...filter, limit: filter.limit + 1, offset: 0, beforeSeq });
    return cutPage(found, filter.limit, ({ publicId }) => publicId);
  });

export type { AttemptRow as Attempt } from "../../store/tables/events/attempts.ts";
