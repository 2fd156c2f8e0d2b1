import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  issuePlatformKey,
  type Key,
  keysOf,
  MAX_ALLOWED_ADDRESSES,
  PERMISSIONS,
  revokePlatformKey,
} from "../../../core/tenancy/keys/keys.ts";
import {
  institutionsOf,
  type LoggedIn,
  login,
  register,
  selectInstitution,
} from "../../../core/tenancy/people/users.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { AnyText, DateTime, OneOf, Text } from "../../../kernel/schema.ts";
import { FilledText, UserEmail } from "../../shared/docs/texts.ts";
import { visitorOf } from "../../shared/http/request.ts";
import { type PlatformAuth, tokenOf, userOf } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, InstantOrNull, Nothing, REFUSALS, SECOND_STEP_FIELDS, TextErrorView } from "../schemas.ts";

const UserView = Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }, { title: "User" });
const InstitutionView = Type.Object({ id: Type.String(), name: Type.String() }, { title: "Institution" });
export const SignedInView = Type.Object(
  { token: Type.String(), user: UserView, institution: InstitutionView },
  { title: "SignedIn" },
);
export const LoginView = Type.Object(
  {
    requiresInstitutionSelection: Type.Optional(Type.Boolean()),
    token: Type.String(),
    user: Type.Optional(UserView),
    institutions: Type.Optional(Type.Array(InstitutionView)),
  },
  { title: "LoggedIn" },
);
export const loginView = ({ kind, ...signedIn }: LoggedIn): Static<typeof LoginView> =>
  kind === "pending" ? { requiresInstitutionSelection: true, ...signedIn } : signedIn;

const TEXT_REFUSALS = {
  400: TextErrorView,
  401: TextErrorView,
  403: TextErrorView,
  429: TextErrorView,
  503: TextErrorView,
};

/** Registration, login and the choice of an institution. */
export const sessions = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/auth", tags: ["auth"] }).use(entrance(env)).use(selection(env, auth));

const entrance = (env: PlatformEnv) =>
  new Elysia()
    .post(
      "/register",
      async ({ body, status, request }) => status(201, await register(env, body, visitorOf(request))),
      {
        body: Type.Object({
          name: FilledText(1, 200),
          email: UserEmail,
          password: Text(8, 1024),
          institutionName: FilledText(1, 200),
        }),
        response: { 201: SignedInView, ...TEXT_REFUSALS },
        detail: {
          ...routeOptions({ access: "public", errors: "text" }),
          operationId: "register",
          summary: "Register a user together with an institution",
          description: "The token is good for seven days.",
          security: [],
        },
      },
    )
    .post("/login", async ({ body, request }) => loginView(await login(env, body, visitorOf(request))), {
      body: Type.Object({ email: AnyText(), password: AnyText(), ...SECOND_STEP_FIELDS }),
      response: { 200: LoginView, ...TEXT_REFUSALS },
      detail: {
        ...routeOptions({ access: "public", errors: "text" }),
        operationId: "login",
        summary: "Log in",
        description:
          "A user of several institutions gets a token that is good only for choosing one. Who has a second step of " +
          "sign-in gets 403 SECOND_STEP_REQUIRED without a right `totp` or `recovery`.",
        security: [],
      },
    });

const selection = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/select-institution",
      ({ principal, body }) => selectInstitution(env, tokenOf(principal), body.institutionId),
      {
        userOnly: true,
        body: Type.Object({ institutionId: AnyText() }),
        response: { 200: SignedInView, ...REFUSALS },
        detail: {
          ...routeOptions({ access: "pending" }),
          operationId: "selectInstitution",
          summary: "Choose an institution and get a complete token",
        },
      },
    )
    .get(
      "/institutions",
      async ({ principal }) => ({ institutions: await institutionsOf(env, userOf(principal).userId) }),
      {
        userOnly: true,
        response: { 200: Type.Object({ institutions: Type.Array(InstitutionView) }), ...REFUSALS },
        detail: {
          ...routeOptions({ access: "pending" }),
          operationId: "listInstitutions",
          summary: "List the user's institutions",
        },
      },
    );

const CreateKeyBody = Type.Object({
  name: Text(3, 100),
  permissions: Type.Array(OneOf(PERMISSIONS, { title: "Permission" }), { minItems: 1 }),
  rateLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  expiresAt: Type.Optional(DateTime()),
  environment: Type.Optional(OneOf(["live", "test"], { title: "Environment" })),
  allowedAddresses: Type.Optional(
    Type.Array(Text(1, 50), {
      maxItems: MAX_ALLOWED_ADDRESSES,
      description: "IP addresses and CIDRs from which alone the key may be used",
    }),
  ),
});
const KeyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  permissions: Type.Array(Type.String()),
  environment: OneOf(["live", "test"], { title: "Environment" }),
  expiresAt: Type.Optional(Instant),
  allowedAddresses: Type.Optional(Type.Array(Type.String())),
  createdAt: Instant,
};
const CreatedKeyView = Type.Object({ ...KeyFields, key: Type.String() }, { title: "CreatedApiKey" });
export const KeyView = Type.Object({ ...KeyFields, lastUsedAt: InstantOrNull }, { title: "ApiKey" });

const keyFields = ({ id, name, prefix, permissions, environment, expiresAt, allowedAddresses, createdAt }: Key) => ({
  id,
  name,
  prefix,
  permissions,
  environment,
  ...(expiresAt === null ? {} : { expiresAt: iso(expiresAt) }),
  ...(allowedAddresses.length === 0 ? {} : { allowedAddresses }),
  createdAt: iso(createdAt),
});

/** The response to a creation shows a shorter prefix of the key than the list, because it has the key itself. */
const SHORTER_BY = 4;

export const keyView = (key: Key): Static<typeof KeyView> => ({
  ...keyFields(key),
  lastUsedAt: isoOrNull(key.lastUsedAt),
});

export const apiKeys = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/api-keys", tags: ["api-keys"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const issued = await issuePlatformKey(env, principal, body);
        return status(201, { ...keyFields(issued), prefix: issued.prefix.slice(0, -SHORTER_BY), key: issued.key });
      },
      {
        power: "keys.write",
        body: CreateKeyBody,
        response: { 201: CreatedKeyView, ...REFUSALS },
        detail: {
          operationId: "createApiKey",
          summary: "Create an API key",
          description: "`key` is shown only now. Only a user's token can do it.",
        },
      },
    )
    .get(
      "/",
      async ({ principal }) => ({
        data: (await keysOf(env, principal, "platform", { withRevoked: false })).map(keyView),
      }),
      {
        power: "keys.read",
        response: { 200: Type.Object({ data: Type.Array(KeyView) }, { title: "ApiKeyList" }), ...REFUSALS },
        detail: {
          operationId: "listApiKeys",
          summary: "List the institution's API keys",
          description: "The keys themselves are never shown.",
        },
      },
    )
    .delete(
      "/:apiKeyId",
      async ({ principal, params, status }) => {
        await revokePlatformKey(env, principal, params.apiKeyId);
        return status(204, undefined);
      },
      {
        power: "keys.write",
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          operationId: "revokeApiKey",
          summary: "Revoke an API key at once",
          description: "404 where it is revoked already.",
        },
      },
    );
