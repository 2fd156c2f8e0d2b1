import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  aboutOf,
  businessProfileOf,
  listCollections,
  listProducts,
  readOrder,
} from "../../../core/channels/catalog.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, Nullable, Text } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { BusinessProfileView } from "../phones/business.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, QueryLimit, UPSTREAM_REFUSALS } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());
const PriceView = Nullable(
  Type.Object(
    {
      amount: Type.Number({ description: "In units of the currency", examples: [12.5] }),
      currency: Type.String({ description: "The currency, by ISO 4217", examples: ["BRL"] }),
    },
    { title: "CatalogPrice" },
  ),
);
const ProductView = Type.Object(
  {
    id: Type.String({ description: "The network's id of the product", examples: ["6187359731383621"] }),
    retailerId: described(TextOrNull, "The seller's own id of it; null without one", "BOLO-1"),
    name: described(TextOrNull, "The name of the product; null without one", "Bolo de cenoura"),
    description: described(TextOrNull, "What the seller says of it; null without a text", "Com cobertura de chocolate"),
    price: described(PriceView, "The price of one piece; null if none is named"),
    url: described(TextOrNull, "The seller's page of it; null without one", "https://padaria-estrela.example/bolo"),
    imageUrl: described(
      TextOrNull,
      "The address of its picture, for some days; null without one",
      "https://padaria-estrela.example/bolo.jpg",
    ),
    availability: described(TextOrNull, "In the network's word; null if it names none", "in stock"),
    reviewStatus: described(TextOrNull, "The network's review, in its word; null if it names none", "APPROVED"),
    isHidden: Type.Boolean({ description: "Whether customers do not see it", examples: [false] }),
  },
  { title: "CatalogProduct" },
);
const PageView = Type.Object(
  {
    items: Type.Array(ProductView, { description: "The products of this page" }),
    nextCursor: Nullable(Type.String({ description: "The cursor of the next page; null on the last page" })),
  },
  { title: "CatalogProductPage" },
);
const CollectionsView = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: "The network's id of the collection", examples: ["1234567890"] }),
          name: described(TextOrNull, "The name of the collection; null without one", "Bolos"),
          status: described(TextOrNull, "The network's review, in its word; null if it names none", "APPROVED"),
          products: Type.Array(ProductView, { description: "The first products of it, at most `limit`" }),
        },
        { title: "CatalogCollection" },
      ),
      { description: "The collections, at most `limit`" },
    ),
  },
  { title: "CatalogCollections" },
);
const OrderView = Type.Object(
  {
    total: described(PriceView, "What the whole order costs; null if the network does not say it"),
    items: Type.Array(
      Type.Object(
        {
          productId: Type.String({ description: "The network's id of the product", examples: ["6187359731383621"] }),
          name: described(TextOrNull, "The name of the product; null without one", "Bolo de cenoura"),
          quantity: Nullable(Type.Number({ description: "How many pieces; null if unknown", examples: [2] })),
          price: described(PriceView, "The price of one piece; null if none is named"),
          imageUrl: described(
            TextOrNull,
            "The address of its picture, for some days; null without one",
            "https://padaria-estrela.example/bolo.jpg",
          ),
        },
        { title: "OrderedProduct" },
      ),
      { description: "The ordered products" },
    ),
  },
  { title: "CatalogOrder" },
);

const Of = Type.Optional(
  described(Text(1, 256), "The business whose catalogue is read; by default the phone's own", "5511988887777"),
);
const read = <Answer extends object>(answer: Answer) => ({ 200: answer, ...UPSTREAM_REFUSALS });
const asks = (operationId: string) => route({ operationId, isolation: { id: "channel" }, link: "required" });

/** Catalogues, orders and profiles of businesses, as a phone's account reads them at its network. */
export const catalog = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["phones"],
    detail: inPath({
      ...PHONE_IN_PATH,
      to: Type.String({ description: "A number, canonical key or chat address" }),
      orderId: Type.String({ description: "`content.orderId` of the message with the order" }),
    }),
  })
    .use(auth)
    .get(
      "/:id/catalog/products",
      async ({ principal, params, query: { of, limit, cursor } }) => {
        const page = { id: params.id, of, limit: gatewayLimit(limit, 100), cursor };
        const { products: items, nextCursor } = await listProducts(env, principal, page);
        return { items, nextCursor };
      },
      {
        query: Type.Object({
          of: Of,
          limit: QueryLimit(100),
          cursor: Type.Optional(described(Text(1, 2000), "The `nextCursor` of the page before", "AQHRx4")),
        }),
        response: read(PageView),
        detail: {
          ...asks("listCatalogProducts"),
          summary: "List the products of a business's catalogue",
          description: "The network is asked. Pages follow each other by `cursor`. SESSION only.",
        },
      },
    )
    .get(
      "/:id/catalog/collections",
      async ({ principal, params, query: { of, limit } }) => ({
        items: await listCollections(env, principal, { id: params.id, of, limit: gatewayLimit(limit, 100) }),
      }),
      {
        query: Type.Object({ of: Of, limit: QueryLimit(100) }),
        response: read(CollectionsView),
        detail: {
          ...asks("listCatalogCollections"),
          summary: "List the collections of a business's catalogue",
          description: "The network is asked. SESSION only.",
        },
      },
    )
    .get(
      "/:id/orders/:orderId",
      ({ principal, params, query }) =>
        readOrder(env, principal, { id: params.id, orderId: params.orderId, token: query.token }),
      {
        query: Type.Object({
          token: described(Text(1, 500), "`content.orderToken` of the message with the order", "AR5sexemplo=="),
        }),
        response: read(OrderView),
        detail: {
          ...asks("getOrder"),
          summary: "Get what a customer has ordered",
          description: "Only the seller gets the token that the network wants. SESSION only.",
        },
      },
    )
    .get(
      "/:id/contacts/:to/business-profile",
      async ({ principal, params }) => {
        const profile = await businessProfileOf(env, principal, { id: params.id, to: params.to });
        return { isBusiness: profile !== null, profile };
      },
      {
        response: read(
          Type.Object(
            {
              isBusiness: Type.Boolean({ description: "Whether the person has a business profile" }),
              profile: described(
                Nullable(BusinessProfileView),
                "What the person's app shows of the business; null without one",
              ),
            },
            { title: "ContactBusinessProfile" },
          ),
        ),
        detail: {
          ...asks("getContactBusinessProfile"),
          summary: "Get the business profile of a person",
          description: "SESSION only.",
        },
      },
    )
    .get(
      "/:id/contacts/:to/about",
      async ({ principal, params }) => ({ about: await aboutOf(env, principal, { id: params.id, to: params.to }) }),
      {
        response: read(
          Type.Object(
            {
              about: described(
                TextOrNull,
                "The line beside the name; null without one, or if the phone may not see it",
                "Pães e bolos todos os dias",
              ),
            },
            { title: "ContactAbout" },
          ),
        ),
        detail: {
          ...asks("getContactAbout"),
          summary: "Get the about text of a person, as the phone may see it",
          description: "SESSION only.",
        },
      },
    );
