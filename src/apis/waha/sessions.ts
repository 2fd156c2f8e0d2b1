import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { isOpenState } from "../../contract/events.ts";
import type { ChannelPlugin } from "../../contract/plugin.ts";
import { type Channel, createChannel, getChannel, readChannels } from "../../core/channels/channel.ts";
import { connectChannel, logoutChannel, reconnectChannel } from "../../core/channels/links/connection.ts";
import { addChannelSettings } from "../../core/channels/settings/settings.ts";
import { removeChannel } from "../../core/removal.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { issue, Text } from "../../kernel/schema.ts";
import { type Principal, removedSessionOf, sessionNamed, sessionOf, sessionToRemove, type WahaAuth } from "./auth.ts";
import type { WahaEnv } from "./env.ts";
import { refuse } from "./errors.ts";
import { addWebhooks } from "./events/webhooks.ts";
import { routeOptions } from "./route-options.ts";
import { optionalFlag } from "./sends/sending.ts";
import { ConfigBody, changeConfig, checkedConfig, configView, refusalOfConfig } from "./session-config.ts";
import { meOf, sessionStatusOf, sessionView } from "./session-views.ts";

const read = { ...routeOptions({ scope: "phones.read" }) };
const write = { ...routeOptions({ scope: "phones.write" }) };
const linked = { ...routeOptions({ scope: "phones.write", link: "required" }) };
const removing = { ...routeOptions({ scope: "phones.write", link: "required", removes: true }) };
const named = { ...routeOptions({ scope: "phones.write", link: "required", names: "body-name" }) };

const name = Type.Optional(Type.Union([Text(1, 120), Type.Null()]));
const UpdateBody = Type.Object({ config: Type.Optional(Type.Union([ConfigBody, Type.Null()])) });
const CreateBody = Type.Object({ name, start: optionalFlag, ...UpdateBody.properties });
const StartBody = Type.Object({ name: Type.Optional(Text(1, 120)), ...UpdateBody.properties });
const NamedBody = Type.Object({ name: Text(1, 120) });
const StopBody = Type.Object({ name: Type.Optional(Text(1, 120)), logout: optionalFlag });

/** The adapter of phones that are linked by a QR code. @throws AppError ADAPTER_MISSING */
const pairedAdapter = ({ registry }: WahaEnv): ChannelPlugin => {
  const adapter = registry.adapters.find(({ network }) => network.isPaired);
  if (adapter) return adapter;
  throw new AppError("ADAPTER_MISSING", { message: "This server has no adapter for sessions." });
};

/** Starts to connect a session that does not. A session that is connected, or under way, stays as it is. */
const start = async (env: WahaEnv, principal: Principal, { id, state, validatedAt }: Channel): Promise<void> => {
  if (isOpenState(state)) return;
  if (validatedAt === null) await connectChannel(env, principal, id);
  else await reconnectChannel(env, principal, id);
};

/** A session with what it was given, as far as the key may see it. */
const viewOf = async (env: WahaEnv, principal: Principal, channel: Channel) =>
  sessionView(channel, await configView(env, principal, channel));

const viewNow = async (env: WahaEnv, principal: Principal, { id }: Pick<Channel, "id">) =>
  viewOf(env, principal, await getChannel(env, principal, id));

const started = async (env: WahaEnv, principal: Principal, session: Channel) => {
  await start(env, principal, session);
  return viewNow(env, principal, session);
};

const create = async (env: WahaEnv, principal: Principal, body: Static<typeof CreateBody>) => {
  const label = body.name ?? `session_${newId(env)}`;
  const { kind } = pairedAdapter(env);
  const { webhooks, settings, anyTimeSettings } = await checkedConfig(env, kind, body.config ?? {});
  const { channel } = await createChannel(
    env,
    principal,
    { kind, label, isLabelUnique: true, state: "DISCONNECTED", settings },
    async (tx, made) => {
      await addWebhooks(env, tx, made, webhooks);
      await addChannelSettings(env, tx, made, anyTimeSettings);
    },
  );
  return (body.start ?? true) ? started(env, principal, channel) : viewNow(env, principal, channel);
};

/** Removes a session. What is not there is removed already, as WAHA answers. */
const remove = async (env: WahaEnv, principal: Principal, session: Channel | undefined): Promise<void> => {
  if (session) await removeChannel(env, principal, session.id, { deregister: false });
};

/** Sessions: the account's phones by their names. */
export const sessions = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api" })
    .use(auth)
    .get(
      "/sessions",
      async ({ principal, query: { all } }) => {
        const found = await readChannels(env, principal);
        const shown = found.filter((one) => all === "true" || sessionStatusOf(one) !== "STOPPED");
        return Promise.all(shown.map((one) => viewOf(env, principal, one)));
      },
      { query: Type.Object({ all: Type.Optional(Type.String()) }), detail: read },
    )
    .post(
      "/sessions",
      async ({ principal, body }) =>
        refusalOfConfig(principal, body.config) ?? status(201, await create(env, principal, body)),
      { body: CreateBody, detail: write },
    )
    .get("/sessions/:session", ({ principal, request }) => viewOf(env, principal, sessionOf(request)), { detail: read })
    .put(
      "/sessions/:session",
      async ({ principal, request, body: { config } }) => {
        const refusal = refusalOfConfig(principal, config);
        if (refusal) return refusal;
        const session = sessionOf(request);
        if (config) await changeConfig(env, principal, session, config);
        return viewNow(env, principal, session);
      },
      { body: UpdateBody, detail: linked },
    )
    .get("/sessions/:session/me", ({ request }) => meOf(sessionOf(request)), { detail: read })
    .delete(
      "/sessions/:session",
      async ({ principal, request }) => {
        await remove(env, principal, removedSessionOf(request));
        return new Response(null, { status: 200 });
      },
      { detail: removing },
    )
    .post(
      "/sessions/:session/start",
      async ({ principal, request }) => status(201, await started(env, principal, sessionOf(request))),
      { detail: linked },
    )
    .post(
      "/sessions/:session/restart",
      async ({ principal, request }) => status(201, await started(env, principal, sessionOf(request))),
      { detail: linked },
    )
    .post(
      "/sessions/:session/logout",
      async ({ principal, request }) => {
        const session = sessionOf(request);
        await logoutChannel(env, principal, session.id);
        return status(201, await viewNow(env, principal, session));
      },
      { detail: linked },
    );

/** The earlier forms of the same, which name their session in the body. */
export const formerSessions = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api" })
    .use(auth)
    .post(
      "/sessions/start",
      async ({ principal, body: { name, config } }) => {
        const refusal = refusalOfConfig(principal, config);
        if (refusal) return refusal;
        const known = await sessionNamed(env, principal, name).catch((refusal: unknown) => {
          if (refusal instanceof AppError && refusal.code === "CHANNEL_NOT_FOUND") return undefined;
          throw refusal;
        });
        if (!known)
          return status(201, await create(env, principal, { name: name ?? "default", config: config ?? null }));
        if (config) await changeConfig(env, principal, known, config);
        return status(201, await started(env, principal, known));
      },
      { body: StartBody, detail: named },
    )
    .post(
      "/sessions/stop",
      async ({ principal, body: { name, logout } }) => {
        if (!logout)
          return refuse(501, { message: "Recado does not stop a session: it stays connected until it is logged out." });
        if (name === undefined) throw invalid(issue("name", "required", "is required"));
        await remove(env, principal, await sessionToRemove(env, principal, name));
        return new Response(null, { status: 201 });
      },
      { body: StopBody, detail: named },
    )
    .post(
      "/sessions/logout",
      async ({ principal, body: { name } }) => {
        await remove(env, principal, await sessionToRemove(env, principal, name));
        return new Response(null, { status: 201 });
      },
      { body: NamedBody, detail: named },
    );
