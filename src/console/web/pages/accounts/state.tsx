import type { UsedAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { accountsTexts } from "./texts.ts";

const TONES: Readonly<Record<string, BadgeTone>> = {
  ACTIVE: "good",
  INACTIVE: "neutral",
  CANCELLED: "neutral",
  JOINED: "neutral",
};

/** The state of an account. An account that owes money is suspended, whatever its status says. */
export const StateBadge = ({ status, isSuspended }: Pick<UsedAccount, "status" | "isSuspended">) => {
  const t = accountsTexts();
  if (isSuspended) return <Badge tone="bad">{t.states.SUSPENDED}</Badge>;
  return (
    <Badge tone={TONES[status] ?? "warning"}>{(t.states as Readonly<Record<string, string>>)[status] ?? status}</Badge>
  );
};
