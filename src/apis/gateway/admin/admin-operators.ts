import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  createOperator,
  linkForOperator,
  type OperatorMade,
  readOperators,
  removeOperator,
} from "../../../core/tenancy/people/operators.ts";
import { described } from "../../../kernel/schema.ts";
import { FilledText, UserEmail } from "../../shared/docs/texts.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { toView } from "../../shared/view.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT, Instant, Nothing } from "../schemas.ts";

const OperatorView = Type.Object(
  {
    id: Id("The operator's id"),
    name: Type.String({ description: "How the console shows the operator", examples: ["Maria Souza"] }),
    email: Type.String({ description: "The e-mail address for signing in", examples: ["maria@example.com"] }),
    hasPassword: Type.Boolean({ description: "Whether the operator has chosen a password yet" }),
    hasSecondStep: Type.Boolean({ description: "Whether signing in takes a code or a passkey too" }),
    createdAt: CreatedAt("operator"),
  },
  { title: "Operator" },
);
const OperatorLink = Type.Object(
  {
    id: Id("The operator's id"),
    email: Type.String({ description: "The address that the link was made for", examples: ["maria@example.com"] }),
    link: Type.String({
      description: "Opens once; absent if it was mailed",
      examples: ["https://recado.example/convite/Zk3vX9pQ"],
    }),
    expiresAt: described(Instant, "The link opens until this time", "2026-11-29T12:00:00.000Z"),
  },
  { title: "OperatorLink" },
);
const OperatorList = Type.Object(
  { items: Type.Array(OperatorView, { description: "Every operator, oldest first" }) },
  { title: "OperatorList" },
);

const made = (operator: OperatorMade) => toView(OperatorLink, operator);

/** The administrator's routes for the people who run the server. */
export const adminOperators = (env: GatewayEnv) =>
  new Elysia({ detail: inPath({ id: Id("The operator, as `GET /v1/admin/operators` lists it") }) })
    .get(
      "/operators",
      async () => ({ items: (await readOperators(env)).map((operator) => toView(OperatorView, operator)) }),
      {
        response: { 200: OperatorList, ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "listOperators", isolation: "administrator" }),
          summary: "List the operators, in the order of their creation",
          description: "The answer has every operator.",
        },
      },
    )
    .post(
      "/operators",
      async ({ body, status, request }) => {
        requireFreshProof(env, request);
        return status(201, made(await createOperator(env, administratorOf(request), body)));
      },
      {
        body: Type.Object(
          {
            name: described(FilledText(1, 200), "How the console shows the operator", "Maria Souza"),
            email: described(UserEmail, "The e-mail address for signing in", "maria@example.com"),
          },
          { title: "NewOperator" },
        ),
        response: { 201: OperatorLink, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...route({ operationId: "createOperator", acts: ["operator.create"], isolation: "administrator" }),
          summary: "Make an operator, who signs in to the console",
          description: "The operator chooses a password by the link, within an hour. The link is shown only now.",
        },
      },
    )
    .post(
      "/operators/reset",
      async ({ body, status, request }) => {
        requireFreshProof(env, request);
        return status(201, made(await linkForOperator(env, administratorOf(request), body.email)));
      },
      {
        body: Type.Object(
          { email: described(UserEmail, "The e-mail address of the operator", "maria@example.com") },
          { title: "OperatorReset" },
        ),
        response: { 201: OperatorLink, ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "resetOperator", acts: ["operator.make-link"], isolation: "administrator" }),
          summary: "Make a link with which an operator signs in again",
          description:
            "With the new password the operator's passkeys, codes and sessions end. The link is good once, within an hour.",
        },
      },
    )
    .delete(
      "/operators/:id",
      async ({ params, status, request }) => {
        requireFreshProof(env, request);
        await removeOperator(env, administratorOf(request), params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...route({ operationId: "deleteOperator", acts: ["operator.delete"], isolation: "administrator" }),
          summary: "Delete an operator",
          description: "Their sessions end at once. The last operator stays.",
        },
      },
    );
