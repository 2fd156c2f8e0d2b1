import { accountOf, type Network } from "../model.ts";
import type { Linked } from "../people/linked.ts";
import { child, children, type Stanza, stanza, textOf } from "../wire/stanza.ts";
import { type Refusal, refusal } from "./group-iqs.ts";

/** `price`: in thousandths. */
export type Product = {
  id: string;
  name: string;
  price?: number;
  currency?: string;
  retailerId?: string;
  description?: string;
  image?: string;
  isHidden?: boolean;
};

/** What a business shows. `orders`: by their ids, with the token that only the seller knows. */
export type Business = {
  address?: string;
  description?: string;
  email?: string;
  category?: string;
  websites: string[];
  products: Product[];
  collections: { id: string; name: string; products: string[] }[];
  orders: Map<string, { token: string; items: (Product & { quantity: number })[]; total: number; currency: string }>;
};

const bytes = (tag: string, text: string | undefined): Stanza[] =>
  text === undefined ? [] : [stanza(tag, {}, Buffer.from(text))];

const BAD = refusal(400, "bad-request");
const MISSING = refusal(404, "item-not-found");

/** Reads profiles by number, and changes the device's own: what it has no name for is refused. */
export const answerBusinessProfile = (network: Network, { account }: Linked, iq: Stanza): Stanza[] | Refusal => {
  const asked = child(iq, "business_profile");
  if (!asked) return BAD;
  if (iq.attrs["type"] === "set") return changeProfile(account.business, asked);
  const jid = child(asked, "profile")?.attrs["jid"];
  const business = accountOf(network, jid)?.business;
  if (!jid) return BAD;
  if (!business) return [stanza("business_profile", { v: asked.attrs["v"] })];
  const { address, description, email, category, websites } = business;
  return [
    stanza("business_profile", { v: asked.attrs["v"] }, [
      stanza("profile", { jid }, [
        ...bytes("address", address),
        ...bytes("description", description),
        ...bytes("email", email),
        ...websites.flatMap((website) => bytes("website", website)),
        ...(category === undefined ? [] : [stanza("categories", {}, bytes("category", category))]),
      ]),
    ]),
  ];
};

const CHANGED = new Set(["address", "description", "email", "website"]);

const changeProfile = (business: Business | undefined, asked: Stanza): Stanza[] | Refusal => {
  if (!business) return refusal(403, "forbidden");
  const parts = Array.isArray(asked.content) ? asked.content : [];
  if (asked.attrs["mutation_type"] !== "delta" || !parts.every(({ tag }) => CHANGED.has(tag))) return BAD;
  const websites = children(asked, "website").map(textOf);
  if (websites.length > 2) return refusal(406, "not-acceptable");
  for (const part of parts) {
    if (part.tag === "address" || part.tag === "description" || part.tag === "email") business[part.tag] = textOf(part);
  }
  if (websites.length > 0) business.websites = websites.filter((website) => website !== "");
  return [];
};

const productNode = ({ id, name, price, currency, retailerId, description, image, isHidden }: Product): Stanza =>
  stanza("product", { is_hidden: isHidden ? "true" : "false" }, [
    ...bytes("id", id),
    ...bytes("name", name),
    ...bytes("retailer_id", retailerId),
    ...bytes("description", description),
    ...bytes("price", price?.toString()),
    ...bytes("currency", currency),
    ...(image === undefined ? [] : [stanza("media", {}, [stanza("image", {}, bytes("original_image_url", image))])]),
    stanza("status_info", {}, bytes("status", "APPROVED")),
  ]);

export const answerCatalog = (network: Network, _device: Linked, iq: Stanza): Stanza[] | Refusal => {
  const [catalog, collections] = [child(iq, "product_catalog"), child(iq, "collections")];
  const jid = catalog?.attrs["jid"] ?? collections?.attrs["biz_jid"];
  const business = accountOf(network, jid)?.business;
  if (!jid || iq.attrs["type"] !== "get") return BAD;
  if (!business) return MISSING;
  return catalog ? productsOf(business, catalog) : collectionsOf(business, collections);
};

const numberIn = (of: Stanza | undefined, tag: string): number => Number(textOf(child(of, tag)) || Number.NaN);

const productsOf = ({ products }: Business, asked: Stanza): Stanza[] | Refusal => {
  const limit = numberIn(asked, "limit");
  const after = textOf(child(asked, "after"));
  const from = after === "" ? 0 : products.findIndex(({ id }) => id === after) + 1;
  if (!(limit > 0) || (after !== "" && from === 0)) return BAD;
  const page = products.slice(from, from + limit);
  const last = page.at(-1)?.id;
  const paging = from + limit < products.length ? [stanza("paging", {}, bytes("after", last))] : [];
  return [stanza("product_catalog", {}, [...page.map(productNode), ...paging])];
};

const collectionsOf = ({ collections, products }: Business, asked: Stanza | undefined): Stanza[] | Refusal => {
  const [most, items] = [numberIn(asked, "collection_limit"), numberIn(asked, "item_limit")];
  if (!(most > 0 && items > 0)) return BAD;
  const shown = collections.slice(0, most).map(({ id, name, products: ids }) =>
    stanza("collection", {}, [
      ...bytes("id", id),
      ...bytes("name", name),
      stanza("status_info", {}, bytes("status", "APPROVED")),
      ...products
        .filter((product) => ids.includes(product.id))
        .slice(0, items)
        .map(productNode),
    ]),
  );
  return [stanza("collections", {}, shown)];
};

/** An order is shown to its seller alone, who has its token. */
export const answerOrder = (_network: Network, { account }: Linked, iq: Stanza): Stanza[] | Refusal => {
  const asked = child(iq, "order");
  const order = account.business?.orders.get(asked?.attrs["id"] ?? "");
  if (asked?.attrs["op"] !== "get") return BAD;
  if (!order || textOf(child(asked, "token")) !== order.token) return MISSING;
  const items = order.items.map(({ quantity, image, ...product }) => {
    const { content } = productNode(product);
    return stanza("product", {}, [
      ...(Array.isArray(content) ? content : []),
      ...bytes("quantity", String(quantity)),
      ...(image === undefined ? [] : [stanza("image", {}, bytes("url", image))]),
    ]);
  });
  const price = stanza("price", {}, [...bytes("total", String(order.total)), ...bytes("currency", order.currency)]);
  return [stanza("order", { id: asked.attrs["id"] }, [...items, price])];
};
