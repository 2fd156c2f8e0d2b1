import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  createPairingLink,
  DEFAULT_MINUTES,
  MOST_MINUTES,
  type PairingLink,
  pairingLinksOf,
  withdrawPairingLink,
} from "../../../core/channels/pairing/pairing-links.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Instant, InstantOrNull, Nothing, OptionalBody, REFUSALS } from "../schemas.ts";

const LinkFields = {
  id: Type.String(),
  label: Nullable(Type.String()),
  state: OneOf(["open", "paired", "revoked", "expired"], { title: "PairingLinkState" }),
  createdBy: Type.String(),
  createdAt: Instant,
  expiresAt: Instant,
  openedAt: InstantOrNull,
  endedAt: InstantOrNull,
};
const LinkView = Type.Object(LinkFields, { title: "PairingLink" });
const NewLinkView = Type.Object({ ...LinkFields, url: Type.String() }, { title: "NewPairingLink" });
const Body = OptionalBody({
  label: Type.Optional(Nullable(Text(1, 120))),
  minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_MINUTES, default: DEFAULT_MINUTES })),
});

const linkView = (link: PairingLink): Static<typeof LinkView> => ({
  id: link.id,
  label: link.label,
  state: link.state,
  createdBy: link.createdBy,
  createdAt: iso(link.createdAt),
  expiresAt: iso(link.expiresAt),
  openedAt: isoOrNull(link.openedAt),
  endedAt: isoOrNull(link.endedAt),
});

/** Who has such a link can pair the phone, so even the list needs the scope to write. */
const TAKES_OVER = { "x-scope": "phones.write" };

/** Links by which somebody without an account pairs a phone on their own screen. */
export const pairingLinks = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
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
          ...TAKES_OVER,
          operationId: "createPairingLink",
          summary: "Make a link with which somebody else pairs the phone",
          description:
            "The page behind `url` needs no account. It shows the label, the codes and whether it worked. The link " +
            "ends when the phone is paired, when it is revoked, or in time. `url` is shown only now.",
        },
      },
    )
    .get(
      "/:id/pairing-links",
      async ({ principal, params }) => ({
        items: (await pairingLinksOf(env, principal, params.id)).map(linkView),
      }),
      {
        response: { 200: Type.Object({ items: Type.Array(LinkView) }, { title: "PairingLinkList" }), ...REFUSALS },
        detail: {
          ...TAKES_OVER,
          operationId: "listPairingLinks",
          summary: "List the phone's pairing links, newest first",
          description: "Also those that ended in the last day. Their addresses are never shown.",
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
          ...TAKES_OVER,
          operationId: "revokePairingLink",
          summary: "Take a pairing link back at once",
        },
      },
    );
