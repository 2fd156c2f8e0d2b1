import { S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import type { CatalogApi, OrderDetails, Price, Product } from "../../../src/contract/abilities/catalog.ts";
import { type ActiveSocket, childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, iq, node, onSocket, refusal, textIn } from "../ask.ts";
import { personAt } from "../outbound/addressing.ts";
import type { Numbers } from "../outbound/numbers.ts";
import { ownNumberJid } from "./own.ts";

type Deps = { activeSocket(): ActiveSocket | undefined; numbers: Pick<Numbers, "resolve"> };

const CATALOG = { xmlns: "w:biz:catalog", to: S_WHATSAPP_NET };
const ORDERS = { xmlns: "fb:thrift_iq", to: S_WHATSAPP_NET, smax_id: "5" };
/** The edge of the pictures, in pixels. */
const EDGE = "100";

const field = (tag: string, text: string): Stanza => node(tag, {}, Buffer.from(text));
const PICTURE_SIZE = [field("width", EDGE), field("height", EDGE)];

/** The catalogues that a session reads: its own, and those of the businesses that it knows. */
export const createCatalog = ({ activeSocket, numbers }: Deps): CatalogApi => {
  const sellerOf = async (active: ActiveSocket, key: string | undefined): Promise<string> => {
    if (key === undefined) return ownNumberJid(active);
    const found = await numbers.resolve(active, key);
    if (!found.ok) throw new Ended(refusal(found.reason));
    const { pn } = await personAt(active.keyStore, found);
    return pn === undefined ? found.jid : `${pn}@s.whatsapp.net`;
  };
  return {
    products: ({ of, limit, cursor }) =>
      onSocket(activeSocket(), async (active) => {
        const asked = node("product_catalog", { jid: await sellerOf(active, of), allow_shop_source: "true" }, [
          field("limit", String(limit)),
          ...PICTURE_SIZE,
          ...(cursor === undefined ? [] : [field("after", cursor)]),
        ]);
        const catalog = childOf(await ask(active.sock, iq("get", CATALOG, [asked])), "product_catalog");
        return { products: productsIn(catalog), nextCursor: textOf(childOf(catalog, "paging"), "after") };
      }),
    collections: ({ of, limit }) =>
      onSocket(activeSocket(), async (active) => {
        const asked = node("collections", { biz_jid: await sellerOf(active, of) }, [
          field("collection_limit", String(limit)),
          field("item_limit", String(limit)),
          ...PICTURE_SIZE,
        ]);
        const answer = await ask(active.sock, iq("get", { ...CATALOG, smax_id: "35" }, [asked]));
        const listed = childrenOf(childOf(answer, "collections")).filter(({ tag }) => tag === "collection");
        return listed.map((one) => ({
          id: textOf(one, "id") ?? "",
          name: textOf(one, "name"),
          status: textOf(childOf(one, "status_info"), "status"),
          products: productsIn(one),
        }));
      }),
    order: ({ orderId, token }) =>
      onSocket(activeSocket(), async ({ sock }) => {
        const asked = node("order", { op: "get", id: orderId }, [
          node("image_dimensions", {}, PICTURE_SIZE),
          field("token", token),
        ]);
        const order = childOf(await ask(sock, iq("get", ORDERS, [asked])), "order");
        if (!order) throw new Ended(refusal("the network does not know the order", 404));
        return orderOf(order);
      }),
  };
};

const textOf = (of: Stanza | undefined, tag: string): string | null => textIn(childOf(of, tag)) || null;

/** The network counts in thousandths of a unit. */
const priceOf = (of: Stanza | undefined, tag: string): Price | null => {
  const [thousandths, currency] = [Number(textOf(of, tag) ?? Number.NaN), textOf(of, "currency")];
  return Number.isFinite(thousandths) && currency !== null ? { amount: thousandths / 1000, currency } : null;
};

const productsIn = (of: Stanza | undefined): Product[] =>
  childrenOf(of)
    .filter(({ tag }) => tag === "product")
    .map((product) => ({
      id: textOf(product, "id") ?? "",
      retailerId: textOf(product, "retailer_id"),
      name: textOf(product, "name"),
      description: textOf(product, "description"),
      price: priceOf(product, "price"),
      url: textOf(product, "url"),
      imageUrl: pictureOf(childOf(childOf(product, "media"), "image")),
      availability: textOf(product, "availability"),
      reviewStatus: textOf(childOf(product, "status_info"), "status"),
      isHidden: product.attrs["is_hidden"] === "true",
    }));

const pictureOf = (image: Stanza | undefined): string | null =>
  textOf(image, "original_image_url") ?? textOf(image, "request_image_url");

const orderOf = (order: Stanza): OrderDetails => ({
  total: priceOf(childOf(order, "price"), "total"),
  items: childrenOf(order)
    .filter(({ tag }) => tag === "product")
    .map((product) => ({
      productId: textOf(product, "id") ?? "",
      name: textOf(product, "name"),
      quantity: countOf(textOf(product, "quantity")),
      price: priceOf(product, "price"),
      imageUrl: textOf(childOf(product, "image"), "url"),
    })),
});

const countOf = (text: string | null): number | null => {
  const count = Number(text ?? Number.NaN);
  return Number.isFinite(count) ? count : null;
};
