import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { EvolutionApi } from "n8n-nodes-evolution-api/dist/nodes/EvolutionApi/EvolutionApi.node.js";
import { resourceOperationsFunctions } from "n8n-nodes-evolution-api/dist/nodes/EvolutionApi/execute/index.js";
import { EVOLUTION_ENV } from "../../../support/apis/evolution.ts";
import { FILES } from "../../../support/customers/media.ts";
import { ANSWER as SPOKEN } from "../../../support/files/speech.ts";
import { pairedPhone, type SessionWorld, sessionWorld } from "../../../support/session/world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import type { Contact, Phone } from "../../../support/whatsapp/index.ts";

// n8n-workflow, which the node imports, adds this for the whole process: the files of tests after this one run without it
Reflect.deleteProperty(BigInt.prototype, "toJSON");

/** The n8n node of the registry, unchanged: what n8n gives it is a small context; the requests are its own. */

type Parameters = Record<string, unknown>;
type Outcome = { success: boolean; data: any };

let s: SessionWorld;
let key: string;
let instance: string;
let owner: Phone;
let ana: Contact;

beforeAll(async () => {
  s = await sessionWorld({ ...EVOLUTION_ENV, RECADO_SESSION_RATE: "100000" });
});
afterAll(() => s.stop());
beforeEach(async () => {
  const paired = await pairedPhone(s);
  key = paired.customer.key;
  instance = paired.customer.phone.id;
  owner = paired.owner;
  ana = s.contact();
});

/** n8n's own helper: the options of the library `request`, as nodes of its first version give them. */
const request = async ({ method, uri, headers, body }: any): Promise<unknown> => {
  const response = await fetch(uri, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} - ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};

/** Runs one operation of the node, as a workflow does. Gives its item, or throws what the node throws. */
const run = async (resource: string, operation: string, parameters: Parameters = {}): Promise<Outcome> => {
  const given: Parameters = { instanceName: instance, options_message: {}, ...parameters, resource, operation };
  const context = {
    getNodeParameter: (name: string, _: number, fallback?: unknown) => {
      if (name in given) return given[name];
      if (fallback !== undefined) return fallback;
      throw new Error(`Could not get parameter "${name}"`);
    },
    getCredentials: async () => ({ "server-url": s.w.app.evolutionUrl, apikey: key }),
    getNode: () => ({ name: "Evolution API", type: "evolutionApi" }),
    getInputData: () => [{ json: {} }],
    continueOnFail: () => false,
    helpers: {
      request,
      returnJsonArray: (items: any) =>
        (Array.isArray(items) ? items : [items]).map((item) => ({ json: item.json ?? item })),
    },
  };
  const [[item]] = (await new EvolutionApi().execute.call(context as never)) as any;
  const json = item.json;
  return "success" in json ? json : { success: true, data: json }; // one operation gives the answer itself
};

const to = () => ana.pn as string;
/** Sends wait for their turn, as a person would write them. */
const arrived = (count: number) =>
  untilTrue(async () => {
    await s.w.advance(20_000);
    return ana.received.length >= count;
  });
const message = (operation: string, parameters: Parameters = {}) =>
  run("messages-api", operation, { remoteJid: to(), ...parameters });
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

const ran = async (resource: string, operation: string, parameters: Parameters = {}): Promise<any> => {
  const { success, data } = await run(resource, operation, parameters);
  expect([operation, success]).toEqual([operation, true]);
  return data;
};

describe("messages", () => {
  test("texts, files and the rest arrive at the other person", async () => {
    const sent = [
      await message("send-text", { messageText: "olá", options_message: { delay: 100, linkPreview: true } }),
      await message("send-image", { media: PNG.toString("base64"), mimetype: "image/png", caption: "veja" }),
      await message("send-document", {
        media: Buffer.from("%PDF-1.4 um recibo").toString("base64"),
        mimetype: "application/pdf",
        fileName: "recibo.pdf",
      }),
      await message("send-video", { media: Buffer.from(FILES.mp4).toString("base64"), caption: "o filme" }),
      await message("send-audio", { media: Buffer.from(SPOKEN.bytes).toString("base64") }),
      await message("send-poll", {
        caption: "Quando?",
        "options_display.metadataValues": [{ optionValue: "hoje" }, { optionValue: "amanhã" }],
      }),
      await message("send-contact", {
        "contacts.contactValues": [{ fullName: "Bia", wuid: "5511988887777", phoneNumber: "5511988887777" }],
      }),
      await message("send-list", {
        title: "Menu",
        description: "Escolha",
        buttonText: "Abrir",
        "sections.sectionValues": [{ title: "A", rows: { rowValues: [{ title: "Um", rowId: "1" }] } }],
      }),
      await message("send-buttons", {
        title: "Oi",
        description: "Sim?",
        "buttons.buttonValues": [{ type: "reply", displayText: "Sim", id: "s" }],
      }),
    ];
    for (const { success, data } of sent) {
      expect(success).toBe(true);
      expect(data).toMatchObject({ key: { fromMe: true, id: expect.any(String) }, status: "PENDING" });
    }
    await arrived(sent.length);
  });

  test("an answer quotes, and a reaction is shown", async () => {
    const first = (await message("send-text", { messageText: "um" })).data;
    await arrived(1);
    const quoted = { messageQuoted: { messageId: first.key.id } };
    expect((await message("send-text", { messageText: "dois", options_message: { quoted } })).data.contextInfo).toEqual(
      {
        stanzaId: first.key.id,
      },
    );
    await ran("messages-api", "send-reaction", {
      remoteJid: to(),
      messageId: first.key.id,
      fromMe: true,
      reaction: "👍",
    });
  });
});

test("instances: made, connected, found, shown, logged out and deleted", async () => {
  const name = `n8n ${instance}`;
  const made = await ran("instances-api", "instance-basic", { instanceName: name, token: "", number: "" });
  expect(made).toMatchObject({ instance: { instanceName: name, status: "close" }, hash: expect.any(String) });
  const { code } = await ran("instances-api", "instance-connect", { instanceName: name });
  const other = s.phone();
  await other.scan(code);
  await other.open();
  await untilTrue(
    async () => (await ran("instances-api", "fetch-instances", { instanceName: name }))[0]?.connectionStatus === "open",
  );
  expect(await ran("instances-api", "restart-instance", { instanceName: name })).toMatchObject({ instance: {} });
  const settings = {
    rejectCall: false,
    msgCall: "",
    groupsIgnore: false,
    alwaysOnline: false,
    readMessages: false,
    syncFullHistory: false,
    readStatus: false,
  };
  expect(await ran("instances-api", "instance-settings", { instanceName: name, ...settings })).toMatchObject(settings);
  const proxy = { instanceName: name, resourceForProxy: "findProxy" };
  expect(await ran("instances-api", "set-proxy", proxy)).toMatchObject({ enabled: false });
  await ran("instances-api", "logout-instance", { instanceName: name });
  expect(await ran("instances-api", "delete-instance", { instanceName: name })).toMatchObject({ status: "SUCCESS" });
});

test("a webhook that the node sets gets what comes in", async () => {
  const hook = s.w.receiver();
  const parameters = { enabled: true, webhookUrl: hook.url, webhookByEvents: false, webhookBase64: false };
  await ran("events-api", "webhook", {
    ...parameters,
    resourceForWebhook: "setWebhook",
    webhookEvents: ["MESSAGES_UPSERT", "MESSAGES_UPDATE", "CONNECTION_UPDATE"],
  });
  expect(await ran("events-api", "webhook", { resourceForWebhook: "findWebhook" })).toMatchObject({ url: hook.url });
  await ana.say("oi", { to: owner });
  await untilTrue(async () => {
    await s.w.settle();
    return hook.arrived.length > 0;
  });
  expect(hook.arrived[0]?.body).toMatchObject({
    event: "messages.upsert",
    data: { message: { conversation: "oi" }, key: { remoteJid: ana.jid, fromMe: false } },
  });
});

test("chats: numbers, marks, changes, lists and blocks", async () => {
  const numbers = await ran("chat-api", "check-number", { numbers: `${to()}, 5511000000000` });
  expect(numbers).toMatchObject([{ number: to(), exists: true, jid: ana.jid }, { exists: false }]);
  const { data } = await message("send-text", { messageText: "um" });
  await arrived(1);
  const about = { remoteJid: to(), messageId: data.key.id, fromMe: true };
  await ran("chat-api", "update-message", { ...about, text: "uma" });
  expect(await ran("chat-api", "find-messages", { ...about, page: 1, offset: 10 })).toMatchObject({
    messages: { records: [{ key: data.key }] },
  });
  expect(await ran("chat-api", "find-status-messages", { ...about, page: 1, offset: 10 })).toMatchObject([
    { keyId: data.key.id, fromMe: true },
  ]);
  expect(await ran("chat-api", "find-chats", { ...about, page: 1, offset: 10 })).toMatchObject([
    { remoteJid: ana.jid },
  ]);
  expect(await ran("chat-api", "find-contacts", { listAll: true })).toMatchObject([{ remoteJid: ana.jid }]);
  await ran("chat-api", "delete-message", { ...about });
  await ran("chat-api", "read-messages", { remoteJid: ana.jid, fromMe: false, messageId: data.key.id });
  await ran("chat-api", "block-contact", { remoteJid: to(), status: "block" });
  await ran("chat-api", "fetch-profile-picture", { number: to() });
  await ran("chat-api", "send-presence", { remoteJid: to(), presence: "composing", delay: 100 });
});

test("groups: made, read, changed and left", async () => {
  const group = await ran("groups-api", "create-group", { subject: "Família", description: "", participants: to() });
  const groupJid: string = group.id;
  expect([groupJid.endsWith("@g.us"), group.subject]).toEqual([true, "Família"]);
  expect(await ran("groups-api", "fetch-groups", { searchMethod: "fetchAll", getParticipants: "true" })).toMatchObject([
    { id: groupJid },
  ]);
  await ran("groups-api", "fetch-groups", { searchMethod: "groupJid", groupJid });
  expect((await ran("groups-api", "find-participants", { groupJid })).participants.length).toBeGreaterThan(0);
  expect(await ran("groups-api", "fetch-invite-code", { groupJid })).toMatchObject({ inviteCode: expect.any(String) });
  await ran("groups-api", "revoke-invite-code", { groupJid });
  await ran("groups-api", "update-group-name", { groupJid, subject: "Casa" });
  await ran("groups-api", "update-group-description", { groupJid, description: "de todos" });
  await ran("groups-api", "update-settings", { groupJid, action: "announcement" });
  await ran("groups-api", "update-participants", { groupJid, action: "remove", participants: to() });
  await ran("groups-api", "leave-group", { groupJid });
});

test("a chat is archived and marked as unread, and the file of a message comes in base64", async () => {
  const before = s.net.stat.iqs["w:sync:app:state"] ?? 0;
  await owner.appState.share();
  await untilTrue(async () => (s.net.stat.iqs["w:sync:app:state"] ?? 0) >= before + 5);
  const sent = await message("send-image", { media: PNG.toString("base64"), mimetype: "image/png" });
  await arrived(1);
  const chat = { chat: ana.jid, fromMe: true, messageId: sent.data.key.id };
  expect(await ran("chat-api", "manage-archive", { ...chat, archive: true })).toEqual({
    chatId: ana.jid,
    archived: true,
  });
  await ran("chat-api", "mark-unread", chat);
  await untilTrue(async () => {
    await s.w.settle();
    return owner.appState.value(["archive", ana.lidJid])?.archiveChatAction?.archived === true;
  });
  await ana.sendMedia("image", PNG, { to: owner, mimetype: "image/png" });
  const pictures = async () =>
    (await ran("chat-api", "find-messages", { remoteJid: to(), page: 1, offset: 10 })).messages.records.filter(
      (one: any) => !one.key.fromMe,
    );
  await untilTrue(async () => {
    await s.w.settle();
    return (await pictures()).length > 0;
  });
  const [{ key }] = await pictures();
  const file = await ran("chat-api", "get-media-base64", { messageId: key.id, convertToMp4: false });
  expect(Buffer.from(file.base64, "base64")).toEqual(PNG);
});

test("groups: its picture and its timer are changed, and people are invited", async () => {
  const { id: groupJid } = await ran("groups-api", "create-group", {
    subject: "Família",
    description: "",
    participants: to(),
  });
  await ran("groups-api", "update-group-picture", { groupJid, image: PNG.toString("base64") });
  await ran("groups-api", "toggle-ephemeral", { groupJid, expiration: 86_400 });
  expect(s.net.groupOf(groupJid)?.group.disappearsAfter).toBe(86_400);
  const bia = s.contact();
  const invited = { groupJid, description: "Venha", numbers: bia.pn };
  const { inviteUrl } = await ran("groups-api", "send-invite-link", invited);
  await untilTrue(async () => {
    await s.w.advance(20_000);
    return bia.received.some(({ text }) => text?.includes(inviteUrl));
  });
});

test("groups: seen and joined by an invite link", async () => {
  const theirs = s.net.group({ subject: "Feira", members: [ana], owner: ana });
  const inviteCode = theirs.group.invite;
  const seen = await ran("groups-api", "fetch-groups", { searchMethod: "inviteCode", inviteCode });
  expect([seen].flat()).toMatchObject([{ id: theirs.jid, subject: "Feira", size: 1 }]);
  await ran("groups-api", "join-group", { inviteCode });
  expect(theirs.group.members.size).toBe(2);
});

test("what an instance shows of itself is changed", async () => {
  await ran("profile-api", "fetch-profile", { remoteJid: to() });
  await ran("profile-api", "update-profile-status", { status: "aberto" });
  await ran("profile-api", "update-profile-picture", { picture: PNG.toString("base64") });
  await ran("profile-api", "remove-profile-picture");
  expect(await ran("profile-api", "fetch-business-profile", { remoteJid: to() })).toMatchObject({ isBusiness: false });
  const privacy = {
    readreceipts: "all",
    profile: "contacts",
    status: "all",
    online: "all",
    last: "none",
    groupadd: "all",
  };
  await ran("profile-api", "update-privacy-settings", privacy);
  expect(await ran("profile-api", "fetch-privacy-settings")).toEqual(privacy);
});

test("the name of an instance is changed, and its presence shown", async () => {
  const before = s.net.stat.iqs["w:sync:app:state"] ?? 0;
  await owner.appState.share();
  await untilTrue(async () => (s.net.stat.iqs["w:sync:app:state"] ?? 0) >= before + 5);
  await ran("profile-api", "update-profile-name", { name: "Loja" });
  await ran("instances-api", "set-presence", { presence: "unavailable" });
  expect(owner.appState.value(["setting_pushName"])?.pushNameSetting?.name).toBe("Loja");
});

test("a status goes out", async () => {
  await ran("messages-api", "send-stories", { content: "oi", type: "text", statusJidList: to() });
});

/** TABLE: the operations of the node that Recado has not, with parameters that reach the server. */
const NOT_THERE: Record<string, Record<string, Parameters>> = {
  "messages-api": {
    "send-pix": { remoteJid: "5511999990001", name: "Loja", keyType: "email", key: "loja@example.com" },
  },
  "events-api": { rabbitmq: { resourceForRabbitMQ: "findRabbitMQ" } },
  "integrations-api": {
    chatwoot: { resourceForChatwoot: "findChatwoot" },
    typebot: { resourceForTypebot: "findTypebot", typebotId: "" },
    "evolution-bot": { resourceForEvolutionBot: "findEvolutionBot", evolutionBotId: "" },
    difyBot: { resourceForDifyBot: "findDify", difyBotId: "" },
    "flowise-bot": { resourceForFlowiseBot: "findFlowise", flowiseBotId: "" },
  },
  "chat-api": {
    "get-media-base64": { messageId: "00000000-0000-4000-8000-000000000000", convertToMp4: true },
  },
};

/** The sentence of the refusal, wherever the node puts it. */
const refusalOf = async (asked: Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await asked);
  } catch (error) {
    return `${(error as Error).message} ${(error as { description?: string }).description}`;
  }
};

test.each(
  Object.entries(NOT_THERE).flatMap(([resource, cases]) =>
    Object.entries(cases).map(([operation, parameters]) => [resource, operation, parameters] as const),
  ),
)("%s %s fails with a sentence that says what to do", async (resource, operation, parameters) => {
  expect(Object.keys(resourceOperationsFunctions[resource] ?? {})).toContain(operation);
  const says = await refusalOf(run(resource, operation, parameters));
  expect(says).toMatch(/is not supported|Recado does not have/);
  await s.w.settle();
  expect(ana.received).toHaveLength(0);
});

test("every operation of the node is run here, or named as one that Recado has not", async () => {
  const all = Object.values(resourceOperationsFunctions).flatMap((operations) => Object.keys(operations as object));
  expect(all.length).toBeGreaterThan(60);
  // the tests run in any order, so this one reads what they run
  const tests = await Bun.file(import.meta.path).text();
  const isNamed = (one: string): boolean => tests.includes(`"${one}"`) || tests.includes(`${one}:`);
  expect(all.filter((one) => !isNamed(one))).toEqual([]);
});
