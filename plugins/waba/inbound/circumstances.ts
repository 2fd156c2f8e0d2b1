import {
  type Circumstances,
  REFERRAL_NAMES,
  type ReferralField,
} from "../../../src/contract/content/inbound-content.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../../meta/json.ts";

/**
 * The origin of a message: whether it was forwarded, the advertisement and the product that it comes from. Most
 * messages have none.
 */
export const circumstancesOf = (message: Json): Circumstances => {
  const context = recordOf(message["context"]);
  const referral = referralOf(recordOf(message["referral"]));
  const product = recordOf(context["referred_product"]);
  const productId = textOf(product["product_retailer_id"]);
  const isForwardedOften = context["frequently_forwarded"] === true;
  const origin = originOf(message);
  return {
    ...(origin === undefined ? {} : { origin }),
    ...(context["forwarded"] === true || isForwardedOften ? { forwarded: true } : {}),
    ...(isForwardedOften ? { frequentlyForwarded: true } : {}),
    ...(Object.keys(referral).length > 0 ? { referral } : {}),
    ...(productId === undefined
      ? {}
      : { referredProduct: { catalogId: textOf(product["catalog_id"]) ?? null, productId } }),
  };
};

/** Why a contact was sent, if the network says it: once for the message, or at its contact. */
export const originOf = (message: Json): string | undefined =>
  textOf(message["origin"]) ?? textOf(recordOf(listOf(message["contacts"])[0])["origin"]);

const referralOf = (referral: Json): Partial<Record<ReferralField, string>> => {
  const named = REFERRAL_NAMES.map(([theirs, ours]) => [ours, textOf(referral[theirs])] as const);
  const fields = [...named, ["welcomeText", textOf(recordOf(referral["welcome_message"])["text"])] as const];
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
};
