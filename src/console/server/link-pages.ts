import { type Answer, escaped } from "./page.ts";

/** TABLE: the languages of the pages of links, with their tags. */
const TAGS = { en: "en", pt: "pt-BR", es: "es" } as const;
export type PageLanguage = keyof typeof TAGS;

/** The first language that the browser prefers and the pages have. */
export const pageLanguage = (request: Request): PageLanguage => {
  const preferred = (request.headers.get("accept-language") ?? "").toLowerCase().match(/\b(?:pt|en|es)\b/)?.[0];
  return preferred === "pt" || preferred === "es" ? preferred : "en";
};

const EN = {
  titles: {
    "verify-email": "Verify your e-mail address",
    "reset-password": "Choose a new password",
    operator: "Choose your password",
    invitation: "You are invited",
  },
  verify: "Show that this mailbox is yours.",
  verifyGo: "Verify",
  choose: "Choose",
  password: "Password",
  passwordHint: "At least 8 characters.",
  name: "Your name",
  operator: "You run this server. Signing in takes this password alone until you add a second step again.",
  known: "You have a user here",
  accept: "Accept",
  fresh: "You are new here",
  register: "Register and accept",
  totp: "Code of your app",
  recovery: "Or a recovery code",
  done: "Done",
  signIn: "Sign in",
  verified: "Your e-mail address is verified.",
  reset: "Your new password is set. Sign in with it.",
  chosen: "Your password is set. Sign in with it.",
  joined: (name: string) => `You are a member of ${name}. Sign in to go on.`,
};
type Words = typeof EN;

const WORDS: Record<PageLanguage, Words> = {
  en: EN,
  pt: {
    titles: {
      "verify-email": "Confirme seu e-mail",
      "reset-password": "Escolha uma senha nova",
      operator: "Escolha sua senha",
      invitation: "Você recebeu um convite",
    },
    verify: "Mostre que esta caixa de e-mail é sua.",
    verifyGo: "Confirmar",
    choose: "Escolher",
    password: "Senha",
    passwordHint: "Pelo menos 8 caracteres.",
    name: "Seu nome",
    operator: "Você cuida deste servidor. Para entrar basta esta senha, até você adicionar de novo uma segunda etapa.",
    known: "Você já tem um usuário aqui",
    accept: "Aceitar",
    fresh: "Você é novo aqui",
    register: "Cadastrar e aceitar",
    totp: "Código do seu aplicativo",
    recovery: "Ou um código de recuperação",
    done: "Pronto",
    signIn: "Entrar",
    verified: "Seu e-mail está confirmado.",
    reset: "Sua senha nova está valendo. Entre com ela.",
    chosen: "Sua senha está valendo. Entre com ela.",
    joined: (name) => `Agora você é membro de ${name}. Entre para continuar.`,
  },
  es: {
    titles: {
      "verify-email": "Verifica tu correo",
      "reset-password": "Elige una contraseña nueva",
      operator: "Elige tu contraseña",
      invitation: "Tienes una invitación",
    },
    verify: "Muestra que este buzón es tuyo.",
    verifyGo: "Verificar",
    choose: "Elegir",
    password: "Contraseña",
    passwordHint: "Al menos 8 caracteres.",
    name: "Tu nombre",
    operator:
      "Administras este servidor. Para iniciar sesión basta esta contraseña, hasta que añadas de nuevo un segundo paso.",
    known: "Ya tienes un usuario aquí",
    accept: "Aceptar",
    fresh: "Eres nuevo aquí",
    register: "Registrarte y aceptar",
    totp: "Código de tu aplicación",
    recovery: "O un código de recuperación",
    done: "Listo",
    signIn: "Iniciar sesión",
    verified: "Tu correo está verificado.",
    reset: "Tu contraseña nueva ya vale. Inicia sesión con ella.",
    chosen: "Tu contraseña ya vale. Inicia sesión con ella.",
    joined: (name) => `Ya eres miembro de ${name}. Inicia sesión para continuar.`,
  },
};

const NEW = 'minlength="8" autocomplete="new-password"';

const password = (words: Words, id: string, rest: string): string =>
  `<label for="${id}">${words.password}</label><input id="${id}" name="password" type="password" required maxlength="1024" ${rest}>`;
const newPassword = (words: Words, id: string): string => `${password(words, id, NEW)}<p>${words.passwordHint}</p>`;

/** The form posts to its own URL, which contains the link's token. */
const form = (fields: string, button: string): string =>
  `<form method="post">${fields}<button>${button}</button></form>`;

/** The fields for the codes of a second step. */
const codes = (words: Words): string =>
  `<label for="totp">${words.totp}</label><input id="totp" name="totp" inputmode="numeric" autocomplete="one-time-code">` +
  `<label for="recovery">${words.recovery}</label><input id="recovery" name="recovery" autocomplete="off">`;

/** TABLE: the form of each link. `second`: the fields of the second step, if it was asked for. */
const BODIES = {
  "verify-email": (words: Words) => form(`<p>${words.verify}</p>`, words.verifyGo),
  "reset-password": (words: Words, second: string) => form(newPassword(words, "password") + second, words.choose),
  operator: (words: Words) => form(`<p>${words.operator}</p>${newPassword(words, "password")}`, words.choose),
  invitation: (words: Words, second: string) => `<h2>${words.known}</h2>
${form(password(words, "password", 'autocomplete="current-password"') + second, words.accept)}
<h2>${words.fresh}</h2>
${form(
  `<label for="name">${words.name}</label><input id="name" name="name" required maxlength="200" autocomplete="name">${newPassword(words, "new")}`,
  words.register,
)}`,
};

export type LinkPage = keyof typeof BODIES;

export const isLinkPage = (name: string): name is LinkPage => Object.hasOwn(BODIES, name);

const SECOND_STEP = "SECOND_STEP_REQUIRED";

/** A refusal for programs. The refusal of a second step has also the form of the platform API. */
const refusalOf = ({ code, message }: { code: string; message: string }): object => ({
  error: { code, message },
  ...(code === SECOND_STEP ? { code, message } : {}),
});

/** The form of a link, with an error message after a refusal. */
export const linkForm = (
  name: LinkPage,
  language: PageLanguage,
  fault?: { status: number; code: string; message: string; headers: Record<string, string> },
): Answer => {
  const words = WORDS[language];
  const said = fault === undefined ? "" : `<p class="fault" role="alert">${escaped(fault.message)}</p>`;
  return {
    status: fault?.status ?? 200,
    headers: fault?.headers ?? {},
    page: {
      title: words.titles[name],
      body: said + BODIES[name](words, fault?.code === SECOND_STEP ? codes(words) : ""),
      language: TAGS[language],
      isNarrow: true,
    },
    json: fault === undefined ? { status: "open" } : refusalOf(fault),
  };
};

type Done = "verified" | "reset" | "chosen" | { joined: string };

/** The page after a success, which leads to the sign-in. */
export const linkDone = (language: PageLanguage, done: Done): Answer => {
  const words = WORDS[language];
  const says = typeof done === "string" ? words[done] : words.joined(done.joined);
  return {
    status: 200,
    page: {
      title: words.done,
      body: `<p>${escaped(says)}</p><a class="button" href="sign-in">${words.signIn}</a>`,
      language: TAGS[language],
      isNarrow: true,
    },
    json: { status: "done" },
  };
};
