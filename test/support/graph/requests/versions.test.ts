import { describe, expect, test } from "bun:test";
import { NEWEST_GRAPH } from "../../../../src/kernel/settings/graph-version.ts";
import { instagramBench } from "../../instagram/fixture.ts";
import { messengerChannel, TOKEN } from "../../networks/messenger-channel.ts";
import { errorOf, graphBench, NUMBER_ID, request } from "../fixture.ts";

const graph = graphBench();
const instagram = instagramBench();
const page = messengerChannel();

const NETWORKS = [
  ["the Graph API", (version: string, rest = "?") => graph().call("GET", `/${version}/${NUMBER_ID}${rest}`)],
  ["Instagram's", (version: string, rest = "?") => instagram().call("GET", `/${version}/me${rest}`)],
  [
    "Messenger's",
    (version: string, rest = "?") => request(`${page().messenger.url}/${version}/me${rest}`, "GET", undefined, TOKEN),
  ],
] as const;

describe.each(NETWORKS)("%s", (_, ask) => {
  test.each(["v13.0", "v21.0", "v26.0", NEWEST_GRAPH])("takes the version %s", async (version) => {
    expect((await ask(version)).status).toBe(200);
  });

  test.each(["v28.0", "v27.1"])("does not know the version %s", async (version) => {
    expect(errorOf(await ask(version))).toMatchObject({ code: 2500 });
  });

  test.each(["ids=1,2", "date_format=U", "method=delete", "callback=f", "batch=[]", "fields=id.as(x)"])(
    "refuses %s in every version, as for new apps since 4 November 2026",
    async (query) => {
      for (const version of ["v21.0", NEWEST_GRAPH])
        expect(errorOf(await ask(version, `?${query}`))).toMatchObject({
          code: 100,
          message: expect.stringContaining("no longer supported"),
        });
    },
  );
});
