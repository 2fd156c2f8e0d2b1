import { expect } from "bun:test";
import { ACCOUNT_ID, type Answered, type Bench, errorOf, graphBench, listOf, TOKEN } from "../fixture.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";

export const EDGE = `/v25.0/${ACCOUNT_ID}/message_templates`;

export const longText = (length: number) => "ã".repeat(length);
export const body = (text: string, ...examples: string[]) => ({
  type: "BODY",
  text,
  ...(examples.length > 0 ? { example: { body_text: [examples] } } : {}),
});
export const BODY = body("Olá {{1}}, o seu pedido já saiu para entrega.", "Ana");
export const buttons = (...list: Fields[]) => [BODY, { type: "BUTTONS", buttons: list }];
export const reply = (text: string) => ({ type: "QUICK_REPLY", text });
export const url = (patch: Fields = {}) => ({ type: "URL", text: "ver", url: "https://x.test/a", ...patch });
/** The components of a template for codes. */
export const otp = (patch: Fields = {}) => [
  { type: "BODY", add_security_recommendation: true },
  { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "copiar", ...patch }] },
];
export const picture = (handle: string) => ({ type: "HEADER", format: "IMAGE", example: { header_handle: [handle] } });
export const carousel = (...cards: Fields[][]) => [
  BODY,
  { type: "CAROUSEL", cards: cards.map((components) => ({ components })) },
];

export const codeOf = (answer: Answered) => errorOf(answer)["code"];
export const subcodeOf = (answer: Answered) => errorOf(answer)["error_subcode"];

export type TemplateBench = Bench & {
  /** Requests a utility template `order_update` in pt_BR, changed by the patch. */
  create(patch?: Fields): Promise<Answered>;
  /** Creates one, and gives its id. */
  created(patch?: Fields): Promise<string>;
  approved(patch?: Fields): Promise<string>;
  listed(query?: string): Promise<Fields[]>;
  /** The handle of a file that went through a resumable upload. */
  handle(mimeType?: string): Promise<string>;
};

/** A simulator with one account whose templates are managed. */
export const templateBench = (): (() => TemplateBench) => {
  const bench = graphBench();
  return () => {
    const { graph, call } = bench();
    const create: TemplateBench["create"] = (patch = {}) =>
      call("POST", EDGE, {
        name: "order_update",
        language: "pt_BR",
        category: "UTILITY",
        components: [BODY],
        ...patch,
      });
    const created: TemplateBench["created"] = async (patch) => {
      const answer = await create(patch);
      expect(answer.status).toBe(200);
      return textOf(answer.body["id"]);
    };
    return {
      ...bench(),
      create,
      created,
      async approved(patch) {
        const id = await created(patch);
        await graph.reviewTemplate(id, "APPROVED");
        return id;
      },
      listed: async (query = "") => listOf((await call("GET", `${EDGE}?${query}`)).body["data"]),
      async handle(mimeType = "image/png") {
        graph.addToken({ token: TOKEN, appId: "67000", businessAccountIds: [ACCOUNT_ID] });
        const session = await call("POST", `/67000/uploads?file_length=3&file_type=${mimeType}`);
        const headers = { authorization: `OAuth ${TOKEN}`, file_offset: "0" };
        const written = await fetch(`${graph.url}/${textOf(session.body["id"])}`, {
          method: "POST",
          headers,
          body: new Uint8Array(3),
        });
        return textOf(fieldsOf(await written.json())["h"]);
      },
    };
  };
};
