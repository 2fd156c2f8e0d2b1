import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { connectSimulated, disconnectSimulated } from "../../core/channels/sandbox.ts";
import { getHistoryMessage } from "../../core/conversations/history.ts";
import { receiveSimulated, SIMULATED_STATUSES, simulateStatus } from "../../core/messaging/sending/sandbox.ts";
import { described, Nullable, OneOf, Text } from "../../kernel/schema.ts";
import { Id, inPath } from "../shared/fields.ts";
import type { PlatformAuth } from "./auth.ts";
import { shownChannel } from "./channels.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { REFUSALS, Recipient } from "./schemas.ts";
import { MessageView, messageView } from "./views.ts";

const ConnectBody = Nullable(Type.Object({ phoneNumber: Type.Optional(Recipient) }));
const ConnectedView = Type.Object(
  {
    status: OneOf(["CONNECTED"], { description: "The channel is connected" }),
    phoneNumber: Type.String({ description: "Digits with country code", examples: ["5511999990001"] }),
  },
  { title: "SimulatedConnection" },
);
const DisconnectedView = Type.Object(
  { status: OneOf(["DISCONNECTED"], { description: "The channel is not connected" }) },
  { title: "SimulatedDisconnection" },
);
const ReceivedView = Type.Object(
  {
    success: Type.Boolean({ description: "True: a refusal has another status" }),
    messageId: Id("The message, for `GET /v1/messages/{messageId}`", "message"),
  },
  { title: "SimulatedMessage" },
);

/**
 * Simulates a network with a test key, so that clients can try every event. `baseUrl`: the public URL of this API.
 */
export const sandbox = (env: PlatformEnv, auth: PlatformAuth, baseUrl: () => string) =>
  new Elysia({ prefix: "/v1/sandbox", tags: ["sandbox"] })
    .use(ofChannels(env, auth))
    .use(ofMessages(env, auth, baseUrl));

const TEST_KEYS = { access: "testKey", permission: "sandbox.write" } as const;

const ofChannels = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/channels/:channelId",
    detail: inPath({ channelId: Id("The channel, as `GET /v1/channels` lists it", "phone") }),
  })
    .use(auth)
    .post(
      "/connect",
      async ({ principal, params, body }) => {
        await shownChannel(env, principal, params.channelId);
        const { phoneNumber } = await connectSimulated(env, principal, params.channelId, body?.phoneNumber);
        return { status: "CONNECTED" as const, phoneNumber };
      },
      {
        body: ConnectBody,
        response: { 200: ConnectedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "simulateConnect",
            ...TEST_KEYS,
            acts: "none: a test key tries",
            isolation: { channelId: "channel" },
          }),
          summary: "Simulate that a channel connects",
          description: "Test keys alone see it. 409 if the channel is really connected.",
        },
      },
    )
    .post(
      "/disconnect",
      async ({ principal, params }) => {
        await shownChannel(env, principal, params.channelId);
        await disconnectSimulated(env, principal, params.channelId);
        return { status: "DISCONNECTED" as const };
      },
      {
        response: { 200: DisconnectedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "simulateDisconnect",
            ...TEST_KEYS,
            acts: "none: a test key tries",
            isolation: { channelId: "channel" },
          }),
          summary: "End a simulated connection",
          description: "The channel then has the status DISCONNECTED, as after a lost connection.",
        },
      },
    )
    .post(
      "/messages",
      async ({ principal, params, body, status }) => {
        await shownChannel(env, principal, params.channelId);
        return status(202, {
          success: true,
          messageId: await receiveSimulated(env, principal, params.channelId, body),
        });
      },
      {
        body: Type.Object({
          from: Recipient,
          text: described(Text(1, 4096), "The text of the contact", "Olá, Maria! Seu bolo está pronto."),
        }),
        response: { 202: ReceivedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "simulateMessage",
            ...TEST_KEYS,
            acts: "none: a test key tries",
            isolation: { channelId: "channel" },
          }),
          summary: "Simulate an incoming message on a channel",
          description: "Webhooks get it as message.received.",
        },
      },
    );

const ofMessages = (env: PlatformEnv, auth: PlatformAuth, baseUrl: () => string) =>
  new Elysia({
    prefix: "/messages/:messageId",
    detail: inPath({ messageId: Id("The message, as the request that sent it was answered", "message") }),
  })
    .use(auth)
    .post(
      "/status",
      async ({ principal, params, body }) => {
        await simulateStatus(env, principal, params.messageId, body.status);
        return messageView(await getHistoryMessage(env, principal, params.messageId), baseUrl());
      },
      {
        body: Type.Object({
          status: OneOf(SIMULATED_STATUSES, { description: "The next report of the network", examples: ["delivered"] }),
        }),
        response: { 200: MessageView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "simulateStatus",
            ...TEST_KEYS,
            acts: "none: a test key tries",
            isolation: { messageId: "message" },
          }),
          summary: "Simulate the outcome of a message that a test key sent",
          description: "A status moves only forward.",
        },
      },
    );
