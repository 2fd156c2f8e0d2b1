import { descriptionOf } from "../description.ts";
import { ALWAYS_JSON_FLAG, command, EXIT } from "./command.ts";

/** Prints the OpenAPI description of an API, the same document as its /openapi.json. */
export const openapiCommand = command(
  {
    name: "openapi",
    about: "print the description of an API, which is platform or gateway",
    operands: ["platform|gateway"],
    flags: { json: ALWAYS_JSON_FLAG },
  },
  async ({ out, err }, { operands: [api] }) => {
    if (api !== "platform" && api !== "gateway") {
      err(`recado openapi: platform or gateway, not ${api}`);
      return EXIT.usage;
    }
    out(JSON.stringify(await descriptionOf(api), null, 2));
    return EXIT.ok;
  },
);
