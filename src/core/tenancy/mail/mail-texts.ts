import { type Language, timeText } from "../../../kernel/texts/languages.ts";
import type { LinkPurpose } from "../../../store/tables/tenancy/user-links.ts";

export type MailText = { subject: string; body: string };

/** The language of these mails if the operator chose none. */
const DEFAULT: Language = "en";

/** TABLE: the mails with a link, in every language. `says` comes before the link. */
const LINKS: Record<Language, Record<LinkPurpose, { subject: string; says: string }> & { ignore: string }> = {
  pt: {
    "verify-email": {
      subject: "Confirme seu e-mail",
      says: "Confirme em até 3 dias que este endereço de e-mail é seu:",
    },
    "reset-password": { subject: "Escolha uma senha nova", says: "Escolha uma senha nova em até uma hora:" },
    ignore: "Se você não pediu isto, ignore este e-mail.",
  },
  en: {
    "verify-email": {
      subject: "Verify your e-mail address",
      says: "Verify within 3 days that this e-mail address is yours:",
    },
    "reset-password": { subject: "Choose a new password", says: "Choose a new password within an hour:" },
    ignore: "If you did not ask for this, ignore this mail.",
  },
  es: {
    "verify-email": {
      subject: "Verifica tu correo",
      says: "Verifica antes de 3 días que esta dirección de correo es tuya:",
    },
    "reset-password": {
      subject: "Elige una contraseña nueva",
      says: "Elige una contraseña nueva antes de una hora:",
    },
    ignore: "Si no lo pediste, ignora este correo.",
  },
};

/** The mail of a link that verifies an address or sets a password. */
export const linkMail = (purpose: LinkPurpose, link: string, language: Language = DEFAULT): MailText => {
  const { [purpose]: text, ignore } = LINKS[language];
  return { subject: `Recado: ${text.subject}`, body: [`${text.says}\n${link}`, ignore].join("\n\n") };
};

type InvitationText = { subject(name: string): string; joins(name: string): string; accept: string; ignore: string };

/** TABLE: the mail of an invitation in every language. `accept` comes before the link. */
const INVITATION: Record<Language, InvitationText> = {
  pt: {
    subject: (name) => `Você recebeu um convite para ${name}`,
    joins: (name) => `Você recebeu um convite para participar de ${name} no Recado.`,
    accept: "Aceite aqui em até 7 dias:",
    ignore: "Se você não esperava um convite, ignore este e-mail.",
  },
  en: {
    subject: (name) => `You are invited to ${name}`,
    joins: (name) => `You are invited to join ${name} on Recado.`,
    accept: "Accept here within 7 days:",
    ignore: "If you expected no invitation, ignore this mail.",
  },
  es: {
    subject: (name) => `Te invitan a ${name}`,
    joins: (name) => `Te invitan a unirte a ${name} en Recado.`,
    accept: "Acepta aquí antes de 7 días:",
    ignore: "Si no esperabas una invitación, ignora este correo.",
  },
};

/** The mail of an invitation. `name`: the institution's, without anything that looks like a link. */
export const invitationMail = (name: string, link: string, language: Language = DEFAULT): MailText => {
  const { subject, joins, accept, ignore } = INVITATION[language];
  return { subject: subject(name), body: [joins(name), `${accept} ${link}`, ignore].join("\n\n") };
};

/** Why a person is notified. */
export type Notice = "new-device" | "password" | "email" | "second-step";

type NoticeText = Record<Notice, { subject: string; says: string }> & {
  when: string;
  where: string;
  device: string;
  unknown: string;
  notYou: string;
};

/** TABLE: the mails about sign-ins and changes of them, in every language. They have no link, so that none is forged. */
const NOTICES: Record<Language, NoticeText> = {
  pt: {
    "new-device": { subject: "Nova entrada", says: "Alguém entrou no Recado como você, de um lugar ou programa novo." },
    password: { subject: "Sua senha mudou", says: "A senha com que você entra no Recado mudou." },
    email: {
      subject: "Seu e-mail mudou",
      says: "O e-mail com que você entra no Recado mudou. Este endereço não vale mais.",
    },
    "second-step": { subject: "Sua segunda etapa mudou", says: "A segunda etapa da sua entrada no Recado mudou." },
    when: "Quando",
    where: "De onde",
    device: "Com",
    unknown: "desconhecido",
    notYou:
      "Se não foi você, escolha já uma senha nova, encerre as sessões na página Perfil e avise quem cuida do servidor.",
  },
  en: {
    "new-device": {
      subject: "New sign-in",
      says: "Somebody signed in to Recado as you, from a place or with a program that is new.",
    },
    password: {
      subject: "Your password was changed",
      says: "The password with which you sign in to Recado was changed.",
    },
    email: {
      subject: "Your e-mail was changed",
      says: "The e-mail with which you sign in to Recado was changed. This address is no longer valid there.",
    },
    "second-step": {
      subject: "Your second step was changed",
      says: "The second step of your sign-in to Recado was changed.",
    },
    when: "When",
    where: "From",
    device: "With",
    unknown: "unknown",
    notYou:
      "If that was not you, choose a new password now, end your sessions on the page Profile, and write to who runs the server.",
  },
  es: {
    "new-device": {
      subject: "Nuevo inicio de sesión",
      says: "Alguien inició sesión en Recado como tú, desde un lugar o con un programa nuevo.",
    },
    password: { subject: "Tu contraseña cambió", says: "La contraseña con que inicias sesión en Recado cambió." },
    email: {
      subject: "Tu correo cambió",
      says: "El correo con que inicias sesión en Recado cambió. Esta dirección ya no vale.",
    },
    "second-step": {
      subject: "Tu segundo paso cambió",
      says: "El segundo paso de tu inicio de sesión en Recado cambió.",
    },
    when: "Cuándo",
    where: "Desde",
    device: "Con",
    unknown: "desconocido",
    notYou:
      "Si no fuiste tú, elige ya una contraseña nueva, cierra las sesiones en la página Perfil y avisa a quien administra el servidor.",
  },
};

/** The mail about a sign-in, or a change of how a person signs in. `device`: words of ours, never what a client sent. */
export const noticeMail = (
  notice: Notice,
  { atMs, address, device }: { atMs: number; address: string | undefined; device: string | undefined },
  language: Language = DEFAULT,
): MailText => {
  const { [notice]: text, when, where, device: program, unknown, notYou } = NOTICES[language];
  const details = [
    `${when}: ${timeText(language, atMs)}`,
    `${where}: ${address ?? unknown}`,
    ...(notice === "new-device" ? [`${program}: ${device ?? unknown}`] : []),
  ];
  return { subject: `Recado: ${text.subject}`, body: [text.says, details.join("\n"), notYou].join("\n\n") };
};
