import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  issuePlatformKey,
  type Key,
  MAX_ALLOWED_ADDRESSES,
  PERMISSIONS,
  readKeys,
  revokePlatformKey,
} from "../../../core/tenancy/keys/keys.ts";
import {
  type LoggedIn,
  login,
  readInstitutions,
  register,
  selectInstitution,
} from "../../../core/tenancy/people/users.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { AnyText, DateTime, described, OneOf, Text } from "../../../kernel/schema.ts";
import { FilledText, UserEmail } from "../../shared/docs/texts.ts";
import { CreatedAt, IDS, Id, inPath } from "../../shared/fields.ts";
import { visitorOf } from "../../shared/http/request.ts";
import { type PlatformAuth, requireToken, requireUser } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, Nothing, REFUSALS, SECOND_STEP_FIELDS, TextErrorView } from "../schemas.ts";

const UserView = Type.Object(
  {
    id: Id("The user's id"),
    name: Type.String({ description: "The name of the user", examples: ["Maria Souza"] }),
    email: Type.String({ description: "The e-mail address for signing in", examples: ["maria@example.com"] }),
  },
  { title: "User" },
);
const InstitutionView = Type.Object(
  {
    id: Id("The institution's id"),
    name: Type.String({ description: "The name of the business", examples: ["Padaria Estrela"] }),
  },
  { title: "Institution" },
);
export const SignedInView = Type.Object(
  {
    token: Type.String({
      description: "The value for `Authorization: Bearer`",
      examples: ["eyJhbGciOiJFZERTQSJ9.exemplo.assinatura"],
    }),
    user: described(UserView, "Who signed in"),
    institution: described(InstitutionView, "The institution that the token is good for"),
  },
  { title: "SignedIn" },
);
export const LoginView = Type.Object(
  {
    requiresInstitutionSelection: Type.Optional(
      Type.Boolean({ description: "The token is good only for choosing one" }),
    ),
    token: Type.String({
      description: "The value for `Authorization: Bearer`",
      examples: ["eyJhbGciOiJFZERTQSJ9.exemplo.assinatura"],
    }),
    user: Type.Optional(described(UserView, "The user; absent if several institutions can be chosen")),
    institutions: Type.Optional(
      Type.Array(InstitutionView, { description: "The institutions of the user; absent if there is only one" }),
    ),
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
          name: described(FilledText(1, 200), "The name of the user", "Maria Souza"),
          email: described(UserEmail, "The e-mail address for signing in", "maria@example.com"),
          password: described(Text(8, 1024), "At least 8 characters", "uma-senha-longa"),
          institutionName: described(
            FilledText(1, 200),
            "The name of the new institution, which the user owns",
            "Padaria Estrela",
          ),
        }),
        response: { 201: SignedInView, ...TEXT_REFUSALS },
        detail: {
          ...route({
            operationId: "register",
            acts: ["institution.create", "session.begin"],
            isolation: "none: a new user asks",
            access: "public",
            errors: "text",
          }),
          summary: "Register a user together with an institution",
          description: "The token is good for seven days.",
          security: [],
        },
      },
    )
    .post("/login", async ({ body, request }) => loginView(await login(env, body, visitorOf(request))), {
      body: Type.Object({
        email: described(AnyText(), "The e-mail address of the user", "maria@example.com"),
        password: described(AnyText(), "The password of the user", "uma-senha-longa"),
        ...SECOND_STEP_FIELDS,
      }),
      response: { 200: LoginView, ...TEXT_REFUSALS },
      detail: {
        ...route({
          operationId: "login",
          acts: ["recovery-codes.use", "session.begin"],
          isolation: { email: "email" },
          access: "public",
          errors: "text",
        }),
        summary: "Log in",
        description:
          "A user of several institutions gets a token that can only choose an institution. A user with a " +
          "second step of sign-in gets 403 SECOND_STEP_REQUIRED without a valid `totp` or `recovery`.",
        security: [],
      },
    });

const selection = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/select-institution",
      ({ principal, body }) => selectInstitution(env, requireToken(principal), body.institutionId),
      {
        body: Type.Object({
          institutionId: described(AnyText(), "One of the institutions that the login named", IDS.institution),
        }),
        response: { 200: SignedInView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "selectInstitution",
            acts: "none: part of another",
            isolation: { institutionId: "account" },
            access: "pending",
          }),
          summary: "Choose an institution and get a complete token",
          description: "A login with several institutions gives a token that needs this choice first.",
        },
      },
    )
    .get(
      "/institutions",
      async ({ principal }) => ({ institutions: await readInstitutions(env, requireUser(principal).userId) }),
      {
        response: {
          200: Type.Object({
            institutions: Type.Array(InstitutionView, { description: "Every institution of the user" }),
          }),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listInstitutions", access: "pending", isolation: "own" }),
          summary: "List the user's institutions",
          description: "A token that still needs the choice of an institution is enough.",
        },
      },
    );

const CreateKeyBody = Type.Object({
  name: described(Text(3, 100), "The institution's name for the key; 3 to 100 characters", "Integração do site"),
  permissions: Type.Array(OneOf(PERMISSIONS, { title: "Permission" }), {
    minItems: 1,
    description: "The permissions of the key",
    examples: [["messages.send"]],
  }),
  rateLimit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: "Requests a minute; 60 by default", examples: [60] }),
  ),
  expiresAt: Type.Optional(
    described(DateTime(), "When the key stops working, in the future; never by default", "2027-11-22T12:00:00.000Z"),
  ),
  environment: Type.Optional(
    OneOf(["live", "test"], {
      title: "Environment",
      description: "`live` by default; with `test` nothing reaches a network",
    }),
  ),
  allowedAddresses: Type.Optional(
    Type.Array(Text(1, 50), {
      maxItems: MAX_ALLOWED_ADDRESSES,
      description: "The only IP addresses and CIDRs from which the key may be used",
      examples: [["203.0.113.0/24"]],
    }),
  ),
});
const KeyFields = {
  id: Id("The key's id"),
  name: Type.String({ description: "The institution's name for the key", examples: ["Integração do site"] }),
  prefix: Type.String({ description: "The beginning of the key, to recognise it", examples: ["oapi_sk_live_Zk3v"] }),
  permissions: Type.Array(Type.String(), { description: "The permissions of the key", examples: [["messages.send"]] }),
  environment: OneOf(["live", "test"], {
    title: "Environment",
    description: "`live`, or `test`, which reaches no network",
  }),
  expiresAt: Type.Optional(
    described(Instant, "When the key stops working; absent means never", "2027-11-22T12:00:00.000Z"),
  ),
  allowedAddresses: Type.Optional(
    Type.Array(Type.String(), {
      description: "IP addresses and CIDRs that may use the key; empty means everywhere",
      examples: [["203.0.113.0/24"]],
    }),
  ),
  createdAt: CreatedAt("key"),
};
const CreatedKeyView = Type.Object(
  {
    ...KeyFields,
    key: Type.String({
      description: "The key itself, which is shown only now",
      examples: ["oapi_sk_live_Zk3vX9pQ2rT7wL5m"],
    }),
  },
  { title: "CreatedApiKey" },
);
export const KeyView = Type.Object(
  { ...KeyFields, lastUsedAt: described(InstantOrNull, "When the key was last used; null before") },
  { title: "ApiKey" },
);

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
  new Elysia({
    prefix: "/v1/api-keys",
    tags: ["api-keys"],
    detail: inPath({ apiKeyId: Id("The key's id, not the key") }),
  })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const issued = await issuePlatformKey(env, principal, body);
        return status(201, { ...keyFields(issued), prefix: issued.prefix.slice(0, -SHORTER_BY), key: issued.key });
      },
      {
        body: CreateKeyBody,
        response: { 201: CreatedKeyView, ...REFUSALS },
        detail: {
          ...route({ operationId: "createApiKey", power: "keys.write", acts: ["key.create"], isolation: "own" }),
          summary: "Create an API key",
          description: "`key` is shown only now. Only a user's token can do it.",
        },
      },
    )
    .get(
      "/",
      async ({ principal }) => ({
        data: (await readKeys(env, principal, "platform")).map(keyView),
      }),
      {
        response: {
          200: Type.Object(
            { data: Type.Array(KeyView, { description: "Every key of the institution" }) },
            { title: "ApiKeyList" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listApiKeys", power: "keys.read", isolation: "own" }),
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
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "revokeApiKey",
            power: "keys.write",
            acts: ["key.revoke"],
            isolation: { apiKeyId: "key" },
          }),
          summary: "Revoke an API key at once",
          description: "404 if it is revoked already.",
        },
      },
    );
