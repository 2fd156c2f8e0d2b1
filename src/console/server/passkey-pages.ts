import type { PasskeyCeremony } from "../../contract/abilities/pairing.ts";
import { iso } from "../../kernel/clock.ts";
import { type Answer, escaped } from "./page.ts";
import { consoleSnippet } from "./passkey-snippet.ts";

export type Language = "en" | "pt";

/** The texts of the pages. */
type Words = {
  title: string;
  why: string;
  steps: readonly string[];
  none: string;
  snippet: string;
  paste: string;
  send: string;
  button: string;
  result: string;
  compare: string;
  same: string;
  other: string;
  busyTitle: string;
  busy: string;
  doneTitle: string;
  done: string;
  overTitle: string;
  over: string;
  faultTitle: string;
  invalid: string;
  refused: string;
  notNow: string;
  again: string;
  ends: string;
};

/** TABLE: the words of the pages. */
const WORDS: Record<Language, Words> = {
  en: {
    title: "WhatsApp asks for your passkey",
    why: "To link this number, WhatsApp wants the passkey of its account. A browser signs with it only on a page of WhatsApp, so this page cannot do it for you. Deleting the passkey does not help.",
    steps: [
      "Use a computer whose browser has this passkey, such as in Google Password Manager, iCloud Keychain or 1Password. The browser may also offer to use your phone.",
      "Open https://web.whatsapp.com in a new tab. You need not scan anything there.",
      "Open the console of that tab: F12, or Ctrl+Shift+J (on a Mac ⌥⌘J). Chrome may want you to type: allow pasting.",
      "Paste the script below, press Enter, click the button that appears, and use your passkey.",
      "Copy the text that appears, come back, and paste it here.",
    ],
    none: "You have no passkey? Create it in WhatsApp > Settings > Account > Passkeys, then link again.",
    snippet:
      "The script for the console. It has your passkey sign one request, shows the result, and sends nothing. Never paste a script from anybody else there.",
    paste: "The text that the script showed",
    send: "Send",
    button: "Use the passkey",
    result: "Copy this text, and paste it into the page of Recado:",
    compare: "Your phone shows a code. Is it this one?",
    same: "Yes, it is the same",
    other: "If it is another code, do not confirm. Close this page, and link again.",
    busyTitle: "One moment",
    busy: "WhatsApp and your phone are at work. Look at your phone. This page renews itself.",
    doneTitle: "The number is linked",
    done: "You can close this page.",
    overTitle: "This link is over",
    over: "It was used, or its ten minutes have passed. Scan the QR code again: you get a new link.",
    faultTitle: "That did not work",
    invalid: "This is not the text that the script shows. Copy all of it.",
    refused: "WhatsApp did not accept the passkey. Scan the QR code again to start over.",
    notNow: "WhatsApp does not wait for this at the moment.",
    again: "Back",
    ends: "This link ends ten minutes after your phone asked. Give it to nobody.",
  },
  pt: {
    title: "O WhatsApp pede a sua chave de acesso",
    why: "Para conectar este número, o WhatsApp pede a chave de acesso (passkey) da conta. O navegador só assina com ela em uma página do WhatsApp, então esta página não pode fazer isso por você. Apagar a chave não ajuda.",
    steps: [
      "Use um computador cujo navegador tenha essa chave, por exemplo no Gerenciador de senhas do Google, nas Chaves do iCloud ou no 1Password. O navegador também pode oferecer o uso do celular.",
      "Abra https://web.whatsapp.com em outra aba. Você não precisa ler nenhum código lá.",
      "Abra o console dessa aba: F12 ou Ctrl+Shift+J (no Mac, ⌥⌘J). O Chrome pode pedir que você digite: allow pasting.",
      "Cole o script abaixo, aperte Enter, clique no botão que aparecer e use a sua chave de acesso.",
      "Copie o texto que aparecer, volte para cá e cole aqui.",
    ],
    none: "Você não tem uma chave de acesso? Crie em WhatsApp > Configurações > Conta > Chaves de acesso e conecte de novo.",
    snippet:
      "O script para o console. Ele pede que a sua chave assine um único pedido, mostra o resultado e não envia nada. Nunca cole lá um script de outra pessoa.",
    paste: "O texto que o script mostrou",
    send: "Enviar",
    button: "Usar a chave de acesso",
    result: "Copie este texto e cole na página do Recado:",
    compare: "O seu celular mostra um código. É este?",
    same: "Sim, é o mesmo",
    other: "Se for outro código, não confirme. Feche esta página e conecte de novo.",
    busyTitle: "Um momento",
    busy: "O WhatsApp e o seu celular estão trabalhando. Olhe o seu celular. Esta página se atualiza sozinha.",
    doneTitle: "O número está conectado",
    done: "Você pode fechar esta página.",
    overTitle: "Este link acabou",
    over: "Ele já foi usado, ou os dez minutos passaram. Leia o código QR de novo: você recebe um link novo.",
    faultTitle: "Não deu certo",
    invalid: "Este não é o texto que o script mostra. Copie o texto inteiro.",
    refused: "O WhatsApp não aceitou a chave de acesso. Leia o código QR de novo para recomeçar.",
    notNow: "O WhatsApp não está esperando por isso agora.",
    again: "Voltar",
    ends: "Este link acaba dez minutos depois do pedido do seu celular. Não passe para ninguém.",
  },
};

/** The language of a page: chosen by its switch, else the first that the browser prefers. */
export const languageOf = (request: Request): Language => {
  const chosen = new URL(request.url).searchParams.get("lang");
  if (chosen === "pt" || chosen === "en") return chosen;
  const preferred = (request.headers.get("accept-language") ?? "").toLowerCase().match(/\b(?:pt|en)\b/);
  return preferred?.[0] === "pt" ? "pt" : "en";
};

/** The place of a page, and its language. `path`: without a slash at the end. */
export type Place = { path: string; language: Language };

const otherLanguage = ({ path, language }: Place): string =>
  language === "pt"
    ? `<p><a href="${escaped(path)}?lang=en">English</a></p>`
    : `<p><a href="${escaped(path)}?lang=pt">Português</a></p>`;

const form = ({ path, language }: Place, act: "assertion" | "confirm", fields: string, button: string): string =>
  `<form method="post" action="${escaped(path)}/${act}?lang=${language}">${fields}<button>${escaped(button)}</button></form>`;

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

type Parts = { status?: number; title: string; body: string; json: object };

const answer = (place: Place, { status = 200, title, body, json }: Parts): Answer => ({
  status,
  page: { title, body: `${body}${otherLanguage(place)}`, language: place.language === "pt" ? "pt-BR" : "en" },
  json,
});

/** The owner's next act at this stage. */
export const ceremonyPage = (place: Place, ceremony: PasskeyCeremony): Answer => {
  const { stage, options, code, expiresAt } = ceremony;
  const json = { stage, options, expiresAt: iso(expiresAt), ...(code === undefined ? {} : { code }) };
  if (stage === "IN_PROGRESS") return busyPage(place, json);
  const words = WORDS[place.language];
  return stage === "CONFIRMATION_REQUIRED"
    ? answer(place, { title: words.compare, body: comparing(place, words, code ?? ""), json })
    : answer(place, { title: words.title, body: signing(place, words, options), json });
};

const comparing = (place: Place, words: Words, code: string): string =>
  `<dl><dd><code>${escaped(code)}</code></dd></dl>${form(place, "confirm", "", words.same)}${paragraph(words.other)}`;

const signing = (place: Place, words: Words, options: PasskeyCeremony["options"]): string => {
  const snippet = consoleSnippet(options, { button: words.button, result: words.result });
  const steps = words.steps.map((step) => `<li>${escaped(step)}</li>`).join("");
  const field = `<label for="assertion">${escaped(words.paste)}</label><textarea id="assertion" name="assertion" required rows="6" maxlength="15000" autocomplete="off" spellcheck="false"></textarea>`;
  return `${paragraph(words.why)}<ol>${steps}</ol>${paragraph(words.none)}${paragraph(words.ends)}
<label for="script">${escaped(words.snippet)}</label><textarea id="script" readonly rows="10" spellcheck="false">${escaped(snippet)}</textarea>
${form(place, "assertion", field, words.send)}`;
};

/** The network and the phone are at work: the browser asks again in three seconds. */
export const busyPage = (place: Place, json: object): Answer => {
  const { busyTitle, busy } = WORDS[place.language];
  const shown = answer(place, { title: busyTitle, body: paragraph(busy), json });
  return { ...shown, headers: { refresh: `3;url=${place.path}?lang=${place.language}` } };
};

export const linkedPage = (place: Place): Answer => {
  const { doneTitle, done } = WORDS[place.language];
  return answer(place, { title: doneTitle, body: paragraph(done), json: { stage: "LINKED" } });
};

/** The page of an unknown, used or expired link. It does not say which. */
export const overPage = (place: Place): Answer => {
  const { overTitle, over } = WORDS[place.language];
  const json = { error: { code: "LINK_OVER", message: over } };
  return answer(place, { status: 410, title: overTitle, body: paragraph(over), json });
};

type Fault = { status: number; code: string; message: string };

export const faultPage = (place: Place, { status, code, message }: Fault): Answer => {
  const words = WORDS[place.language];
  const said = { VALIDATION: words.invalid, PASSKEY_REFUSED: words.refused, PASSKEY_NOT_REQUESTED: words.notNow }[code];
  const back = `<p><a href="${escaped(place.path)}?lang=${place.language}">${escaped(words.again)}</a></p>`;
  const body = `${said === undefined ? "" : paragraph(said)}<p class="fault">${escaped(message)}</p>${back}`;
  return answer(place, { status, title: words.faultTitle, body, json: { error: { code, message } } });
};
