/** `id` is the same for every attempt, so that a repeat can be recognised. */
export type Mail = { id: string; to: string; subject: string; text: string };

/** `isFinal`: the mail server will never accept the mail; do not retry. */
export type MailOutcome = { ok: true } | { ok: false; reason: string; isFinal: boolean };

/** Sends mail through the operator's server. Never throws. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome> };
