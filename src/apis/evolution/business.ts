import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Product } from "../../contract/abilities/catalog.ts";
import { businessProfileOf, listCollections, listProducts } from "../../core/channels/catalog.ts";
import { lookUpNow } from "../../core/messaging/lookup.ts";
import { Text } from "../../kernel/schema.ts";
import { addressOfNumber, numberOf } from "../shared/compatible/addresses.ts";
import { type EvolutionAuth, instanceOf, type Principal, refuseWithout } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";

/** How many pages of a catalogue one answer has at most, as in Evolution. */
const MOST_PAGES = 5;

/** Evolution counts prices in thousandths, as the network does. */
const productView = ({ id, retailerId, name, description, price, url, imageUrl, ...product }: Product) => ({
  id,
  retailerId,
  name,
  description,
  price: price === null ? null : Math.round(price.amount * 1000),
  currency: price?.currency ?? null,
  url,
  isHidden: product.isHidden,
  availability: product.availability,
  reviewStatus: { whatsapp: product.reviewStatus },
  imageUrls: imageUrl === null ? {} : { requested: imageUrl, original: imageUrl },
});

const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }));
const Whose = { number: Type.Optional(Text(0, 256)), limit: Limit };

/** What businesses show of themselves, as an instance reads it. */
export const business = (env: EvolutionEnv, auth: EvolutionAuth) => {
  /** The business that a body names; without a number the instance itself. */
  const askedFor = async (principal: Principal, request: Request, number: string | undefined) => {
    const { id, phoneNumber } = instanceOf(request);
    const to = number ? numberOf(number) : (phoneNumber ?? "");
    const [found] = number ? await lookUpNow(env, principal, { channelId: id, numbers: [to] }) : [];
    const wuid = found?.jid ?? (to.includes("@") ? to : addressOfNumber(to.replace(/\D/g, "")));
    return { id, to, of: number ? to : undefined, wuid, exists: number ? (found?.exists ?? false) : true };
  };
  const profileOf = (principal: Principal, { id, to, exists }: { id: string; to: string; exists: boolean }) =>
    exists ? businessProfileOf(env, principal, { id, to }) : null;

  const products = async (principal: Principal, asked: { id: string; of: string | undefined; limit: number }) => {
    const found: Product[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const { products: next, nextCursor } = await listProducts(env, principal, { ...asked, cursor });
      found.push(...next);
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    return found;
  };
  const read = { ...routeOptions({ scope: "phones.read", link: "required" }) };

  return new Elysia()
    .use(auth)
    .post(
      "/chat/fetchBusinessProfile/:instance",
      async ({ principal, request, body: { number } }) => {
        const refusal = number ? refuseWithout(principal, "lookup.write") : undefined;
        if (refusal) return refusal;
        const asked = await askedFor(principal, request, number);
        const profile = await profileOf(principal, asked);
        if (profile === null)
          return {
            isBusiness: false,
            message: "Not is business profile",
            jid: asked.wuid,
            exists: asked.exists,
            number: asked.to,
          };
        const { about, address, description, email, vertical, websites } = profile;
        return {
          isBusiness: true,
          wid: asked.wuid,
          about,
          address,
          description,
          email,
          category: vertical,
          vertical,
          website: websites,
          websites,
        };
      },
      { body: Type.Object({ number: Whose.number }), detail: read },
    )
    .post(
      "/business/getCatalog/:instance",
      async ({ principal, request, body: { number, limit = 10 } }) => {
        const refusal = number ? refuseWithout(principal, "lookup.write") : undefined;
        if (refusal) return refusal;
        const asked = await askedFor(principal, request, number);
        const isBusiness = (await profileOf(principal, asked)) !== null;
        const catalog = isBusiness ? (await products(principal, { ...asked, limit })).map(productView) : [];
        const { wuid, exists: numberExists } = asked;
        return { wuid, numberExists, isBusiness, catalogLength: catalog.length, catalog };
      },
      { body: Type.Object({ ...Whose, cursor: Type.Optional(Text(0, 2000)) }), detail: read },
    )
    .post(
      "/business/getCollections/:instance",
      async ({ principal, request, body: { number, limit = 20 } }) => {
        const refusal = number ? refuseWithout(principal, "lookup.write") : undefined;
        if (refusal) return refusal;
        const asked = await askedFor(principal, request, number);
        const isBusiness = (await profileOf(principal, asked)) !== null;
        const found = isBusiness ? await listCollections(env, principal, { ...asked, limit }) : [];
        const collections = found.map(({ id, name, status, products: some }) => ({
          id,
          name,
          status: { status, canAppeal: false },
          products: some.map(productView),
        }));
        return {
          wuid: asked.wuid,
          name: null,
          numberExists: asked.exists,
          isBusiness,
          collectionsLength: collections.length,
          collections,
        };
      },
      { body: Type.Object(Whose), detail: read },
    );
};
