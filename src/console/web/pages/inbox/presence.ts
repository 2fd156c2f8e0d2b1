import { useEffect, useState } from "preact/hooks";
import type { PresenceChange } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { onEvent } from "../../frame/requests/live.ts";
import type { Chat } from "./data.ts";

/** The time without a word after which a person has stopped writing. */
const WRITING_MS = 20_000;

/** Whether the person of a chat is writing now, if the network says so. */
export const usePresence = (chat: Chat | undefined): "composing" | "recording" | undefined => {
  const [state, setState] = useState<"composing" | "recording" | undefined>(undefined);
  const key = chat?.contact?.canonicalKey;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent(({ type, data }) => {
      if (type === "message:received") setState(undefined);
      if (type !== "contact:presence") return;
      const { chat: of, state: now } = data as PresenceChange;
      if (of.canonicalKey !== key) return;
      clearTimeout(timer);
      setState(now === "composing" || now === "recording" ? now : undefined);
      timer = setTimeout(() => setState(undefined), WRITING_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [key]);
  return state;
};
