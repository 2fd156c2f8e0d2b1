import type { PayloadsOf } from "../runtime/jobs.ts";
import { AI_JOBS } from "./ai/jobs.ts";
import { ALERT_JOBS } from "./alerts/jobs.ts";
import { BILLING_JOBS } from "./billing/jobs.ts";
import { CALL_JOBS } from "./calls/jobs.ts";
import { CHANNEL_JOBS } from "./channels/jobs.ts";
import { CHATWOOT_JOBS } from "./chatwoot/jobs.ts";
import { CONVERSATION_JOBS } from "./conversations/jobs.ts";
import { EVENT_JOBS } from "./events/jobs.ts";
import { MEDIA_JOBS } from "./media/jobs.ts";
import { MESSAGING_JOBS } from "./messaging/jobs.ts";
import { OWN_JOBS } from "./own-jobs.ts";
import { PEOPLE_JOBS } from "./people/jobs.ts";
import { TENANCY_JOBS } from "./tenancy/jobs.ts";

/**
 * LIST: the background work of every slice, by the names of its kinds. `npm run list -- jobs` prints it. The compiler
 * demands each line, because the environment of its slice names its jobs.
 */
export const JOBS = {
  ...TENANCY_JOBS,
  ...EVENT_JOBS,
  ...CHANNEL_JOBS,
  ...MEDIA_JOBS,
  ...CONVERSATION_JOBS,
  ...MESSAGING_JOBS,
  ...CALL_JOBS,
  ...AI_JOBS,
  ...BILLING_JOBS,
  ...CHATWOOT_JOBS,
  ...ALERT_JOBS,
  ...PEOPLE_JOBS,
  ...OWN_JOBS,
};

/** Every kind of background work with its payload. */
export type JobPayloads = PayloadsOf<typeof JOBS>;
