import { type Static, Type } from "@sinclair/typebox";
import { described, OneOf, Text, Url } from "../../kernel/schema.ts";
import type { UpstreamResult } from "../upstream.ts";

const Locale = described(Text(2, 20), "A locale such as pt_BR, or default", "default");
const Question = Type.Object(
  {
    question: described(Text(1, 80), "The question that a tap asks; 1 to 80 characters", "Vocês abrem no domingo?"),
    payload: described(Text(1, 1000), "The value that comes back when it is tapped", "DOMINGO"),
  },
  { title: "IceBreakerQuestion" },
);
const Item = Type.Union([
  Type.Object(
    {
      type: OneOf(["postback"], { description: "Always `postback`: tapping sends `payload`" }),
      title: described(Text(1, 30), "The text of the entry; 1 to 30 characters", "Cardápio"),
      payload: described(Text(1, 1000), "The value that comes back when it is tapped", "CARDAPIO"),
    },
    { title: "PostbackItem" },
  ),
  Type.Object(
    {
      type: OneOf(["web_url"], { description: "Always `web_url`: tapping opens `url`" }),
      title: described(Text(1, 30), "The text of the entry; 1 to 30 characters", "Cardápio da semana"),
      url: described(Url(), "The page that tapping opens", "https://padaria-estrela.example/eventos"),
    },
    { title: "WebUrlItem" },
  ),
]);

/** The questions that a person is offered before the first message, by language. One language is `default`. */
export const IceBreakers = Type.Array(
  Type.Object(
    {
      locale: Locale,
      questions: Type.Array(Question, { minItems: 1, maxItems: 4, description: "The questions of this language" }),
    },
    { title: "IceBreaker" },
  ),
  { minItems: 1, maxItems: 20 },
);
/** The menu beside the field for messages, by language. One language is `default`. */
export const Menu = Type.Array(
  Type.Object(
    {
      locale: Locale,
      items: Type.Array(Item, { minItems: 1, maxItems: 20, description: "The entries of this language" }),
    },
    { title: "LocaleMenu" },
  ),
  { minItems: 1, maxItems: 20 },
);
export type IceBreakers = Static<typeof IceBreakers>;
export type Menu = Static<typeof Menu>;

/** One of the two entries into a conversation, as the network stores it. Empty if nothing is set. Never throws. */
export type EntryApi<Entry> = {
  read(): Promise<UpstreamResult<Entry>>;
  write(entry: Entry): Promise<UpstreamResult<true>>;
  clear(): Promise<UpstreamResult<true>>;
};

/** What people see of a channel before and beside its messages. */
export type EntriesApi = { readonly iceBreakers: EntryApi<IceBreakers>; readonly menu: EntryApi<Menu> };
