import { DOCUMENT_KINDS } from "../../adapters/documents/document-kinds.ts";
import { readHere } from "../../adapters/documents/document-reading.ts";
import { lowerPriority } from "../../adapters/machine/priority.ts";
import { command, EXIT } from "../command.ts";

const KINDS = DOCUMENT_KINDS.join(", ");
const about = `print the text of a document on stdin, as JSON; the server runs it for knowledge bases. KIND: ${KINDS}`;

export const readDocumentCommand = command(
  {
    name: "read-document",
    about,
    operands: ["KIND"],
    flags: { charset: { value: "NAME", about: "the charset, if the document does not name it" } },
  },
  async ({ out, err }, { operands: [asked], flags: { charset } }) => {
    const kind = DOCUMENT_KINDS.find((one) => one === asked);
    if (!kind) {
      err(`recado read-document: KIND is one of ${KINDS}`);
      return EXIT.usage;
    }
    lowerPriority();
    out(JSON.stringify(await readHere({ bytes: await Bun.stdin.bytes(), kind, charset })));
    return EXIT.ok;
  },
);
