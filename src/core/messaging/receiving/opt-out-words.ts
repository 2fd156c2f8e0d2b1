import type { InboundContent } from "../../../contract/content/inbound-content.ts";
import { wordsOf } from "../../../kernel/texts/words.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { InboundContext } from "../../channels/identity.ts";
import { OPT_OUT_FIELD, OWN_OPT_OUT_FIELD } from "../../channels/settings/phone-settings.ts";
import { readVaultField } from "../../channels/settings/vault.ts";
import { recordWish } from "../../conversations/opt-outs.ts";
import { isMany, type MessageReceived } from "../../domain-event.ts";
import type { MessagingEnv } from "../env.ts";

/** TABLE: the words by which people refuse messages, and want them again, by language. */
const WORDS = {
  en: {
    out: ["STOP", "STOP ALL", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPT OUT", "OPTOUT"],
    in: ["START", "UNSTOP", "SUBSCRIBE", "OPT IN", "OPTIN"],
  },
  pt: { out: ["PARAR", "PARE", "SAIR", "CANCELAR", "DESCADASTRAR"], in: ["VOLTAR", "INICIAR", "CADASTRAR"] },
  es: { out: ["BAJA", "ALTO", "SALIR", "PARAR", "CANCELAR", "DETENER"], in: ["ALTA", "INICIAR", "VOLVER"] },
} as const;

/** A longer text is no word of these, and no setting is read for it. */
const LONGEST = 60;

/** A text for comparison, without case, accents and punctuation. */
const folded = (text: string): string => wordsOf(text).join(" ");
const listed = (way: "out" | "in"): ReadonlySet<string> =>
  new Set(Object.values(WORDS).flatMap((words) => words[way].map(folded)));
const OUT = listed("out");
const IN = listed("in");

/** What a person wrote, or the button that a person chose; undefined for anything longer than a word of these. */
const wordIn = ({ type, content }: InboundContent): string | undefined => {
  const text = type === "text" || type === "button_reply" ? content.text : "";
  return text.length > LONGEST || folded(text) === "" ? undefined : text.trim();
};

/**
 * Records the wish of a person whose whole message is one of the words, if the phone reads them: its settings
 * `optOutWords` and `ownOptOutWords` decide. Only what a person writes now, in a chat of their own, counts.
 */
export const readOptOutWord = async (
  env: MessagingEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { content, direction, isHistory, chat, at }: MessageReceived,
): Promise<void> => {
  const word = wordIn(content);
  if (word === undefined || direction !== "inbound" || isHistory || isMany(chat)) return;
  const setting = (name: string) => readVaultField(env, tx, channel.id, name);
  const reads = env.registry.declared(channel.kind)?.network.optOutWords ? "on" : "off";
  if (((await setting(OPT_OUT_FIELD)) || reads) !== "on") return;
  const own = ((await setting(OWN_OPT_OUT_FIELD)) ?? "").split(",").map(folded);
  const said = folded(word);
  const isOptedOut = OUT.has(said) || own.includes(said);
  if (!isOptedOut && !IN.has(said)) return;
  const origin = { tenantId: channel.tenantId, channel, environment };
  await recordWish(env, tx, origin, { who: chat, isOptedOut, by: "word", word, at });
};
