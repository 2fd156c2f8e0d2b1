import { Type } from "@sinclair/typebox";
import { OneOf } from "../../../kernel/schema.ts";

/** The field of a message that says in which plainer form it went out. */
export const SENT_AS = {
  sentAs: Type.Optional(
    OneOf(["text"], {
      title: "PlainerForm",
      description:
        "`text`: the network refused the buttons, and the message went out as a text with numbered options; absent " +
        "otherwise",
    }),
  ),
};
