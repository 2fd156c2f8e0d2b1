import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { ChannelPlugin } from "../../contract/plugin.ts";
import { type Channel, createChannel, getChannel, readChannels } from "../../core/channels/channel.ts";
import { connectChannel, disconnectChannel, reconnectChannel } from "../../core/channels/links/connection.ts";
import { getPairingCode, requestPairingCode } from "../../core/channels/pairing/pairing.ts";
import { showPresence } from "../../core/channels/people.ts";
import { addChannelSettings, settingNames } from "../../core/channels/settings/settings.ts";
import { removeChannel } from "../../core/removal.ts";
import { addInstanceToken } from "../../core/tenancy/keys/keys.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue, OneOf, Text } from "../../kernel/schema.ts";
import { type EvolutionAuth, instanceOf, type Principal, refuseWithout } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { codeView, instanceView, stateOf, stateView } from "./instance-views.ts";
import { PROXY_FIELDS, proxyUrlOf } from "./proxies.ts";
import { routeOptions } from "./route-options.ts";
import { NO_SETTINGS, readSettings, refuseSettings, SETTING_FIELDS, settingsIn } from "./settings.ts";
import { addWebhook, checkedWebhook, WebhookFields } from "./webhooks/webhooks.ts";

const optionalText = Type.Optional(Type.String());

const CreateBody = Type.Object({
  instanceName: Text(1, 120),
  integration: Type.Optional(OneOf(["WHATSAPP-BAILEYS", "WHATSAPP-BUSINESS", "EVOLUTION"])),
  token: Type.Optional(Type.Union([Type.Literal(""), Text(16, 256)])),
  number: optionalText,
  qrcode: Type.Optional(Type.Boolean()),
  ...SETTING_FIELDS,
  ...PROXY_FIELDS,
  webhook: Type.Optional(Type.Object(WebhookFields)),
});

/** How long a request waits for a code to type. */
const CODE_WAIT_MS = 10 * SECOND_MS;

/** The adapter of phones that are linked by a QR code. @throws AppError VALIDATION for another kind */
const pairedAdapter = ({ registry }: EvolutionEnv, integration: string): ChannelPlugin => {
  const adapter = registry.adapters.find(({ network }) => network.isPaired);
  if (integration === "WHATSAPP-BAILEYS" && adapter) return adapter;
  throw invalid(
    issue("integration", "enum", "is not supported: connect an official number in the console or by the gateway API"),
  );
};

/** Evolution's name of a channel's kind. */
const integrationOf = ({ registry }: EvolutionEnv, { kind }: Channel): string => {
  const isPaired = registry.declared(kind)?.network.isPaired === true;
  if (isPaired) return "WHATSAPP-BAILEYS";
  return registry.declared(kind)?.capabilities.templates ? "WHATSAPP-BUSINESS" : kind;
};

/** Starts to connect. Gives the code to scan, and with a number the code to type. */
const connect = async (env: EvolutionEnv, principal: Principal, { id }: Channel, number: string | undefined) => {
  const qr = await connectChannel(env, principal, id);
  if (!qr || !number) return codeView({ qr: qr?.text, code: undefined });
  await requestPairingCode(env, principal, id, { phoneNumber: number });
  const { code } = await getPairingCode(env, principal, id, CODE_WAIT_MS);
  return codeView({ qr: qr.text, code });
};

/** A kind without an adapter has no settings. */
const shownSettings = (env: EvolutionEnv, principal: Principal, { id, kind }: Channel) =>
  env.registry.ofKind(kind) ? readSettings(env, principal, id) : NO_SETTINGS;

const create = async (env: EvolutionEnv, principal: Principal, body: Static<typeof CreateBody>) => {
  const { instanceName: label, integration = "WHATSAPP-BAILEYS", token, syncFullHistory = false } = body;
  const adapter = pairedAdapter(env, integration);
  const { kind } = adapter;
  refuseSettings(body, { taken: settingNames(adapter), isFullHistory: true });
  const proxy = proxyUrlOf(body);
  const webhook = body.webhook?.url ? await checkedWebhook(env, body.webhook) : undefined;
  let hash = "";
  const { channel } = await createChannel(
    env,
    principal,
    {
      kind,
      label,
      isLabelUnique: true,
      state: "DISCONNECTED",
      settings: { ...(syncFullHistory ? { history: "full" } : {}), ...(proxy === undefined ? {} : { proxy }) },
    },
    async (tx, made) => {
      hash = (
        await addInstanceToken(env, tx, made, { by: principal, maker: principal.maker, token: token || undefined })
      ).key;
      await addChannelSettings(env, tx, made, settingsIn(body));
      if (webhook) await addWebhook(env, tx, made, webhook);
    },
  );
  const qrcode = body.qrcode ? await connect(env, principal, channel, body.number) : undefined;
  const now = await getChannel(env, principal, channel.id);
  return {
    instance: {
      instanceName: label,
      instanceId: channel.id,
      integration,
      webhookWaBusiness: null,
      accessTokenWaBusiness: "",
      status: stateOf(now),
    },
    hash,
    webhook: webhook
      ? {
          webhookUrl: webhook.url,
          webhookByEvents: body.webhook?.byEvents ?? false,
          webhookBase64: body.webhook?.base64 ?? false,
        }
      : {},
    settings: await readSettings(env, principal, channel.id),
    ...(qrcode ? { qrcode } : {}),
  };
};

const read = routeOptions({ scope: "phones.read" });
const linked = routeOptions({ scope: "phones.write", link: "required" });
const DONE = { status: "SUCCESS", error: false } as const;

/** Instances: the account's phones by their names. */
export const instances = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/instance" })
    .use(auth)
    .post(
      "/create",
      async ({ principal, body }) => {
        const refusal = body.webhook?.url ? refuseWithout(principal, "webhooks.write") : undefined;
        return refusal ?? status(201, await create(env, principal, body));
      },
      { body: CreateBody, detail: { ...routeOptions({ scope: "phones.write", isOfAccount: true }) } },
    )
    .get(
      "/fetchInstances",
      async ({ principal, query: { instanceName, instanceId, number } }) => {
        const found = (await readChannels(env, principal))
          .filter(({ id }) => principal.onlyChannel === null || id === principal.onlyChannel)
          .filter(
            ({ id, label, phoneNumber }) =>
              (!instanceName || label === instanceName || id === instanceName) &&
              (!instanceId || id === instanceId) &&
              (!number || phoneNumber === number.replace(/\D/g, "")),
          );
        if (instanceName && found.length === 0)
          throw new AppError("CHANNEL_NOT_FOUND", { message: `Instance "${instanceName}" not found` });
        return Promise.all(
          found.map(async (channel) =>
            instanceView(channel, {
              integration: integrationOf(env, channel),
              settings: await shownSettings(env, principal, channel),
            }),
          ),
        );
      },
      {
        query: Type.Object({ instanceName: optionalText, instanceId: optionalText, number: optionalText }),
        detail: { ...read },
      },
    )
    .get("/connectionState/:instance", ({ request }) => stateView(instanceOf(request)), { detail: { ...read } })
    .get(
      "/connect/:instance",
      async ({ principal, request, query: { number } }) => {
        const instance = instanceOf(request);
        return stateOf(instance) === "open" ? stateView(instance) : connect(env, principal, instance, number);
      },
      { query: Type.Object({ number: optionalText }), detail: { ...linked } },
    )
    .post(
      "/restart/:instance",
      async ({ principal, request }) => {
        const { id } = instanceOf(request);
        await reconnectChannel(env, principal, id);
        return stateView(await getChannel(env, principal, id));
      },
      { detail: { ...linked } },
    )
    .post(
      "/setPresence/:instance",
      async ({ principal, request, body: { presence } }) => {
        await showPresence(env, principal, { id: instanceOf(request).id, to: undefined, presence });
        return status(201, { presence });
      },
      { body: Type.Object({ presence: OneOf(["available", "unavailable"]) }), detail: { ...linked } },
    )
    .delete(
      "/logout/:instance",
      async ({ principal, request }) => {
        await disconnectChannel(env, principal, instanceOf(request).id);
        return { ...DONE, response: { message: "Instance logged out" } };
      },
      { detail: { ...linked } },
    )
    .delete(
      "/delete/:instance",
      async ({ principal, request }) => {
        await removeChannel(env, principal, instanceOf(request).id, { deregister: false });
        return { ...DONE, response: { message: "Instance deleted" } };
      },
      { detail: { ...linked } },
    );
