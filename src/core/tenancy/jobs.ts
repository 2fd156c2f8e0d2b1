import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job, jobShape } from "../../runtime/jobs.ts";
import { commonQueue } from "../../store/tables/queues.ts";
import { HOUSEKEEPING, id } from "../job-parts.ts";
import { sendMail } from "./mail/mails.ts";

/** The background work of `tenancy`. */
export const TENANCY_JOBS = {
  "mail.send": job({
    payload: versioned(Type.Object({ mailId: id() })),
    concurrencyLimit: 4,
    queue: () => commonQueue("mail"),
    uniqueKey: ({ mailId }) => `mail:${mailId}`,
    run: sendMail,
  }),
  "user.recover": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ emailKey: Type.String({ minLength: 1 }) })),
    uniqueKey: ({ emailKey }) => `user.recover:${emailKey}`,
    run: late(async () => (await import("./sign-in/recovery.ts")).recoverUser),
  }),
};

/**
 * The jobs that `tenancy` enqueues for `conversations`, which it cannot import. `conversations/jobs.ts` adds their
 * handlers.
 */
export const FOR_CONVERSATIONS = {
  "contacts.index": jobShape({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ tenantId: id<TenantId>(), after: Type.Integer() })),
    priority: "low",
  }),
  "member.forget": jobShape({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ tenantId: id<TenantId>(), userId: id() })),
    uniqueKey: ({ tenantId, userId }) => `member.forget:${tenantId}:${userId}`,
  }),
};
