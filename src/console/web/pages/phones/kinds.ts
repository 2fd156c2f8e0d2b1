import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { BadgeTone } from "../../parts/badge.tsx";
import { inLanguage, useKinds } from "../../parts/phones/kind-fields.tsx";
import { phonesTexts } from "./texts.ts";

/** TABLE: the tone of each state. */
export const STATE_TONES: Readonly<Record<Phone["status"], BadgeTone>> = {
  PENDING: "busy",
  PENDING_QR: "warning",
  PENDING_WEBHOOK: "busy",
  CONNECTING: "busy",
  CONNECTED: "good",
  RESTRICTED: "warning",
  DISCONNECTED: "bad",
  TOKEN_EXPIRED: "bad",
  FAILED: "bad",
};

/** TABLE: the facts about kinds of phones that the pages use. Kinds of other adapters have their own word. */
const KINDS = {
  SESSION: { isPaired: true, isOfficial: false },
  WABA: { isPaired: false, isOfficial: true },
  SOCIAL: { isPaired: false, isOfficial: false },
} as const;
export type Kind = keyof typeof KINDS;

const kindOf = (type: string) => (type in KINDS ? KINDS[type as Kind] : undefined);

export const isPaired = ({ type }: Pick<Phone, "type">): boolean => kindOf(type)?.isPaired ?? false;
export const isOfficial = ({ type }: Pick<Phone, "type">): boolean => kindOf(type)?.isOfficial ?? false;

export const kindName = (type: string): string => {
  const { kinds } = phonesTexts();
  return type in kinds ? kinds[type as Kind] : type;
};

/** The name of a phone's kind: that of its adapter, in the person's language. */
export const useKindName = (): ((type: string) => string) => {
  const { data = [] } = useKinds();
  return (type) => {
    const kind = data.find((one) => one.type === type);
    return kind ? inLanguage(kind.label) : kindName(type);
  };
};

/** Whether the phone can send now. */
export const isOpen = ({ status }: Pick<Phone, "status">): boolean => status === "CONNECTED" || status === "RESTRICTED";

/** Whether the phone's state will soon change by itself. */
export const isUnsettled = ({ status }: Pick<Phone, "status">): boolean =>
  status === "PENDING" || status === "PENDING_QR" || status === "CONNECTING";
