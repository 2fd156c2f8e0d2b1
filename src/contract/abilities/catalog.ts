import type { UpstreamResult } from "../upstream.ts";

/** `amount`: as a number of the currency's units, such as 12.5. */
export type Price = { amount: number; currency: string };

/** A product of a catalogue. Null: the network names none. `availability`, `reviewStatus`: in the network's words. */
export type Product = {
  id: string;
  retailerId: string | null;
  name: string | null;
  description: string | null;
  price: Price | null;
  url: string | null;
  imageUrl: string | null;
  availability: string | null;
  reviewStatus: string | null;
  isHidden: boolean;
};
export type ProductPage = { products: Product[]; nextCursor: string | null };
export type Collection = { id: string; name: string | null; status: string | null; products: Product[] };

/** What a customer has ordered from the account. `quantity` and `price` are those of one item. */
export type OrderDetails = {
  total: Price | null;
  items: {
    productId: string;
    name: string | null;
    quantity: number | null;
    price: Price | null;
    imageUrl: string | null;
  }[];
};

/** The catalogues of businesses, which an account reads. `of`: whose, as a canonical key; by default its own. Never throws. */
export type CatalogApi = {
  products(asked: { of?: string; limit: number; cursor?: string }): Promise<UpstreamResult<ProductPage>>;
  collections(asked: { of?: string; limit: number }): Promise<UpstreamResult<Collection[]>>;
  /** `token`: of the message with the order, which only the seller gets. */
  order(asked: { orderId: string; token: string }): Promise<UpstreamResult<OrderDetails>>;
};
