/** The characters that end a text in single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that sends a first message with a key, for a shell. A blank stands for an unknown value. */
export const firstMessage = ({
  gatewayUrl,
  key,
  phoneId = "<phone id>",
  to = "5511999990001",
  text,
}: {
  gatewayUrl: string;
  key: string;
  phoneId?: string | undefined;
  to?: string | undefined;
  text: string;
}): string =>
  [
    `curl ${quoted(`${gatewayUrl}/v1/messages`)} \\`,
    `  -H ${quoted(`X-API-Key: ${key}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify({ phoneId, to, type: "text", content: { text } }))}`,
  ].join("\n");
