import type { Sends } from "../../../contract/capabilities.ts";
import { type Content, contentOf } from "../../../contract/content/content.ts";
import { type PixCharge, PixContent, pixIssues } from "../../../contract/content/pix.ts";
import { invalid } from "../../../kernel/errors.ts";
import { pixCode, pixKeyIn } from "../../../kernel/numbers/brazil.ts";
import { issuesOf } from "../../../kernel/schema.ts";
import { reaisIn } from "../../../kernel/texts/languages.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";

/** @throws AppError VALIDATION, naming the field. */
export const checkedPix = (content: unknown): PixCharge => {
  const issues = issuesOf(PixContent, content, "content");
  // the schema has been checked
  const found = issues.length > 0 ? issues : pixIssues(content as PixCharge);
  if (found.length > 0) throw invalid(...found);
  return content as PixCharge;
};

/**
 * A charge by Pix as this channel sends it: an order to be paid, if the network has orders and the channel's number is
 * Brazilian; else a text with the code on its own line. The same charge always gives the same content.
 */
export const pixContent = (
  charge: PixCharge,
  { phoneNumber }: Pick<ChannelRow, "phoneNumber">,
  sends: Sends,
): Content => {
  const { amountCents, txid, merchantName, merchantCity = "" } = charge;
  const key = pixKeyIn(charge.key);
  if (!key) throw new Error("a Pix charge was not checked");
  const code =
    charge.code ?? pixCode({ key: key.value, name: merchantName, city: merchantCity }, { amountCents, txid });
  const text = charge.text ?? `Pix: ${reaisIn("pt", amountCents)}`;
  if (!sends.send.order_details || !phoneNumber?.startsWith("55")) return textOf(charge, code);
  const amount = { value: amountCents, offset: 100 as const };
  return contentOf("order_details", {
    text,
    referenceId: txid,
    goods: "digital-goods",
    totalAmount: amount,
    subtotal: amount,
    items: [{ retailerId: txid, name: `Pix ${txid}`, quantity: 1, amount }],
    payments: [{ type: "pix_dynamic_code", code, merchantName, key: key.value, keyType: key.kind }],
  });
};

/** In Portuguese, because it is read in Brazil. */
const textOf = ({ text, amountCents, merchantName }: PixCharge, code: string): Content => ({
  type: "text",
  content: {
    text: [
      ...(text === undefined ? [] : [text]),
      `Pix: ${reaisIn("pt", amountCents)}\nPara: ${merchantName}`,
      `Pix copia e cola:\n${code}`,
    ].join("\n\n"),
  },
});
