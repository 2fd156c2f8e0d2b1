import { describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { contentGateway, type Refused, type Taken, x } from "../../../support/customers/content-gateway.ts";
import { receivedBy, sendsOf, TO, wamidOf } from "../../../support/customers/customer.ts";

const gateway = contentGateway();

const FILE_URL = SAMPLES.image.mediaUrl;
const buttons = (count: number, more: object = {}) => ({
  ...SAMPLES.button,
  buttons: Array.from({ length: count }, (_, n) => ({ id: `b${n}`, text: `B${n}`, ...more })),
});
const rows = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ id: `r${n}`, title: `R${n}`, ...more }));
const sections = (count: number, more: object = {}) => ({
  ...SAMPLES.list,
  sections: Array.from({ length: count }, (_, n) => ({ title: `S${n}`, rows: [{ id: `s${n}`, title: "R" }], ...more })),
});
const list = (more: object) => ({ ...SAMPLES.list, ...more });
const cta = (more: object) => ({ ...SAMPLES.cta_url, ...more });
const address = (more: object) => ({ ...SAMPLES.address_message, ...more });
const saved = (count: number, value: object = { city: "São Paulo" }) =>
  address({ savedAddresses: Array.from({ length: count }, (_, n) => ({ id: `a${n}`, value })) });
const flow = (more: object) => ({ ...SAMPLES.flow, ...more });

/** The rules of the texts that every interactive type has, and of the footers. */
const TEXTS = {
  button: "G-331",
  list: "G-337",
  cta_url: "G-346",
  location_request: "G-353 GAP-G32",
  address_message: "G-354 GAP-G32",
  flow: "G-358",
} as const;
const FOOTERS = { button: "G-332", list: "G-338 GAP-G32", cta_url: "G-347", flow: "G-359 GAP-G32" } as const;
const TYPES = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
const WITH_FOOTER = Object.keys(FOOTERS) as (keyof typeof FOOTERS)[];

describe("interactive messages are taken, to the last character", () => {
  const TAKEN: Taken[] = [
    ...TYPES.flatMap((type): Taken[] => [
      [`${TEXTS[type]} ${type} with a text of 1 character`, type, { ...SAMPLES[type], text: "x" }],
      [`${TEXTS[type]} ${type} with a text of 1024 characters`, type, { ...SAMPLES[type], text: x(1024) }],
    ]),
    ...WITH_FOOTER.map(
      (type): Taken => [
        `${FOOTERS[type]} ${type} with a footer of 60 characters`,
        type,
        { ...SAMPLES[type], footer: x(60) },
      ],
    ),
    ["G-333 3 buttons", "button", buttons(3)],
    ["G-334 G-335 a button's id of 120 and text of 20 characters", "button", buttons(1, { id: x(120), text: x(20) })],
    ["G-339 a list's button of 20 characters", "list", list({ buttonText: x(20) })],
    ["G-340 10 sections", "list", sections(10)],
    ["G-341 GAP-G32 a section's title of 24 characters", "list", sections(1, { title: x(24) })],
    ["G-342 10 rows", "list", sections(1, { rows: rows(10) })],
    ["G-343 GAP-G32 a row's id of 200 characters", "list", sections(1, { rows: rows(1, { id: x(200) }) })],
    [
      "G-344 G-345 a row's title of 24 and description of 72 characters",
      "list",
      sections(1, { rows: rows(1, { title: x(24), description: x(72) }) }),
    ],
    ["G-348 a link's button of 20 characters", "cta_url", cta({ buttonText: x(20) })],
    [
      "G-349 a plain http link, which the customer's phone opens",
      "cta_url",
      cta({ url: "http://shop.example.com/a?b=c#d" }),
    ],
    ["G-350 G-351 a text header of 60 characters", "cta_url", cta({ header: { type: "text", text: x(60) } })],
    ...["image", "video", "document"].map(
      (type): Taken => [
        `G-350 G-352 a header of type ${type}`,
        "cta_url",
        cta({ header: { type, mediaUrl: FILE_URL } }),
      ],
    ),
    ["G-355 the country BR", "address_message", address({ country: "BR" })],
    ["G-355 the country IN", "address_message", address({ country: "IN" })],
    ["G-356 no values", "address_message", address({ values: {} })],
    ["G-357 no saved addresses", "address_message", saved(0)],
    ["G-357 5 saved addresses", "address_message", saved(5)],
    ["G-361 a flow's button of 20 characters", "flow", flow({ flowCta: x(20) })],
    ["G-362 the action data_exchange", "flow", flow({ flowAction: "data_exchange" })],
    ["G-363 a flow token of 120 characters", "flow", flow({ flowToken: x(120) })],
    ["G-364 a first screen without data", "flow", flow({ flowActionPayload: { screen: "WELCOME" } })],
    ["G-365 a draft", "flow", flow({ flowMode: "draft" })],
  ];
  gateway.takes(TAKEN);
});

describe("interactive messages are refused, and nothing happens", () => {
  const without = (content: object, key: string) =>
    Object.fromEntries(Object.entries(content).filter(([name]) => name !== key));
  const REFUSED: Refused[] = [
    ...TYPES.flatMap((type): Refused[] => [
      [`${TEXTS[type]} ${type} without a text`, type, without(SAMPLES[type], "text"), "text"],
      [`${TEXTS[type]} ${type} with an empty text`, type, { ...SAMPLES[type], text: "" }, "text"],
      [`${TEXTS[type]} ${type} with a text of 1025 characters`, type, { ...SAMPLES[type], text: x(1025) }, "text"],
    ]),
    ...WITH_FOOTER.map(
      (type): Refused => [
        `${FOOTERS[type]} ${type} with a footer of 61 characters`,
        type,
        { ...SAMPLES[type], footer: x(61) },
        "footer",
      ],
    ),
    ["G-333 no buttons", "button", buttons(0), "buttons"],
    ["G-333 4 buttons", "button", buttons(4), "buttons"],
    ["G-334 an empty id", "button", buttons(1, { id: "" }), "buttons.0.id"],
    ["G-334 an id of 121 characters", "button", buttons(1, { id: x(121) }), "buttons.0.id"],
    [
      "G-334 the id of another button",
      "button",
      { ...SAMPLES.button, buttons: [...buttons(2).buttons, { id: "b0", text: "Again" }] },
      "buttons.2.id",
    ],
    ["G-335 an empty text", "button", buttons(1, { text: "" }), "buttons.0.text"],
    ["G-335 a text of 21 characters", "button", buttons(1, { text: x(21) }), "buttons.0.text"],
    ["G-339 no button on the list", "list", without(SAMPLES.list, "buttonText"), "buttonText"],
    ["G-339 an empty button on the list", "list", list({ buttonText: "" }), "buttonText"],
    ["G-339 a list's button of 21 characters", "list", list({ buttonText: x(21) }), "buttonText"],
    ["G-340 no sections", "list", sections(0), "sections"],
    ["G-340 11 sections", "list", sections(11), "sections"],
    [
      "G-341 GAP-G33 a section without a title, though it is the only one",
      "list",
      sections(1, { title: undefined }),
      "sections.0.title",
    ],
    ["G-341 GAP-G32 a section's title of 25 characters", "list", sections(1, { title: x(25) }), "sections.0.title"],
    ["G-342 no rows", "list", sections(1, { rows: [] }), "sections.0.rows"],
    ["G-342 11 rows", "list", sections(1, { rows: rows(11) }), "sections.0.rows"],
    ["G-343 a row without an id", "list", sections(1, { rows: [{ title: "R" }] }), "sections.0.rows.0.id"],
    [
      "G-343 GAP-G32 a row's id of 201 characters",
      "list",
      sections(1, { rows: rows(1, { id: x(201) }) }),
      "sections.0.rows.0.id",
    ],
    ["G-343 the id of a row of another section", "list", sections(2, { rows: rows(1) }), "sections.1.rows.0.id"],
    ["G-344 an empty row title", "list", sections(1, { rows: rows(1, { title: "" }) }), "sections.0.rows.0.title"],
    [
      "G-344 a row title of 25 characters",
      "list",
      sections(1, { rows: rows(1, { title: x(25) }) }),
      "sections.0.rows.0.title",
    ],
    [
      "G-345 a description of 73 characters",
      "list",
      sections(1, { rows: rows(1, { description: x(73) }) }),
      "sections.0.rows.0.description",
    ],
    ["G-348 no button on the link", "cta_url", without(SAMPLES.cta_url, "buttonText"), "buttonText"],
    ["G-348 a link's button of 21 characters", "cta_url", cta({ buttonText: x(21) }), "buttonText"],
    ["G-349 no link", "cta_url", without(SAMPLES.cta_url, "url"), "url"],
    ["G-349 a link that is none", "cta_url", cta({ url: "shop" }), "url"],
    ["G-349 a link of another scheme", "cta_url", cta({ url: "javascript:alert(1)" }), "url"],
    ["G-350 a header of type audio", "cta_url", cta({ header: { type: "audio", mediaUrl: FILE_URL } }), "header.type"],
    ["G-350 a header without a type", "cta_url", cta({ header: { text: "a" } }), "header.type"],
    ["G-351 a text header of 61 characters", "cta_url", cta({ header: { type: "text", text: x(61) } }), "header.text"],
    [
      "G-351 a text header without a text",
      "cta_url",
      cta({ header: { type: "text", mediaUrl: FILE_URL } }),
      "header.text",
    ],
    [
      "G-352 an image header without a URL",
      "cta_url",
      cta({ header: { type: "image", text: "a" } }),
      "header.mediaUrl",
    ],
    [
      "G-352 GAP-C09 a header from a plain http URL",
      "cta_url",
      cta({ header: { type: "video", mediaUrl: "http://files.example.com/a.mp4" } }),
      "header.mediaUrl",
    ],
    ["G-355 the country US", "address_message", address({ country: "US" }), "country"],
    ["G-356 values that are no object", "address_message", address({ values: "São Paulo" }), "values"],
    [
      "G-356 a value that is no text",
      "address_message",
      address({ values: { city: "São Paulo", postalCode: 1310100 } }),
      "values.postalCode",
    ],
    ["G-357 6 saved addresses", "address_message", saved(6), "savedAddresses"],
    [
      "G-357 a saved address without an id",
      "address_message",
      address({ savedAddresses: [{ value: {} }] }),
      "savedAddresses.0.id",
    ],
    [
      "G-357 a saved address without a value",
      "address_message",
      address({ savedAddresses: [{ id: "a" }] }),
      "savedAddresses.0.value",
    ],
    [
      "G-357 a saved address with a value that is no text",
      "address_message",
      saved(1, { city: 1 }),
      "savedAddresses.0.value.city",
    ],
    ["G-360 no flowId", "flow", without(SAMPLES.flow, "flowId"), "flowId"],
    ["G-360 a flowId that is a number", "flow", flow({ flowId: 530404409952136 }), "flowId"],
    ["G-361 no button on the flow", "flow", without(SAMPLES.flow, "flowCta"), "flowCta"],
    ["G-361 an empty button on the flow", "flow", flow({ flowCta: "" }), "flowCta"],
    ["G-361 a flow's button of 21 characters", "flow", flow({ flowCta: x(21) }), "flowCta"],
    ["G-362 another action", "flow", flow({ flowAction: "submit" }), "flowAction"],
    ["G-363 a flow token of 121 characters", "flow", flow({ flowToken: x(121) }), "flowToken"],
    ["G-364 a payload that is text", "flow", flow({ flowActionPayload: "WELCOME" }), "flowActionPayload"],
    ["G-364 a payload without a screen", "flow", flow({ flowActionPayload: { data: {} } }), "flowActionPayload.screen"],
    [
      "G-364 data that is a list",
      "flow",
      flow({ flowActionPayload: { screen: "WELCOME", data: [] } }),
      "flowActionPayload.data",
    ],
    ["G-365 another mode", "flow", flow({ flowMode: "live" }), "flowMode"],
  ];
  gateway.refuses(REFUSED);
});

describe("what the network gets", () => {
  test("G-355 BR where no country is given", async () => {
    expect(
      (await gateway.upstreamBody("address_message", SAMPLES.address_message)).interactive.action.parameters,
    ).toEqual({ country: "BR" });
  });

  test("G-362 G-365 the action navigate and the mode published where none is given", async () => {
    expect((await gateway.upstreamBody("flow", SAMPLES.flow)).interactive.action.parameters).toMatchObject({
      flow_action: "navigate",
      mode: "published",
    });
  });

  test("G-364 the first screen and its data", async () => {
    const flowActionPayload = { screen: "WELCOME", data: { name: "Ana", orders: [{ id: 1 }] } };
    expect(
      (await gateway.upstreamBody("flow", flow({ flowActionPayload }))).interactive.action.parameters
        .flow_action_payload,
    ).toEqual(flowActionPayload);
  });
});

test("G-340 GAP-G32 a hundred rows are taken here; the network, which shows ten, refuses them: FAILED", async () => {
  const [w, c] = [gateway.world(), gateway.customer()];
  const hundred = {
    ...SAMPLES.list,
    sections: Array.from({ length: 10 }, (_, n) => ({
      title: `S${n}`,
      rows: rows(10).map(({ id, title }) => ({ id: `${n}-${id}`, title })),
    })),
  };
  const { status, body } = await c.send({ type: "list", content: hundred });
  expect(status).toBe(202);
  await w.settle();
  for (const seconds of [2, 10, 30, 120]) await w.advance(seconds * 1000);
  expect(await c.message(body.messageId)).toMatchObject({
    status: "FAILED",
    failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] \(#131009\) .*row/),
  });
});

test("G-336 G-343 G-615 the id of the button or row that is tapped comes back, with the message it answers", async () => {
  const [w, c] = [gateway.world(), gateway.customer()];
  const common = { to: c.phone.phoneNumberId, from: TO };
  for (const [type, tap] of [
    ["button", "buttonReply"],
    ["list", "listReply"],
  ] as const) {
    const messageId = await c.sent({ type, content: SAMPLES[type] });
    const { action } = sendsOf(w, c).at(-1).interactive;
    const { id, title } = type === "button" ? action.buttons[0].reply : action.sections[0].rows[0];
    await w.graph.inbound[tap]({ ...common, id, title, quoted: wamidOf(w, messageId) });
    await w.settle();
    const selectedId = type === "button" ? SAMPLES.button.buttons[0].id : SAMPLES.list.sections[0].rows[0].id;
    expect(receivedBy(c.hook, "message:received").at(-1)).toMatchObject({
      type: "button_reply",
      content: { selectedId, text: title },
    });
  }
});
