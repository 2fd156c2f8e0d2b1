import { ADMIN_FIELDS } from "./admin.ts";
import { AI_FIELDS } from "./ai.ts";
import { BILLING_FIELDS } from "./billing.ts";
import { BRAZIL_FIELDS } from "./brazil.ts";
import { CALLS_FIELDS } from "./calls.ts";
import { CHANNELS_FIELDS } from "./channels.ts";
import { CLOUD_FIELDS } from "./cloud.ts";
import { COMMON_FIELDS } from "./common.ts";
import { CONTENTS_FIELDS } from "./contents.ts";
import { EVENTS_FIELDS } from "./events.ts";
import { EXCEPTIONS_FIELDS } from "./exceptions.ts";
import { GROUPS_FIELDS } from "./groups.ts";
import { HAPPENINGS_FIELDS } from "./happenings.ts";
import { MACHINE_FIELDS } from "./machine.ts";
import { MESSAGES_FIELDS } from "./messages.ts";
import { PLATFORM_FIELDS } from "./platform.ts";
import { REQUESTS_FIELDS } from "./requests.ts";
import { STATS_FIELDS } from "./stats.ts";

/**
 * What the description says of a field or a parameter by its name. `Phone.status` wins over `status`. A name that has
 * several types has `examples`: the first one that fits the schema is used.
 */
export type Field = { description?: string; example?: unknown; examples?: readonly unknown[] };

/** TABLE: the defaults of descriptions and examples, by `Title.field` or by the plain name of a field. */
export const FIELDS: Readonly<Record<string, Field>> = {
  ...MACHINE_FIELDS,
  ...COMMON_FIELDS,
  ...CLOUD_FIELDS,
  ...MESSAGES_FIELDS,
  ...CHANNELS_FIELDS,
  ...GROUPS_FIELDS,
  ...CALLS_FIELDS,
  ...AI_FIELDS,
  ...BILLING_FIELDS,
  ...BRAZIL_FIELDS,
  ...EVENTS_FIELDS,
  ...ADMIN_FIELDS,
  ...PLATFORM_FIELDS,
  ...EXCEPTIONS_FIELDS,
  ...HAPPENINGS_FIELDS,
  ...REQUESTS_FIELDS,
  ...CONTENTS_FIELDS,
  ...STATS_FIELDS,
};
