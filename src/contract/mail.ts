/** `id`: the same however often the mail is sent, so that a repeat can be recognised. */
export type Mail = { id: string; to: string; subject: string; text: string };

/** `isFinal`: the mail server will never take it, however often it is asked. */
export type MailOutcome = { ok: true } | { ok: false; reason: string; isFinal: boolean };

/** Sends mail through the operator's server. Never throws. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome> };
