import type { ILoadOptionsFunctions, INodePropertyOption } from "n8n-workflow";
import { listOf } from "./request.ts";

const MOST_OPTIONS = 1000;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The options that Recado itself has, each list loaded when somebody opens it. @throws NodeApiError for a refusal. */
export const loadOptions = {
  async getPhones(this: ILoadOptionsFunctions): Promise<INodePropertyOption[]> {
    const phones = await listOf(this, { method: "GET", path: "/v1/phones" }, MOST_OPTIONS);
    return phones.map(({ id, label, phoneNumber, status }) => ({
      name: [label, phoneNumber].map(textOf).filter(Boolean).join(" · ") || textOf(id),
      value: textOf(id),
      description: textOf(status),
    }));
  },
  async getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOption[]> {
    const phoneId = this.getCurrentNodeParameter("phoneId");
    const query = { phoneId, status: "APPROVED" };
    const templates = await listOf(this, { method: "GET", path: "/v1/templates", query }, MOST_OPTIONS);
    return templates.map(({ name, language, category }) => ({
      name: `${textOf(name)} (${textOf(language)})`,
      value: `${textOf(name)}:${textOf(language)}`,
      description: textOf(category),
    }));
  },
};
