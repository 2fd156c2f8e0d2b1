import type { PairingHint } from "../../../contract/abilities/pairing.ts";
import { iso } from "../../../kernel/clock.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { ShownHint } from "../../domain-event.ts";
import type { ChannelsEnv } from "../env.ts";

/** A hint with the texts that the channel's adapter declares for it. A hint without texts is shown by its code. */
export const shownHint = (
  { registry }: Pick<ChannelsEnv, "registry">,
  { kind }: Pick<ChannelRow, "kind">,
  { code, retryAt }: PairingHint,
): ShownHint => {
  const texts = registry.declared(kind)?.pairingHints ?? {};
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined;
  return { code, en: code, pt: code, ...text, ...(retryAt === undefined ? {} : { retryAt: iso(retryAt) }) };
};
