import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  addDocument,
  DOCUMENT_SOURCES,
  DOCUMENT_STATUSES,
  type Document,
  getDocument,
  readDocuments,
  removeDocument,
} from "../../../core/ai/knowledge/documents.ts";
import { KNOWLEDGE_MAX_BYTES, storeKnowledgeFile } from "../../../core/ai/knowledge/knowledge-files.ts";
import { described, Nullable, OneOf, Text, Url } from "../../../kernel/schema.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { bodyReaders } from "../../shared/http/bodies.ts";
import { FORM_BYTES, fileIn } from "../../shared/http/files.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const DocumentBody = Type.Object(
  {
    source: OneOf(DOCUMENT_SOURCES, {
      title: "DocumentSource",
      description: "Which of `url`, `text` and `objectKey` is given",
    }),
    title: Type.Optional(described(Text(0, 255), "The account's name for the document", "Cardápio da semana")),
    url: Type.Optional(
      described(
        Url(),
        "A public HTTPS address of the document; for the source URL",
        "https://padaria-estrela.example/cardapio",
      ),
    ),
    text: Type.Optional(
      described(Text(20, 200_000), "The text itself; for the source TEXT_INLINE", "Olá, Maria! Seu bolo está pronto."),
    ),
    objectKey: Type.Optional(
      described(
        Text(3, 500),
        "The key of an uploaded file; for the source OBJECT_FILE",
        "knowledge/019a1b2c/cardapio.pdf",
      ),
    ),
    sendable: Type.Optional(
      Type.Boolean({
        description:
          "True: the agent may send the file to contacts, with the built-in tool `send_file`, and the file is kept; " +
          "false by default, for the source OBJECT_FILE",
      }),
    ),
  },
  {
    description: "Needs `url` if the source is URL, `text` if it is TEXT_INLINE, `objectKey` if it is OBJECT_FILE",
  },
);

const Brief = {
  id: Id("The document's id"),
  source: OneOf(DOCUMENT_SOURCES, {
    title: "DocumentSource",
    description: "Which of `url`, `text` and `objectKey` is given",
  }),
  title: Nullable(
    Type.String({
      description: "The account's name for the document; null without a title",
      examples: ["Cardápio da semana"],
    }),
  ),
  status: OneOf(DOCUMENT_STATUSES, {
    title: "DocumentStatus",
    description: "Whether answers already use the document",
  }),
  createdAt: CreatedAt("document"),
};
const AddedView = Type.Object(Brief, { title: "AddedDocument" });
const DocumentView = Type.Object(
  {
    ...Brief,
    sourceRef: Nullable(
      Type.String({
        description: "The address or the object's key; null for inline text",
        examples: ["https://padaria-estrela.example/cardapio"],
      }),
    ),
    chunkCount: Type.Integer({ description: "Into how many pieces it was cut", examples: [12] }),
    errorReason: Nullable(
      Type.String({
        description: "Why the document could not be read: a code and a few words; null if nothing failed",
      }),
    ),
    embeddingModel: Type.Optional(
      Nullable(
        Type.String({
          description:
            "The model that learnt it: answers use it with this model alone; null before, while it is learnt anew, and where unknown",
          examples: ["text-embedding-3-small"],
        }),
      ),
    ),
    sendable: Type.Boolean({ description: "Whether the agent may send the file to contacts" }),
    updatedAt: described(Instant, "When the document last changed"),
  },
  { title: "Document" },
);

const briefView = (document: Document) => toView(AddedView, document);
const documentView = (document: Document) =>
  toView(DocumentView, document, {
    sendable: document.isSendable,
    embeddingModel: document.embeddingModel || null,
  });

const FileView = Type.Object(
  {
    objectKey: Type.String({
      description: "The key of the stored file",
      examples: ["knowledge/019a1b2c/cardapio.pdf"],
    }),
    sizeBytes: Type.Integer({ description: "The size of the file in bytes", examples: [48213] }),
    contentType: Type.String({ description: "The media type of the file", examples: ["application/pdf"] }),
  },
  { title: "KnowledgeFile" },
);
const FORMATS = "Text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, PPTX, ODT, ODS or ODP";
const FILE = { type: "string", format: "binary", description: FORMATS } as const;
const UPLOADED = {
  "multipart/form-data": { schema: { type: "object" as const, properties: { file: FILE }, required: ["file"] } },
  "*/*": { schema: FILE },
};

/** The documents of agents. Texts may be longer than other bodies; files are streamed, never held as a whole. */
export const knowledge = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["ai"],
    detail: inPath({
      ...PHONE_IN_PATH,
      docId: Id("The document, as `GET /v1/phones/{id}/ai-agent/knowledge` lists it"),
    }),
  })
    .use(auth)
    .post(
      "/:id/ai-agent/knowledge",
      async ({ principal, params, body, status }) =>
        status(202, briefView(await addDocument(env, principal, params.id, body))),
      {
        parse: [bodyReaders(env).readJson, "json"], // the second is for the description alone
        body: DocumentBody,
        response: { 202: AddedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "addDocument",
            acts: "none: own settings",
            isolation: { id: "channel" },
            maxBodyBytes: MAX_LONG_BODY_BYTES,
          }),
          summary: "Teach an agent a page, a text or an uploaded file",
          description:
            "The document is read afterwards: its status becomes READY, or FAILED with a reason. `source` " +
            "decides which of `url`, `text` and `objectKey` is required.",
        },
      },
    )
    .get(
      "/:id/ai-agent/knowledge",
      async ({ principal, params }) => (await readDocuments(env, principal, params.id)).map(documentView),
      {
        response: { 200: Type.Array(DocumentView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listDocuments", isolation: { id: "channel" } }),
          summary: "List the documents of an agent, newest first",
          description: "The answer has every document, also those that are still being read or could not be read.",
        },
      },
    )
    .post(
      "/:id/ai-agent/knowledge/files",
      async ({ principal, params, request, status }) =>
        status(201, await storeKnowledgeFile(env, principal, params.id, await fileIn(env.intake, request))),
      {
        parse: "none",
        response: { 201: FileView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "uploadKnowledgeFile",
            acts: "none: own settings",
            isolation: { id: "channel" },
            maxBodyBytes: KNOWLEDGE_MAX_BYTES + FORM_BYTES,
          }),
          summary: "Upload a file for an agent to learn",
          description:
            `As a form or as the raw bytes, at most 10 MB. ${FORMATS}. Its \`objectKey\` is good for seven days. Files that are protected by a ` +
            "password, and old formats such as .doc, .xls and .ppt, are taken and cannot be read.",
          requestBody: { required: true, content: UPLOADED },
        },
      },
    )
    .get(
      "/:id/ai-agent/knowledge/:docId",
      async ({ principal, params }) => documentView(await getDocument(env, principal, params.id, params.docId)),
      {
        response: { 200: DocumentView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getDocument", isolation: { id: "channel", docId: "knowledge" } }),
          summary: "Get a document of an agent",
          description: "`status` says whether answers use it yet, and `errorReason` why it could not be read.",
        },
      },
    )
    .delete(
      "/:id/ai-agent/knowledge/:docId",
      async ({ principal, params, status }) => {
        await removeDocument(env, principal, params.id, params.docId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "deleteDocument",
            acts: "none: own settings",
            isolation: { id: "channel", docId: "knowledge" },
          }),
          summary: "Delete a document of an agent",
          description: "Later answers do not use it.",
        },
      },
    );
