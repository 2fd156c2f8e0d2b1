import { generateKeyPairSync } from "node:crypto";
import { ACCOUNT_ID, type Answered, type Bench, NUMBER_ID, TOKEN } from "../fixture.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";

const screen = (id: string, more: Fields = {}): Fields => ({
  id,
  title: id,
  layout: { type: "SingleColumnLayout", children: [{ type: "Footer", label: "Go" }] },
  ...more,
});

/** A flow JSON of one screen without an endpoint, and one of two screens with. */
export const PLAIN_JSON = { version: "7.1", screens: [screen("WELCOME", { terminal: true })] };
export const ENDPOINT_JSON = {
  version: "7.1",
  data_api_version: "3.0",
  routing_model: { WELCOME: ["DONE"], DONE: [] },
  screens: [screen("WELCOME"), screen("DONE", { terminal: true })],
};

/** The acts of tests with flows, on the number and account of the bench. */
export const flowBench = ({ call, graph }: Bench) => {
  const create = (fields: Fields = {}): Promise<Answered> =>
    call("POST", `/v25.0/${ACCOUNT_ID}/flows`, { name: "Sign up", categories: ["SIGN_UP"], ...fields });
  return {
    create,
    /** Creates a flow and gives its id. */
    made: async (fields: Fields = {}) => textOf((await create(fields)).body["id"]),
    /** Uploads a flow JSON the way it is done: as a form with a file. */
    upload: async (id: string, json: string, fields: Record<string, string> = {}): Promise<Answered> => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: "flow.json", asset_type: "FLOW_JSON", ...fields }))
        form.append(name, value);
      form.append("file", new File([json], "flow.json", { type: "application/json" }));
      const answer = await fetch(`${graph.url}/v25.0/${id}/assets`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}` },
        body: form,
      });
      return { status: answer.status, body: fieldsOf(await answer.json()), headers: answer.headers };
    },
    publish: (id: string) => call("POST", `/v25.0/${id}/publish`),
    /** Uploads a public key in a form body. */
    setKey: async (pem: string): Promise<Answered> => {
      const body = new URLSearchParams({ business_public_key: pem });
      const answer = await fetch(`${graph.url}/v25.0/${NUMBER_ID}/whatsapp_business_encryption`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}` },
        body,
      });
      return { status: answer.status, body: fieldsOf(await answer.json()), headers: answer.headers };
    },
  };
};

/** A pair of RSA keys in PEM. */
export const keyPair = (modulusLength = 2048): { publicKey: string; privateKey: string } =>
  generateKeyPairSync("rsa", {
    modulusLength,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
