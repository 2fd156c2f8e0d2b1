import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ChannelKind } from "../../contract/kind.ts";
import { type Channel, createChannel, getChannel, readChannels } from "../../core/channels/channel.ts";
import { connectChannel, disconnectChannel } from "../../core/channels/links/connection.ts";
import { awayReasonOf } from "../../core/channels/links/report.ts";
import { passkeyPageOf } from "../../core/channels/pairing/passkey.ts";
import { connectSimulated, disconnectSimulated, simulatedConnectionOf } from "../../core/channels/sandbox.ts";
import { replaceCredentials } from "../../core/channels/settings/credentials.ts";
import { creationFields } from "../../core/channels/settings/phone-settings.ts";
import type { ShownHint } from "../../core/domain-event.ts";
import { removeChannel } from "../../core/removal.ts";
import { iso } from "../../kernel/clock.ts";
import { described, KnownWord, OneOf, OwnWord, Text } from "../../kernel/schema.ts";
import { credentialsBody, credentialsOf } from "../shared/channels/channel-kinds.ts";
import { CreatedAt, Id, inPath } from "../shared/fields.ts";
import { qrPng } from "../shared/qr.ts";
import { checkOwner, type PlatformAuth, type Principal } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { Instant, Nothing, REFUSALS } from "./schemas.ts";
import { CHANNEL_STATUSES, channelTypes, hiddenKinds, statusOf, typeOf } from "./words.ts";

/** Why a channel is not connected, if that is known. */
const Away = {
  statusReason: Type.Optional(
    Type.String({ description: "Why it is not connected, such as PARTNER_REMOVED", examples: ["PARTNER_REMOVED"] }),
  ),
  statusSince: Type.Optional(described(Instant, "When it got its status")),
};
/** The request and response schemas of channels, by the installed kinds. */
const schemasOf = (registry: PlatformEnv["registry"]) => {
  const types = [...channelTypes(registry).keys()];
  const fields = {
    id: Id("The channel's id"),
    name: Type.String({ description: "The institution's name for the channel", examples: ["Loja Centro"] }),
    type: KnownWord(types, { title: "ChannelType", description: "The kind of channel, which decides what it can do" }),
    status: OneOf(CHANNEL_STATUSES, {
      title: "ChannelStatus",
      description: "Whether the channel is connected",
      examples: ["CONNECTED"],
    }),
  };
  return {
    CreateBody: Type.Object({
      name: described(Text(1, 120), "The institution's name for the channel", "Loja Centro"),
      history: creationFields(registry, ({ kind }) => typeOf(registry, kind)).history,
      type: OwnWord(types, {
        title: "ChannelType",
        description: "One of the types of `GET /v1/channel-types`. It cannot be changed later",
      }),
      credentials: Type.Optional(
        described(credentialsOf(registry), "The credentials of the channel's type", {
          phoneNumberId: "5647382910",
          businessAccountId: "1029384756",
          accessToken: "EAAGexemplo",
        }),
      ),
    }),
    CreatedView: Type.Object({ ...fields, createdAt: CreatedAt("channel") }, { title: "CreatedChannel" }),
    ChannelView: Type.Object(
      {
        ...fields,
        phoneNumber: Type.Optional(
          Type.String({
            description: "Digits with country code; absent if unknown",
            examples: ["5511999990001"],
          }),
        ),
        connectedAt: Type.Optional(
          described(Instant, "When the channel last connected; present while it is connected"),
        ),
        ...Away,
        createdAt: CreatedAt("channel"),
      },
      { title: "Channel" },
    ),
  };
};
type ChannelView = Static<ReturnType<typeof schemasOf>["ChannelView"]>;

const ConnectView = Type.Object(
  {
    status: OneOf(["CONNECTING"], { description: "The channel connects soon" }),
    qrCode: Type.String({
      description: "The QR code as a PNG, a base64 data URL; empty if no scan is needed",
      examples: ["data:image/png;base64,iVBORw0KGgo="],
    }),
    qr: Type.Optional(Type.String({ description: "The text in the QR code", examples: ["2@Zk3vX9pQ,abc=,def="] })),
    message: Type.String({
      description: "What happens next, for people; the words may change",
      examples: ["Scan the QR code."],
    }),
  },
  { title: "ChannelConnection" },
);
const DisconnectView = Type.Object(
  {
    status: OneOf(["DISCONNECTED"], { description: "The channel is not connected" }),
    message: Type.String({
      description: "What happened, for people; the words may change",
      examples: ["The channel is disconnected."],
    }),
  },
  { title: "DisconnectedChannel" },
);

/** The channel as the sender sees it: only test keys see a simulated connection. */
const channelView = (
  { registry, clock }: PlatformEnv,
  channel: Channel,
  { environment }: Pick<Principal, "environment">,
): ChannelView => {
  const { id, label, kind, createdAt } = channel;
  const simulated = environment === "test" ? simulatedConnectionOf(channel) : undefined;
  const { phoneNumber, connectedAt } = simulated ?? channel;
  const status = simulated ? "CONNECTED" : statusOf(channel);
  const isConnected = status === "CONNECTED";
  const reason = simulated ? null : awayReasonOf(channel, clock.now());
  return {
    id,
    name: label,
    type: typeOf(registry, kind),
    status,
    ...(isConnected && phoneNumber !== null ? { phoneNumber } : {}),
    ...(isConnected && connectedAt !== null ? { connectedAt: iso(connectedAt) } : {}),
    ...(reason === null
      ? {}
      : { statusReason: reason, ...(channel.stateSince === null ? {} : { statusSince: iso(channel.stateSince) }) }),
    createdAt: iso(createdAt),
  };
};

/** A channel of this API. Throws CHANNEL_NOT_FOUND, also for a kind that the API does not show. */
export const shownChannel = (env: PlatformEnv, principal: Principal, id: string): Promise<Channel> =>
  getChannel(env, principal, id, hiddenKinds(env.registry));

/** Simulates a connection at once for a test key, which never starts a real one. */
const connectAsTest = async (
  env: PlatformEnv,
  principal: Principal,
  { id, kind }: Channel,
): Promise<Static<typeof ConnectView>> => {
  await connectSimulated(env, principal, id);
  // a code in the usual form, which no chat app accepts
  const qr = env.registry.declared(kind)?.network.isPaired ? `simulated:${id}` : undefined;
  return {
    status: "CONNECTING",
    qrCode: qr ? await qrPng(qr) : "",
    ...(qr ? { qr } : {}),
    message: "The connection is simulated: a test key connects nothing real.",
  };
};

/** The message for the person who scans, with the address of the page for a passkey. */
const scanMessage = (hint: ShownHint | undefined, passkeyPage: string | undefined): string =>
  hint === undefined
    ? "Scan the QR code from the chat app's linked devices."
    : [hint.en, hint.pt, ...(passkeyPage === undefined ? [] : [passkeyPage])].join("\n");

/** Ends the simulated connection of a test key. Throws Forbidden for a real one. */
const disconnectAsTest = async (env: PlatformEnv, principal: Principal, channel: Channel): Promise<void> => {
  if (!simulatedConnectionOf(channel) && channel.state !== "DISCONNECTED") checkOwner(principal, channel);
  await disconnectSimulated(env, principal, channel.id);
};

export const channels = (env: PlatformEnv, auth: PlatformAuth) => {
  const { CreateBody, CreatedView, ChannelView } = schemasOf(env.registry);
  const types = channelTypes(env.registry);
  const kindOf = (type: string): ChannelKind => {
    const kind = types.get(type);
    if (kind === undefined) throw new Error(`the schema let the type ${type} through`);
    return kind;
  };
  return new Elysia({
    prefix: "/v1/channels",
    tags: ["channels"],
    detail: inPath({ channelId: Id("The channel, as `GET /v1/channels` lists it", "phone") }),
  })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { channel } = await createChannel(env, principal, {
          kind: kindOf(body.type),
          label: body.name,
          environment: principal.environment,
          state: "DISCONNECTED",
          ...(body.credentials === undefined ? {} : { credentials: body.credentials }),
          settings: body.history === undefined ? {} : { history: body.history },
        });
        const { id, name, type, status: shownStatus, createdAt } = channelView(env, channel, principal);
        return status(201, { id, name, type, status: shownStatus, createdAt });
      },
      {
        body: CreateBody,
        response: { 201: CreatedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "createChannel",
            permission: "channels.write",
            acts: ["channel.create"],
            isolation: "own",
          }),
          summary: "Create a channel",
          description:
            "It is DISCONNECTED until it is connected. The type decides which `credentials` are required or refused.",
        },
      },
    )
    .get(
      "/",
      async ({ principal }) => ({
        data: (await readChannels(env, principal, hiddenKinds(env.registry))).map((channel) =>
          channelView(env, channel, principal),
        ),
      }),
      {
        response: {
          200: Type.Object(
            { data: Type.Array(ChannelView, { description: "Every channel of the institution" }) },
            { title: "ChannelList" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listChannels", permission: "channels.read", isolation: "own" }),
          summary: "List channels, newest first",
          description: "The answer has every channel of the institution.",
        },
      },
    )
    .get(
      "/:channelId",
      async ({ principal, params }) =>
        channelView(env, await shownChannel(env, principal, params.channelId), principal),
      {
        response: { 200: ChannelView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getChannel", permission: "channels.read", isolation: { channelId: "channel" } }),
          summary: "Get a channel and its status",
          description: "A channel of another institution is not found.",
        },
      },
    )
    .post(
      "/:channelId/connect",
      async ({ principal, params, set }) => {
        const channel = await shownChannel(env, principal, params.channelId);
        if (principal.environment === "test") return connectAsTest(env, principal, channel);
        const qr = await connectChannel(env, principal, params.channelId);
        set.headers["cache-control"] = "no-store"; // the code gives control of the channel
        if (!qr) return { status: "CONNECTING" as const, qrCode: "", message: "The channel is being connected." };
        return {
          status: "CONNECTING" as const,
          qrCode: await qrPng(qr.text),
          qr: qr.text,
          message: scanMessage(qr.hint, passkeyPageOf(env, channel)),
        };
      },
      {
        response: { 200: ConnectView, 503: REFUSALS[400], ...REFUSALS },
        detail: {
          ...route({
            operationId: "connectChannel",
            permission: "channels.write",
            acts: "none: own settings",
            isolation: { channelId: "channel" },
            link: "required",
          }),
          summary: "Connect a channel",
          description:
            "A CHAT_SESSION waits up to 15 seconds for its QR code, which has to be scanned within three minutes.",
        },
      },
    )
    .post(
      "/:channelId/disconnect",
      async ({ principal, params }) => {
        const channel = await shownChannel(env, principal, params.channelId);
        if (principal.environment === "test") await disconnectAsTest(env, principal, channel);
        else await disconnectChannel(env, principal, params.channelId);
        return { status: "DISCONNECTED" as const, message: "The channel is disconnected." };
      },
      {
        response: { 200: DisconnectView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "disconnectChannel",
            permission: "channels.write",
            acts: ["channel.disconnect"],
            isolation: { channelId: "channel" },
            link: "required",
          }),
          summary: "Disconnect a channel",
          description: "A CHAT_SESSION gives up its identity: connecting it again needs a new QR code.",
        },
      },
    )
    .put(
      "/:channelId/credentials",
      async ({ principal, params, body }) => {
        checkOwner(principal, await shownChannel(env, principal, params.channelId));
        return channelView(
          env,
          await replaceCredentials(env, principal, params.channelId, body.credentials),
          principal,
        );
      },
      {
        body: credentialsBody(env.registry),
        response: { 200: ChannelView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "setChannelCredentials",
            permission: "channels.write",
            acts: ["channel.change-credentials"],
            isolation: { channelId: "channel" },
            link: "required",
          }),
          summary: "Replace a channel's credentials",
          description:
            "The channel keeps its id and its messages. It connects anew, unless it was disconnected here. " +
            "Credentials that name another number are refused.",
        },
      },
    )
    .delete(
      "/:channelId",
      async ({ principal, params, status }) => {
        checkOwner(principal, await shownChannel(env, principal, params.channelId));
        await removeChannel(env, principal, params.channelId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "deleteChannel",
            permission: "channels.write",
            acts: ["channel.delete"],
            isolation: { channelId: "channel" },
            link: "required",
          }),
          summary: "Delete a channel",
          description: "Conversations and messages stay.",
        },
      },
    );
};
