import { HOUR_MS } from "../../../kernel/clock.ts";
import { idBoundAt } from "../../../kernel/ids.ts";
import { deviceIn } from "../../../kernel/texts/devices.ts";
import { languageIn } from "../../../kernel/texts/languages.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findConsolePerson } from "../../../store/tables/tenancy/console-people.ts";
import { hasUsedDevice, type PersonKey } from "../../../store/tables/tenancy/console-sessions.ts";
import { countMailsTo } from "../../../store/tables/tenancy/mails.ts";
import { findOperator } from "../../../store/tables/tenancy/operators.ts";
import { findUser } from "../../../store/tables/tenancy/users.ts";
import { type Act, type Requester, recordSilently, type SecurityAction } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { type Notice, noticeMail } from "../mail/mail-texts.ts";
import { queueMail } from "../mail/mails.ts";

/** The person whose sign-in it is. */
type Of = { of: PersonKey };

/** TABLE: the mail that a person gets when an act changes how they sign in. */
const NOTICES: Record<SecurityAction, Notice> = {
  "operator.change-password": "password",
  "operator.reset": "password",
  "passkey.add": "second-step",
  "passkey.remove": "second-step",
  "totp.start": "second-step",
  "totp.stop": "second-step",
  "user.change-password": "password",
  "user.reset-password": "password",
};

/** Mails of the server's own to one mailbox in an hour, so that nobody can fill another's. */
const MAILS_PER_HOUR = 10;
/** The same for a mailbox that the user has not verified. */
const MAILS_PER_HOUR_UNVERIFIED = 3;

/**
 * Records an act that changes how a person signs in, and queues the mail about it, in the same write. The audit log
 * takes such an act in no other way.
 */
export const recordSecurityAct = async (
  env: TenancyEnv,
  tx: Tx,
  by: Requester,
  { of, ...act }: Act<SecurityAction> & Of,
): Promise<void> => {
  await recordSilently(env, tx, by, act);
  await notify(env, tx, by, { of, notice: NOTICES[act.action] });
};

/**
 * Queues a mail to a person about a sign-in, or a change of how they sign in. `email`: their earlier mailbox; otherwise
 * their present one. Nothing happens if no mail server is set.
 */
export const notify = async (
  env: TenancyEnv,
  tx: Tx,
  { actor }: Requester,
  { of, notice, email, userAgent }: Of & { notice: Notice; email?: string; userAgent?: string | null },
): Promise<void> => {
  if (!env.mailer) return;
  const [kind, id = ""] = of.split(":", 2);
  const user = kind === "user" ? await findUser(tx, id) : undefined;
  const recipient = (email ?? (user ?? (await findOperator(tx, id)))?.email)?.trim();
  if (recipient === undefined) return;
  const most = user?.verifiedAt === null ? MAILS_PER_HOUR_UNVERIFIED : MAILS_PER_HOUR;
  const now = env.clock.now();
  if ((await countMailsTo(tx, recipient, idBoundAt(now - HOUR_MS))) >= most) return;
  const language = languageIn((await findConsolePerson(tx, of)).language) ?? env.config.language;
  const at = { atMs: now, address: actor.address, device: deviceIn(userAgent ?? null) };
  await queueMail(env, tx, { tenantId: undefined, recipient, ...noticeMail(notice, at, language) });
};

/** Notifies a person of a sign-in from an address, or with a program, from which no session of theirs has come. */
export const notifyOfDevice = async (
  env: TenancyEnv,
  tx: Tx,
  by: Requester,
  { of, source, userAgent }: Of & { source: string; userAgent: string | null },
): Promise<void> => {
  if (env.mailer && !(await hasUsedDevice(tx, of, { source, userAgent })))
    await notify(env, tx, by, { of, notice: "new-device", userAgent });
};
