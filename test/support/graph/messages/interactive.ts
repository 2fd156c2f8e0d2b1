import { type TSchema, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { badValue, missing } from "../errors.ts";
import { checked, type Fields, fieldsOf, textOf } from "../shape.ts";
import type { Settings } from "../state.ts";
import { checkSource } from "./source.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const param = "interactive";

const Named = (name: string, parameters?: TSchema): TSchema =>
  Type.Object({ name: Type.Literal(name), ...(parameters ? { parameters } : {}) }, strict);

const Reply = Type.Object(
  { type: Type.Literal("reply"), reply: Type.Object({ id: Text(1, 256), title: Text(1, 20) }, strict) },
  strict,
);
const Row = Type.Object({ id: Text(1, 200), title: Text(1, 24), description: optional(Text(0, 72)) }, strict);
const Section = Type.Object(
  { title: optional(Text(0, 24)), rows: Type.Array(Row, { minItems: 1, maxItems: 10 }) },
  strict,
);

const FlowParameters = Type.Object(
  {
    flow_message_version: Type.Literal("3"),
    flow_token: optional(Text(1, 4096)),
    flow_id: optional(Text(1, 64)),
    flow_name: optional(Text(1, 512)),
    flow_cta: Text(1, 30),
    mode: optional(OneOf(["draft", "published"])),
    flow_action: optional(OneOf(["navigate", "data_exchange"])),
    flow_action_payload: optional(Type.Object({ screen: Text(1, 512), data: optional(Type.Object({})) }, strict)),
  },
  strict,
);
const ADDRESS_FIELDS =
  "name phone_number in_pin_code house_number floor_number tower_number building_name address landmark_area city state".split(
    " ",
  );
const AddressFields = Type.Object(
  Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, optional(Text(0, 1000))])),
  strict,
);
const AddressParameters = (fields: TSchema) =>
  Type.Object(
    {
      country: Type.String({ pattern: "^[A-Z]{2}$" }),
      values: optional(fields),
      saved_addresses: optional(Type.Array(Type.Object({ id: Text(1, 200), value: fields }, strict), { maxItems: 5 })),
      validation_errors: optional(fields),
    },
    strict,
  );
const IndianParameters = AddressParameters(AddressFields);
const VoiceCallParameters = Type.Object(
  {
    display_text: optional(Text(1, 20)),
    ttl_minutes: optional(Type.Integer({ minimum: 1, maximum: 43_200 })),
    payload: optional(Text(0, 512)),
  },
  strict,
);

const Amount = Type.Object({ value: Type.Integer({ minimum: 0 }), offset: Type.Literal(100) }, strict);
const Described = Type.Object(
  { value: Type.Integer({ minimum: 0 }), offset: Type.Literal(100), description: optional(Text(1, 60)) },
  strict,
);
const PaymentSetting = Type.Union([
  Type.Object(
    {
      type: Type.Literal("pix_dynamic_code"),
      pix_dynamic_code: Type.Object(
        {
          code: Text(1, 2048),
          merchant_name: Text(1, 60),
          key: Text(1, 140),
          key_type: OneOf(["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]),
        },
        strict,
      ),
    },
    strict,
  ),
  Type.Object(
    { type: Type.Literal("payment_link"), payment_link: Type.Object({ uri: Text(1, 2048) }, strict) },
    strict,
  ),
  Type.Object({ type: Type.Literal("boleto"), boleto: Type.Object({ digitable_line: Text(1, 80) }, strict) }, strict),
  Type.Object(
    {
      type: Type.Literal("offsite_card_pay"),
      offsite_card_pay: Type.Object({ last_four_digits: Text(4, 4), credential_id: Text(1, 255) }, strict),
    },
    strict,
  ),
]);
const OrderParameters = Type.Object(
  {
    reference_id: Text(1, 35),
    type: OneOf(["digital-goods", "physical-goods"]),
    payment_type: Type.Literal("br"),
    currency: Type.Literal("BRL"),
    total_amount: Amount,
    payment_settings: Type.Array(PaymentSetting, { minItems: 1, maxItems: 3 }),
    order: Type.Object(
      {
        status: Type.Literal("pending"),
        items: Type.Array(
          Type.Object(
            {
              retailer_id: Text(1, 100),
              name: Text(1, 60),
              quantity: Type.Integer({ minimum: 1 }),
              amount: Amount,
              sale_amount: optional(Amount),
            },
            strict,
          ),
          { minItems: 1 },
        ),
        subtotal: Amount,
        tax: optional(Described),
        shipping: optional(Described),
        discount: optional(Described),
      },
      strict,
    ),
  },
  strict,
);
const OrderStatusParameters = Type.Object(
  {
    reference_id: Text(1, 35),
    order: Type.Object(
      {
        status: OneOf(["pending", "processing", "partially-shipped", "shipped", "completed", "canceled"]),
        description: optional(Text(1, 120)),
      },
      strict,
    ),
    payment: optional(
      Type.Object({ status: OneOf(["pending", "captured", "failed"]), timestamp: optional(Type.Integer()) }, strict),
    ),
  },
  strict,
);

/** The action of each interactive type, and the maximum length of its body. */
const KINDS: Record<string, { action: TSchema; bodyMax: number; isBodyOptional?: true }> = {
  button: { action: Type.Object({ buttons: Type.Array(Reply, { minItems: 1, maxItems: 3 }) }, strict), bodyMax: 1024 },
  list: {
    action: Type.Object({ button: Text(1, 20), sections: Type.Array(Section, { minItems: 1, maxItems: 10 }) }, strict),
    bodyMax: 4096,
  },
  cta_url: {
    action: Named("cta_url", Type.Object({ display_text: Text(1, 20), url: Text(1, 2048) }, strict)),
    bodyMax: 1024,
  },
  location_request_message: { action: Named("send_location"), bodyMax: 1024 },
  address_message: { action: Named("address_message", AddressParameters(Type.Object({}))), bodyMax: 1024 },
  flow: { action: Named("flow", FlowParameters), bodyMax: 1024 },
  call_permission_request: { action: Named("call_permission_request"), bodyMax: 1024, isBodyOptional: true },
  voice_call: { action: Named("voice_call", optional(VoiceCallParameters)), bodyMax: 1024 },
  order_details: { action: Named("review_and_pay", OrderParameters), bodyMax: 1024 },
  order_status: { action: Named("review_order", OrderStatusParameters), bodyMax: 1024 },
  request_contact_info: { action: Named("request_contact_info"), bodyMax: 1024 },
};

const Media = Type.Object(
  { id: optional(Text(1, 64)), link: optional(Text(1, 2048)), filename: optional(Text(1, 1000)) },
  strict,
);
const Header = Type.Object(
  {
    type: OneOf(["text", "image", "video", "document"]),
    text: optional(Text(1, 60)),
    image: optional(Media),
    video: optional(Media),
    document: optional(Media),
  },
  strict,
);

/** Throws Graph's error for a wrong interactive object. */
export const checkInteractive = (content: unknown, settings: Settings): void => {
  const type = textOf(fieldsOf(content)["type"]);
  if (type === "") throw missing("interactive['type']");
  const kind = KINDS[type];
  if (!kind) throw badValue(`Param interactive['type'] must be one of {${Object.keys(KINDS).join(", ")}}.`);
  const body = Type.Object({ text: Text(1, kind.bodyMax) }, strict);
  const footer = optional(Type.Object({ text: Text(1, 60) }, strict));
  const whole = {
    type: Type.Literal(type),
    header: optional(Header),
    body: kind.isBodyOptional ? optional(body) : body,
    footer,
    action: kind.action,
  };
  checked(Type.Object(whole, strict), content, param);
  checkHeader(type, fieldsOf(content)["header"]);
  checkAction(type, fieldsOf(fieldsOf(content)["action"]));
  if (type === "address_message") checkAddress(fieldsOf(fieldsOf(fieldsOf(content)["action"])["parameters"]), settings);
};

const checkHeader = (type: string, header: unknown): void => {
  if (header === undefined) return;
  const fields = fieldsOf(header);
  const kind = textOf(fields["type"]);
  if (type === "list" && kind !== "text") throw badValue("Header of a list must be of type text.");
  if (fields[kind] === undefined) throw missing(`interactive['header']['${kind}']`);
  if (kind !== "text") checkSource(fieldsOf(fields[kind]), `interactive['header']['${kind}']`);
};

const checkAction = (type: string, action: Record<string, unknown>): void => {
  if (type === "button")
    checkUnique(
      "Button id",
      listOf(action["buttons"]).map((one) => fieldsOf(one["reply"])["id"]),
    );
  if (type === "list") checkSections(listOf(action["sections"]));
  if (type === "cta_url" && !/^https?:\/\//.test(textOf(fieldsOf(action["parameters"])["url"])))
    throw badValue("Param url of the action must be an http or https URL.");
  if (type === "flow") checkFlow(fieldsOf(action["parameters"]));
};

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

const checkUnique = (what: string, values: unknown[]): void => {
  if (new Set(values).size !== values.length) throw badValue(`${what} must be unique.`);
};

const checkSections = (sections: Record<string, unknown>[]): void => {
  if (sections.length > 1 && sections.some((one) => !one["title"]))
    throw missing("interactive['action']['sections']['title']");
  const rows = sections.flatMap((one) => listOf(one["rows"]));
  if (rows.length > 10) throw badValue(`Total row count exceed max allowed count: 10, got ${rows.length}.`);
  checkUnique(
    "Row id",
    rows.map((one) => one["id"]),
  );
};

/**
 * Only India's parts of an address are documented. Nobody knows those of other countries, or whether others are
 * accepted.
 */
const checkAddress = (parameters: Fields, { addressCountries }: Settings): void => {
  if (parameters["country"] === "IN") checked(IndianParameters, parameters, "interactive['action']['parameters']");
  else if (addressCountries === "IN") throw badValue("Param country of the action must be one of {IN}.");
};

const checkFlow = (parameters: Record<string, unknown>): void => {
  if ((parameters["flow_id"] === undefined) === (parameters["flow_name"] === undefined))
    throw badValue("Exactly one of flow_id and flow_name is required.");
};
