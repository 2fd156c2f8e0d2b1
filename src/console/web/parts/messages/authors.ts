import type { SentBy } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { session } from "../../frame/session.ts";
import { authorTexts } from "./author-texts.ts";

/** The value of the filter `sentBy` for one sender: its kind and id. */
export const keyOfAuthor = ({ kind, id }: Pick<SentBy, "kind" | "id">): string => (id === "" ? kind : `${kind}:${id}`);

/** The person of the session as a sender; undefined without one. */
export const myKey = (): string | undefined => {
  const person = session.value?.person;
  return person && `${person.kind === "operator" ? "operator" : "user"}:${person.id}`;
};

/** The name of a sender in words: the own name of people, and what a program is. */
export const authorName = (sender: SentBy): string => {
  const t = authorTexts();
  if (keyOfAuthor(sender) === myKey()) return t.you;
  return t.named[sender.kind](sender.name ?? "");
};
