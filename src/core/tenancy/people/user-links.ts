import { DAY_MS, HOUR_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import { gatewaySecret } from "../../../kernel/ids.ts";
import { languageIn } from "../../../kernel/texts/languages.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { findConsolePerson } from "../../../store/tables/tenancy/console-people.ts";
import {
  countUserLinks,
  deleteUserLinks,
  findUserLink,
  insertUserLink,
  type LinkPurpose,
  type UserLinkRow,
} from "../../../store/tables/tenancy/user-links.ts";
import { findUser, type UserRow, updateUser } from "../../../store/tables/tenancy/users.ts";
import { asPerson, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { linkMail } from "../mail/mail-texts.ts";
import { queueMail } from "../mail/mails.ts";
import { notingLink } from "../sign-in/refusals.ts";
import type { Visitor } from "../sign-in/sessions.ts";

/** TABLE: how long each link is valid. */
const TTL_MS: Record<LinkPurpose, number> = { "verify-email": 3 * DAY_MS, "reset-password": HOUR_MS };
/** Mails of one purpose per user and hour, so that nobody can fill another's mailbox. */
const MAILS_PER_HOUR = 3;

/** The same for every reason, so that it reveals nothing. */
export const linkUnknown = () =>
  new AppError("LINK_UNKNOWN", { message: "This link is not known, has expired or was used." });

/** Makes a link within a write. It is valid once, and only a hash of its token is stored. */
export const makeLink = async (
  env: TenancyEnv,
  tx: Tx,
  user: UserRow,
  { purpose, isMailed }: { purpose: LinkPurpose; isMailed: boolean },
): Promise<{ link: string; expiresAt: number }> => {
  const token = gatewaySecret(env.random);
  const createdAt = env.clock.now();
  const expiresAt = createdAt + TTL_MS[purpose];
  await insertUserLink(tx, {
    hash: sha256(token),
    userId: user.id,
    purpose,
    isMailed: isMailed ? 1 : 0,
    createdAt,
    expiresAt,
  });
  return { link: env.linkTo(purpose, token), expiresAt };
};

/**
 * Queues a mail with a link, unless the user has reached the hourly limit. It is in the language that the user chose in
 * the console, else in the server's.
 */
export const mailLink = async (env: TenancyEnv, tx: Tx, user: UserRow, purpose: LinkPurpose): Promise<void> => {
  if ((await countUserLinks(tx, user.id, purpose, env.clock.now() - HOUR_MS)) >= MAILS_PER_HOUR) return;
  const { language } = await findConsolePerson(tx, `user:${user.id}`);
  const { link } = await makeLink(env, tx, user, { purpose, isMailed: true });
  await queueMail(env, tx, {
    tenantId: undefined,
    recipient: user.email.trim(),
    ...linkMail(purpose, link, languageIn(language) ?? env.config.language),
    isSecret: true,
  });
};

/** @throws AppError MAIL_NOT_CONFIGURED. */
export const requireMailer = ({ mailer }: TenancyEnv): void => {
  if (!mailer) throw new AppError("MAIL_NOT_CONFIGURED", { message: "This server sends no mail; ask its operator." });
};

/** Queues the mail that verifies a new user's e-mail, within a write. Nothing happens when mail is not configured. */
export const greetUser = async (env: TenancyEnv, tx: Tx, user: UserRow): Promise<void> => {
  if (env.mailer) await mailLink(env, tx, user, "verify-email");
};

/**
 * Queues the verification mail again. Nothing happens when the e-mail is already verified.
 * @throws AppError MAIL_NOT_CONFIGURED.
 */
export const requestVerification = async (env: TenancyEnv, userId: string): Promise<void> => {
  requireMailer(env);
  await env.db.write(async (tx) => {
    const user = await findUser(tx, userId);
    if (user?.verifiedAt === null) await mailLink(env, tx, user, "verify-email");
  });
};

/** @throws AppError LINK_UNKNOWN. */
export const requireUserLink = async (
  env: TenancyEnv,
  r: Reader,
  token: string,
  purpose: LinkPurpose,
): Promise<UserLinkRow> => {
  const found = await findUserLink(r, sha256(token), purpose, env.clock.now());
  if (!found) throw linkUnknown();
  return found;
};

/** @throws AppError LINK_UNKNOWN. */
export const verifyEmail = (env: TenancyEnv, token: string, from: Visitor): Promise<void> =>
  notingLink(env, from, verify(env, token, from));

const verify = (env: TenancyEnv, token: string, from: Visitor): Promise<void> =>
  env.db.write(async (tx) => {
    const { userId } = await requireUserLink(env, tx, token, "verify-email");
    await deleteUserLinks(tx, userId, "verify-email");
    await updateUser(tx, userId, { verifiedAt: env.clock.now() });
    await recordAct(env, tx, asPerson(`user:${userId}`, from), { action: "user.verify-email", target: userId });
  });
