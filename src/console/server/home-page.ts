import type { Addresses } from "../../kernel/network/addresses.ts";
import { type Answer, escaped } from "./page.ts";

/** The start page, with links to the APIs. It shows only public facts. */
export const home = ({ gatewayUrl, platformUrl }: Addresses): Answer => ({
  status: 200,
  page: {
    title: "It serves",
    body: `<dl>${APIS.map(({ name, about, urlOf }) => {
      const url = urlOf({ gatewayUrl, platformUrl });
      return `<dt>${name}</dt><dd>${about}<code>${escaped(url)}</code><a href="${escaped(url)}/docs">its description</a></dd>`;
    }).join("")}</dl>`,
  },
  json: { gatewayUrl, platformUrl },
});

type Urls = Pick<Addresses, "gatewayUrl" | "platformUrl">;

const APIS = [
  {
    name: "Gateway API",
    about: "Phones, messages, templates, media, agents, billing: for programs, with an account's key.",
    urlOf: ({ gatewayUrl }: Urls) => gatewayUrl,
  },
  {
    name: "Platform API",
    about: "Users, institutions, channels, conversations, bulk: for people who register themselves.",
    urlOf: ({ platformUrl }: Urls) => platformUrl,
  },
];
