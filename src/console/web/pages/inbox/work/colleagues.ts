import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ChatAnswering } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { onEvent } from "../../../frame/requests/live.ts";
import { may, session } from "../../../frame/session.ts";

/** The time after which a colleague has stopped writing, unless it is told again. */
const SHOWN_MS = 12_000;
/** How often it is told while somebody writes. */
const TOLD_MS = 8000;

/** The colleague who is answering in each chat, by name; empty for a colleague without a name. */
const writers = signal<ReadonlyMap<string, string>>(new Map());

/** The name of the colleague who is answering in a chat now; undefined if nobody is. */
export const colleagueIn = (chatId: string): string | undefined => writers.value.get(chatId);

const isOneself = ({ kind, id }: ChatAnswering["by"]): boolean => {
  const person = session.peek()?.person;
  return person !== undefined && id === person.id && kind === (person.kind === "operator" ? "operator" : "user");
};

/** Follows who is answering in which chat, while the inbox is open. */
export const useColleagues = (): void => {
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const forget = (chatId: string): void => {
      const left = new Map(writers.peek());
      left.delete(chatId);
      writers.value = left;
    };
    const stop = onEvent(({ type, data }) => {
      if (type !== "chat:answering") return;
      const { conversationId, by } = data as ChatAnswering;
      if (isOneself(by)) return;
      clearTimeout(timers.get(conversationId));
      timers.set(
        conversationId,
        setTimeout(() => forget(conversationId), SHOWN_MS),
      );
      writers.value = new Map(writers.peek()).set(conversationId, by.name ?? "");
    });
    return () => {
      stop();
      for (const timer of timers.values()) clearTimeout(timer);
      writers.value = new Map();
    };
  }, []);
};

/** Tells colleagues that the person is writing an answer, every eight seconds while they write. */
export const useAnsweringSign = (chatId: string): (() => void) => {
  const last = useRef(0);
  return () => {
    if (!may("chats.write") || Date.now() - last.current < TOLD_MS) return;
    last.current = Date.now();
    gateway.chats.noteAnswering(chatId).catch(() => undefined); // a courtesy, as the sign for the person
  };
};
