import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { ACCOUNT_ID, errorOf, listOf } from "../fixture.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import {
  BODY,
  body,
  buttons,
  carousel,
  codeOf,
  EDGE,
  longText,
  otp,
  picture,
  reply,
  subcodeOf,
  templateBench,
  url,
} from "./fixture.ts";

const bench = templateBench();

describe("a template that is created", () => {
  test("is PENDING, is listed and seen by its id, and can be sent only once it is approved", async () => {
    const { graph, call, send, create, listed } = bench();
    const answer = await create({ message_send_ttl_seconds: 60, parameter_format: "positional", category: "utility" });
    const id = textOf(answer.body["id"]);
    expect(answer.body).toEqual({ id, status: "PENDING", category: "UTILITY" });
    const whole = {
      name: "order_update",
      language: "pt_BR",
      status: "PENDING",
      category: "UTILITY",
      parameter_format: "POSITIONAL",
      components: [BODY],
      message_send_ttl_seconds: 60,
      id,
    };
    expect(await listed()).toEqual([whole]);
    expect((await call("GET", `/${id}`)).body).toEqual(whole);
    expect((await call("GET", `/${id}?fields=status,rejected_reason,quality_score`)).body).toMatchObject({
      id,
      status: "PENDING",
      rejected_reason: "NONE",
      quality_score: { score: "UNKNOWN" },
    });
    const use = () =>
      send({
        type: "template",
        template: {
          name: "order_update",
          language: { code: "pt_BR" },
          components: [{ type: "body", parameters: [{ type: "text", text: "Ana" }] }],
        },
      });
    expect(codeOf(await use())).toBe(132001);
    await graph.reviewTemplate(id, "APPROVED");
    expect((await use()).status).toBe(200);
    expect([...graph.sent.values()].map((one) => one.category)).toEqual(["utility"]);
  });

  const TAKEN: [what: string, patch: Fields][] = [
    ["a body of 1024 characters", { components: [body(longText(1024))] }],
    [
      "a header with a variable",
      {
        components: [{ type: "HEADER", format: "TEXT", text: "Pedido {{1}}", example: { header_text: ["77"] } }, BODY],
      },
    ],
    ["a place as header", { components: [{ type: "HEADER", format: "LOCATION" }, BODY] }],
    [
      "named variables",
      {
        parameter_format: "NAMED",
        components: [
          {
            type: "BODY",
            text: "Olá {{first_name}}, o seu pedido já saiu.",
            example: { body_text_named_params: [{ param_name: "first_name", example: "Ana" }] },
          },
        ],
      },
    ],
    [
      "ten buttons in two groups",
      {
        components: buttons(
          ...[1, 2, 3, 4, 5, 6].map((n) => reply(`r${n}`)),
          url(),
          url({ url: "https://x.test/{{1}}", example: ["https://x.test/1"] }),
          { type: "PHONE_NUMBER", text: "ligar", phone_number: "+551140000000" },
          { type: "COPY_CODE", example: "X20" },
        ),
      },
    ],
    [
      "words in small letters",
      {
        category: "marketing",
        components: [
          { ...BODY, type: "body" },
          { type: "buttons", buttons: [{ type: "quick_reply", text: "ok" }] },
        ],
      },
    ],
    [
      "a code to copy",
      { category: "AUTHENTICATION", components: [...otp(), { type: "FOOTER", code_expiration_minutes: 10 }] },
    ],
    [
      "a one-tap code",
      {
        category: "AUTHENTICATION",
        components: otp({
          otp_type: "ONE_TAP",
          supported_apps: [{ package_name: "com.x", signature_hash: "K8a/AINcGX7" }],
        }),
      },
    ],
    [
      "an offer",
      {
        category: "MARKETING",
        components: [
          BODY,
          { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "só hoje", has_expiration: true } },
        ],
      },
    ],
    ["a marketing one for a day", { category: "MARKETING", message_send_ttl_seconds: 43_200 }],
    ["a code that is tried for ever", { category: "AUTHENTICATION", components: otp(), message_send_ttl_seconds: -1 }],
  ];
  test.each(TAKEN)("may have %s", async (_what, patch) => {
    const { graph, create } = bench();
    expect((await create(patch)).status).toBe(200);
    expect(graph.templates.size).toBe(1);
  });

  test("is refused with what people are shown", async () => {
    const { create } = bench();
    expect(errorOf(await create({ components: [body("{{1}}, o seu pedido já saiu.", "Ana")] }))).toMatchObject({
      message: "Invalid parameter",
      type: "OAuthException",
      code: 100,
      error_subcode: 2388299,
      is_transient: false,
      error_user_title: "Leading or trailing params not allowed",
      error_user_msg: "Variables can't be at the start or end of the template.",
    });
    expect(errorOf(await create({ name: undefined }))).toMatchObject({
      message: "(#100) The parameter name is required.",
    });
  });

  test("takes a picture and cards by the handles of uploads, and shows addresses in their place", async () => {
    const { call, create, created, handle } = bench();
    const header = picture(await handle());
    const id = await created({ category: "MARKETING", components: [header, BODY] });
    const [shown] = listOf((await call("GET", `/${id}`)).body["components"]);
    expect(textOf(fieldsOf(shown?.["example"])["header_handle"])).toContain("https://scontent.whatsapp.net/");
    expect(
      subcodeOf(
        await create({
          name: "pdf",
          category: "MARKETING",
          components: [picture(await handle("application/pdf")), BODY],
        }),
      ),
    ).toBe(2494102);
    const card = (button: Fields) => [header, { type: "BUTTONS", buttons: [button] }];
    expect(
      (await create({ name: "cards", category: "MARKETING", components: carousel(card(reply("a")), card(reply("b"))) }))
        .status,
    ).toBe(200);
    expect(
      codeOf(
        await create({ name: "mixed", category: "MARKETING", components: carousel(card(reply("a")), card(url())) }),
      ),
    ).toBe(100);
  });

  test("is refused in a language that has one (2388024), and in another category than its name", async () => {
    const { create, created } = bench();
    await created();
    expect(subcodeOf(await create())).toBe(2388024);
    expect(errorOf(await create({ language: "en_US", category: "MARKETING" }))["error_user_msg"]).toContain(
      "doesn't match the one that's already associated",
    );
    expect((await create({ language: "en_US" })).status).toBe(200);
    expect((await create({ name: "other", category: "MARKETING" })).status).toBe(200);
  });

  test("is refused as the 251st name (2388019)", async () => {
    const { graph, create } = bench();
    for (let n = 0; n < 250; n++)
      graph.addTemplate({ businessAccountId: ACCOUNT_ID, name: `seed_${n}`, language: "pt_BR", components: [BODY] });
    expect(subcodeOf(await create())).toBe(2388019);
    expect((await create({ name: "seed_0", language: "en_US" })).status).toBe(200);
    expect(graph.templates.size).toBe(251);
  });

  test("is refused as the 101st of an hour (80007), deleted ones counted", async () => {
    const { graph, call, clock, create, created } = bench();
    for (let n = 0; n < 100; n++) await created({ name: `t${n}` });
    await call("DELETE", `${EDGE}?name=t0`);
    expect(codeOf(await create())).toBe(80007);
    clock.advance(HOUR_MS);
    expect((await create()).status).toBe(200);
    expect(graph.templates.size).toBe(101);
  });

  test("may be made a marketing one by Meta, which takes no wish about it", async () => {
    const { graph, create, listed } = bench();
    graph.configure({ templateCategory: "MARKETING" });
    expect((await create()).body["category"]).toBe("MARKETING");
    const strict = await create({ name: "strict", allow_category_change: false });
    expect(strict.body["category"]).toBe("MARKETING");
    expect((await create({ name: "code", category: "AUTHENTICATION", components: otp() })).body["category"]).toBe(
      "AUTHENTICATION",
    );
    expect((await listed("name=order")).map((one) => one["category"])).toEqual(["MARKETING"]);
  });

  test("with a code shows Meta's words and a link", async () => {
    const { call, created } = bench();
    const id = await created({
      category: "AUTHENTICATION",
      components: [...otp(), { type: "FOOTER", code_expiration_minutes: 5 }],
    });
    const [text, shown, footer] = listOf((await call("GET", `/${id}`)).body["components"]);
    expect([text?.["text"], footer?.["text"]]).toEqual([
      "*{{1}}* is your verification code.",
      "This code expires in 5 minutes.",
    ]);
    expect(listOf(shown?.["buttons"])).toMatchObject([
      {
        type: "URL",
        text: "copiar",
        url: "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code_expiration_minutes=5&code=otp{{1}}",
      },
    ]);
  });

  test("is only made for a token that may", async () => {
    const { graph, call, created } = bench();
    graph.addToken({ token: "sender", businessAccountIds: [ACCOUNT_ID], scopes: ["whatsapp_business_messaging"] });
    graph.addToken({ token: "other", businessAccountIds: ["999"] });
    expect((await call("POST", EDGE, {}, "sender")).status).toBe(403);
    expect(subcodeOf(await call("POST", EDGE, {}, "other"))).toBe(33);
    const id = await created();
    expect(subcodeOf(await call("GET", `/${id}`, undefined, "other"))).toBe(33);
    expect(graph.templates.size).toBe(1);
  });

  test("whose answer was lost exists all the same", async () => {
    const { graph, create } = bench();
    graph.failNext(1, { kind: "reset", isAccepted: true }, { operation: "template.create" });
    expect(await create().then(String, () => "lost")).toBe("lost");
    expect(subcodeOf(await create())).toBe(2388024);
    graph.failNext(
      1,
      { kind: "error", code: 100, subcode: 2388293, user: { title: "t", message: "m" } },
      { operation: "template.create" },
    );
    expect(errorOf(await create({ name: "other" }))).toMatchObject({
      error_subcode: 2388293,
      error_user_title: "t",
      error_user_msg: "m",
    });
    expect(graph.templates.size).toBe(1);
  });
});
