import { DOCUMENT_KINDS } from "../adapters/document-kinds.ts";
import { readHere } from "../adapters/document-reading.ts";
import { giveWay } from "../adapters/priority.ts";
import { command, EXIT } from "./command.ts";

const about = `print what a document on stdin says, as JSON; the server runs this for pages and files that agents learn. KIND: ${DOCUMENT_KINDS.join(", ")}`;

export const readDocumentCommand = command(
  {
    name: "read-document",
    about,
    operands: ["KIND"],
    flags: { charset: { value: "NAME", about: "how it is written, where it does not say so itself" } },
  },
  async ({ out, err }, { operands: [asked], flags: { charset } }) => {
    const kind = DOCUMENT_KINDS.find((one) => one === asked);
    if (!kind) {
      err(`recado read-document: KIND is one of ${DOCUMENT_KINDS.join(", ")}`);
      return EXIT.usage;
    }
    giveWay();
    out(JSON.stringify(await readHere({ bytes: await Bun.stdin.bytes(), kind, charset })));
    return EXIT.ok;
  },
);
