import { Type } from "@sinclair/typebox";

/** What the network of a channel lets a client say of one send. The core checks it against the kind's own schema. */
export const SendOptions = Type.Object(
  {},
  {
    additionalProperties: Type.Unknown(), // a typed one would be dropped where it does not fit
    maxProperties: 20,
    description: "What the network lets you say of this send; `sendOptions` of its kind lists the fields",
    examples: [{ validity: "3600" }],
  },
);
