import { describe, expect, test } from "bun:test";
import type { Content } from "../../../src/contract/content/content.ts";
import { bodySent, COMMON, MESSAGE_ID, wabaChannel } from "../../support/networks/waba-channel.ts";

const channel = wabaChannel();

type Interactive = Extract<
  Content,
  { type: "button" | "list" | "cta_url" | "location_request" | "address_message" | "flow" }
>;

/** The interactive object that the upstream receives for a content; what stands around it is as for every message. */
const interactiveOf = async (content: Interactive): Promise<any> => {
  const body: any = await bodySent(channel(), content);
  expect(body).toEqual({ ...COMMON, type: "interactive", interactive: expect.anything() });
  return body.interactive;
};

describe("an interactive message", () => {
  test("G-331 G-332 G-333 G-334 G-335 button: each becomes a reply with its id", async () => {
    const buttons = [
      { id: "yes-4711", text: "Sim" },
      { id: "no-4711", text: "Não" },
    ];
    expect(
      await interactiveOf({ type: "button", content: { text: "Confirma?", footer: "Padaria Aurora", buttons } }),
    ).toEqual({
      type: "button",
      body: { text: "Confirma?" },
      footer: { text: "Padaria Aurora" },
      action: {
        buttons: [
          { type: "reply", reply: { id: "yes-4711", title: "Sim" } },
          { type: "reply", reply: { id: "no-4711", title: "Não" } },
        ],
      },
    });
  });

  test("an empty footer or description is left out: the network refuses it", async () => {
    expect(
      await interactiveOf({ type: "button", content: { text: "a", footer: "", buttons: [{ id: "1", text: "b" }] } }),
    ).not.toHaveProperty("footer");
    const sections = [{ title: "s", rows: [{ id: "1", title: "r", description: "" }] }];
    expect(
      (await interactiveOf({ type: "list", content: { text: "a", buttonText: "b", sections } })).action.sections,
    ).toEqual([{ title: "s", rows: [{ id: "1", title: "r" }] }]);
  });

  test("G-337 G-338 G-339 G-341 G-343 G-344 G-345 list: sections and rows under one button", async () => {
    const sections = [
      { title: "Pães", rows: [{ id: "roll", title: "Pão francês", description: "saindo às 7 h" }] },
      { title: "Bolos", rows: [{ id: "corn", title: "Fubá" }] },
    ];
    expect(
      await interactiveOf({
        type: "list",
        content: { text: "Qual?", footer: "até 18 h", buttonText: "Escolher", sections },
      }),
    ).toEqual({
      type: "list",
      body: { text: "Qual?" },
      footer: { text: "até 18 h" },
      action: { button: "Escolher", sections },
    });
  });

  test("G-346 G-347 G-348 G-349 cta_url: one button with a link", async () => {
    const url = "https://shop.example.com/a%20b?c=d#e";
    expect(
      await interactiveOf({
        type: "cta_url",
        content: { text: "O seu pedido", footer: "f", buttonText: "Acompanhar", url },
      }),
    ).toEqual({
      type: "cta_url",
      body: { text: "O seu pedido" },
      footer: { text: "f" },
      action: { name: "cta_url", parameters: { display_text: "Acompanhar", url } },
    });
  });

  test.each([
    ["G-350 G-351 text", { type: "text", text: "Pedido 4711", filename: "x" }, { type: "text", text: "Pedido 4711" }],
    [
      "G-350 G-352 image",
      { type: "image", mediaUrl: "https://f.example.com/a", filename: "x" },
      { type: "image", image: { link: "https://f.example.com/a" } },
    ],
    [
      "G-350 G-352 video",
      { type: "video", mediaUrl: "https://f.example.com/a" },
      { type: "video", video: { link: "https://f.example.com/a" } },
    ],
    [
      "G-350 G-352 document",
      { type: "document", mediaUrl: "https://f.example.com/a" },
      { type: "document", document: { link: "https://f.example.com/a" } },
    ],
    [
      "G-350 G-352 document with a name",
      { type: "document", mediaUrl: "https://f.example.com/a", filename: "nota.pdf" },
      { type: "document", document: { link: "https://f.example.com/a", filename: "nota.pdf" } },
    ],
  ] as const)("%s as the header of a cta_url", async (_, header, expected) => {
    const sent = await interactiveOf({
      type: "cta_url",
      content: { text: "a", buttonText: "b", url: "https://shop.example.com", header },
    });
    expect(sent.header).toEqual(expected);
  });

  test("G-353 location_request: asks for the place", async () => {
    expect(await interactiveOf({ type: "location_request", content: { text: "Onde entregamos?" } })).toEqual({
      type: "location_request_message",
      body: { text: "Onde entregamos?" },
      action: { name: "send_location" },
    });
  });
});

describe("an address_message", () => {
  const addressOf = async (content: Omit<Extract<Content, { type: "address_message" }>["content"], "text">) => {
    const sent = await interactiveOf({ type: "address_message", content: { text: "Qual é o endereço?", ...content } });
    expect(sent).toEqual({
      type: "address_message",
      body: { text: "Qual é o endereço?" },
      action: { name: "address_message", parameters: expect.anything() },
    });
    return sent.action.parameters;
  };

  test("G-354 G-355 is for Brazil where no country is given", async () => {
    expect(await addressOf({})).toEqual({ country: "BR" });
  });

  test("G-356 G-357 pre-fills what is given and offers the saved ones", async () => {
    const values = { city: "São Paulo", state: "SP", address: "Rua Augusta, 1500", postalCode: "01310-100" };
    expect(await addressOf({ values, savedAddresses: [{ id: "home", value: values }] })).toEqual({
      country: "BR",
      values,
      saved_addresses: [{ id: "home", value: values }],
    });
  });

  test("G-356 of India, uses the network's names of the parts; other names pass through", async () => {
    const values = {
      name: "Asha",
      phoneNumber: "919999900001",
      postalCode: "680012",
      houseNumber: "45",
      city: "Thrissur",
      in_pin_code: "680012",
      landmarkArea: "tower",
    };
    const expected = {
      name: "Asha",
      phone_number: "919999900001",
      in_pin_code: "680012",
      house_number: "45",
      city: "Thrissur",
      landmark_area: "tower",
    };
    expect(
      await addressOf({
        country: "IN",
        values,
        savedAddresses: [{ id: "home", value: { floorNumber: "3", towerNumber: "34", buildingName: "Excel" } }],
      }),
    ).toEqual({
      country: "IN",
      values: expected,
      saved_addresses: [{ id: "home", value: { floor_number: "3", tower_number: "34", building_name: "Excel" } }],
    });
  });
});

describe("a flow", () => {
  const FLOW = { text: "Marque a sua visita", flowId: "530404409952136", flowCta: "Marcar" };
  type Flow = Extract<Content, { type: "flow" }>["content"];
  const parametersOf = async (more: Partial<Flow>) =>
    (await interactiveOf({ type: "flow", content: { ...FLOW, ...more } })).action.parameters;

  test("G-358 G-359 G-360 G-361 G-362 G-365 by default navigates, with our messageId as token", async () => {
    expect(await interactiveOf({ type: "flow", content: { ...FLOW, footer: "Padaria Aurora" } })).toEqual({
      type: "flow",
      body: { text: "Marque a sua visita" },
      footer: { text: "Padaria Aurora" },
      action: {
        name: "flow",
        parameters: {
          flow_message_version: "3",
          flow_token: MESSAGE_ID,
          flow_id: "530404409952136",
          flow_cta: "Marcar",
          mode: "published",
          flow_action: "navigate",
        },
      },
    });
  });

  test("G-362 G-363 G-365 says what else was said", async () => {
    expect(
      await parametersOf({ flowAction: "data_exchange", flowToken: "visit-4711", flowMode: "draft" }),
    ).toMatchObject({
      flow_action: "data_exchange",
      flow_token: "visit-4711",
      mode: "draft",
    });
  });

  test("G-364 names its first screen, with its data where there is any", async () => {
    const payloadOf = async (more: Partial<Flow>) => (await parametersOf(more)).flow_action_payload;
    const screen = "WELCOME";
    expect(
      await payloadOf({ flowActionPayload: { screen, data: { name: "Ana", visits: [1, { at: null }] } } }),
    ).toEqual({
      screen,
      data: { name: "Ana", visits: [1, { at: null }] },
    });
    expect(await payloadOf({ flowActionPayload: { screen, data: {} } })).toEqual({ screen });
    expect(await payloadOf({ flowActionPayload: { screen } })).toEqual({ screen });
    expect(await payloadOf({ flowAction: "data_exchange", flowActionPayload: { screen } })).toBeUndefined();
  });
});
