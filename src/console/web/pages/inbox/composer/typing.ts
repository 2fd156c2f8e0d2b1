import { useRef } from "preact/hooks";
import type { PhoneCapabilities } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import type { Chat, LoggedMessage } from "../data.ts";
import { useAnsweringSign } from "../work/colleagues.ts";

/** The time for which the network shows the sign, roughly. */
const SHOWN_MS = 20_000;

/** Shows colleagues that somebody writes an answer, and the person if the network can and this app leads the chat. */
export const useTypingSign = (
  chat: Chat,
  capabilities: PhoneCapabilities | undefined,
  lastReceived: LoggedMessage | undefined,
): (() => void) => {
  const last = useRef(0);
  const tellColleagues = useAnsweringSign(chat.id);
  return () => {
    tellColleagues();
    if (!capabilities?.onReceived.includes("typing") || !lastReceived || chat.leader === "app") return;
    if (Date.now() - last.current < SHOWN_MS) return;
    last.current = Date.now();
    // a courtesy: its failure does not concern the writer
    gateway.messages.showTyping(lastReceived.id, { phoneId: chat.phoneId }).catch(() => undefined);
  };
};
