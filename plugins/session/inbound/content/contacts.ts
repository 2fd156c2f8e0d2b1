import type { proto } from "@whiskeysockets/baileys";
import type { InboundContent } from "../../../../src/contract/content/inbound-content.ts";

type Phone = { phone: string; wa_id?: string; type?: string };
type Contact = {
  name: { formatted_name: string };
  phones?: Phone[];
  emails?: { email: string }[];
  org?: { company: string };
};
/** A line of a card: `TEL;type=CELL;waid=5511…:+55 11 …`. */
type Line = { name: string; parameters: ReadonlyMap<string, string>; value: string };

/** Cards of people, in the shape of the official network. */
export const contactsOf = (cards: readonly proto.Message.IContactMessage[]): InboundContent | undefined =>
  cards.length > 0 ? { type: "contact", content: { contacts: cards.map(contactOf) } } : undefined;

const contactOf = ({ displayName, vcard }: proto.Message.IContactMessage): Contact => {
  const lines = linesOf(vcard ?? "");
  const all = (name: string) => lines.filter((line) => line.name === name && line.value !== "");
  const [phones, emails] = [all("TEL").map(phoneOf), all("EMAIL").map(({ value }) => ({ email: value }))];
  const company = all("ORG")[0]?.value.split(";")[0];
  return {
    name: { formatted_name: displayName || all("FN")[0]?.value || "" },
    ...(phones.length > 0 ? { phones } : {}),
    ...(emails.length > 0 ? { emails } : {}),
    ...(company ? { org: { company } } : {}),
  };
};

const phoneOf = ({ value, parameters }: Line): Phone => {
  const [waId, type] = [parameters.get("waid"), parameters.get("type")];
  return { phone: value, ...(waId ? { wa_id: waId } : {}), ...(type ? { type: type.toUpperCase() } : {}) };
};

const LONGEST_CARD = 64 * 1024;

// a line that begins with a blank continues the previous one; `item1.TEL` is a TEL
const linesOf = (card: string): Line[] =>
  card
    .slice(0, LONGEST_CARD)
    .replaceAll(/\r?\n[ \t]/g, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const { head, value = "" } = /^(?:[\w-]+\.)?(?<head>[^:]+):(?<value>.*)$/.exec(line)?.groups ?? {};
      const [name, ...parameters] = head?.split(";") ?? [];
      return name === undefined
        ? []
        : [
            {
              name: name.toUpperCase(),
              parameters: new Map(parameters.map(parameterOf)),
              value: unescaped(value).trim(),
            },
          ];
    });

const parameterOf = (parameter: string): [string, string] => {
  const [name = "", value = ""] = parameter.split("=", 2);
  return [name.toLowerCase(), value];
};

const unescaped = (value: string): string => value.replaceAll(/\\([,;\\])/g, "$1").replaceAll(/\\n/gi, "\n");
