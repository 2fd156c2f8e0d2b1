import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text, Url } from "../../kernel/schema.ts";
import type { UpstreamResult } from "../upstream.ts";

const Locale = Text(2, 20, "A locale such as pt_BR, or default");
const Question = Type.Object({ question: Text(1, 80), payload: Text(1, 1000) }, { title: "IceBreakerQuestion" });
const Item = Type.Union([
  Type.Object({ type: OneOf(["postback"]), title: Text(1, 30), payload: Text(1, 1000) }, { title: "PostbackItem" }),
  Type.Object({ type: OneOf(["web_url"]), title: Text(1, 30), url: Url() }, { title: "WebUrlItem" }),
]);

/** The questions that a person is offered before the first message, by language. One language is `default`. */
export const IceBreakers = Type.Array(
  Type.Object(
    { locale: Locale, questions: Type.Array(Question, { minItems: 1, maxItems: 4 }) },
    { title: "IceBreaker" },
  ),
  { minItems: 1, maxItems: 20 },
);
/** The menu beside the field for messages, by language. One language is `default`. */
export const Menu = Type.Array(
  Type.Object({ locale: Locale, items: Type.Array(Item, { minItems: 1, maxItems: 20 }) }, { title: "LocaleMenu" }),
  { minItems: 1, maxItems: 20 },
);
export type IceBreakers = Static<typeof IceBreakers>;
export type Menu = Static<typeof Menu>;

/** One of the two ways into a conversation, as the network keeps it. Empty where there is none. Never throws. */
export type EntryApi<Entry> = {
  read(): Promise<UpstreamResult<Entry>>;
  write(entry: Entry): Promise<UpstreamResult<true>>;
  clear(): Promise<UpstreamResult<true>>;
};

/** What people see of a channel before and beside its messages. */
export type EntriesApi = { readonly iceBreakers: EntryApi<IceBreakers>; readonly menu: EntryApi<Menu> };
