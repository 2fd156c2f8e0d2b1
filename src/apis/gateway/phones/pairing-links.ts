import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  createPairingLink,
  DEFAULT_MINUTES,
  MOST_MINUTES,
  type PairingLink,
  readPairingLinks,
  withdrawPairingLink,
} from "../../../core/channels/pairing/pairing-links.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, Nothing, OptionalBody, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const LinkFields = {
  id: Id("The link's id"),
  label: Nullable(
    Type.String({ description: "The title of the page; null shows the phone's own label", examples: ["Loja Centro"] }),
  ),
  state: OneOf(["open", "paired", "revoked", "expired"], {
    title: "PairingLinkState",
    description: "`paired`: the phone was connected",
  }),
  createdBy: Type.String({
    description: "Who made the link: `key:<id>`, `user:<id>` or `operator:<id>`",
    examples: ["key:019a1b2c-3d4e-4f50-8a61-b2c3d4e5f601"],
  }),
  createdAt: CreatedAt("link"),
  expiresAt: described(Instant, "The link opens until this time", "2026-11-29T12:00:00.000Z"),
  openedAt: described(InstantOrNull, "When its page was first opened; null before"),
  endedAt: described(InstantOrNull, "When it was used or taken back; null before"),
};
const LinkView = Type.Object(LinkFields, { title: "PairingLink" });
const NewLinkView = Type.Object(
  {
    ...LinkFields,
    url: Type.String({
      description: "The page to send to the owner of the phone; shown only now",
      examples: ["https://recado.example.com/console/pair/0f8e2c4a6b1d3f5e7a9c0b2d4e6f8a1c"],
    }),
  },
  { title: "NewPairingLink" },
);
const Body = OptionalBody({
  label: Type.Optional(
    described(
      Nullable(Text(1, 120)),
      "The title of the page, which everybody with the link reads; null or absent shows the phone's own label",
      "Loja Centro",
    ),
  ),
  minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_MINUTES,
      default: DEFAULT_MINUTES,
      description: "For how many minutes the link works",
    }),
  ),
});

const linkView = (link: PairingLink) => toView(LinkView, link);

/** Whoever has such a link can pair the phone, so even the list needs the scope to write. */
const TAKES_OVER = { scope: "phones.write" };

/** Links with which somebody without an account pairs a phone on their own screen. */
export const pairingLinks = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["phones"],
    detail: inPath({ ...PHONE_IN_PATH, linkId: Id("The link's id, which is not in its address") }),
  })
    .use(auth)
    .post(
      "/:id/pairing-links",
      async ({ principal, params, body, status }) => {
        const link = await createPairingLink(env, principal, params.id, body ?? {});
        return status(201, { ...linkView(link), url: link.url });
      },
      {
        body: Body,
        response: { 201: NewLinkView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "createPairingLink",
            ...TAKES_OVER,
            acts: ["pairing-link.create"],
            isolation: { id: "channel" },
          }),
          summary: "Make a link with which another person pairs the phone",
          description:
            "The page behind `url` needs no account. It shows the label, the codes and the result. The link " +
            "ends when the phone is paired, when the link is revoked, or when its time is over. `url` is shown " +
            "only now.",
        },
      },
    )
    .get(
      "/:id/pairing-links",
      async ({ principal, params }) => ({
        items: (await readPairingLinks(env, principal, params.id)).map(linkView),
      }),
      {
        response: {
          200: Type.Object(
            { items: Type.Array(LinkView, { description: "Every link of the phone, newest first" }) },
            { title: "PairingLinkList" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listPairingLinks", ...TAKES_OVER, isolation: { id: "channel" } }),
          summary: "List the phone's pairing links, newest first",
          description: "Includes links that ended in the last day. Their addresses are never shown.",
        },
      },
    )
    .delete(
      "/:id/pairing-links/:linkId",
      async ({ principal, params, status }) => {
        await withdrawPairingLink(env, principal, params.id, params.linkId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "revokePairingLink",
            ...TAKES_OVER,
            acts: ["pairing-link.revoke"],
            isolation: { id: "channel", linkId: "pairingLink" },
          }),
          summary: "Revoke a pairing link at once",
          description: "Its page stops working. A phone that was paired by it stays connected.",
        },
      },
    );
