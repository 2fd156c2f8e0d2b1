/** JSON that may stand in a script: no character ends the script, a line or a comment. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * The program that the owner pastes into the console of a web.whatsapp.com tab, because a browser signs only there. It
 * draws a button, because the browser requires a click. It has the network's options signed, unchanged, and shows the
 * result to copy. It sends nothing anywhere. `words`: the texts on the button, and above the result.
 */
export const consoleSnippet = (
  options: Readonly<Record<string, unknown>>,
  words: { button: string; result: string },
): string =>
  `(() => {
  const options = ${scriptJson(options)};
  const words = ${scriptJson(words)};
  const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
  const request = () => ({
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: (options.allowCredentials || []).map((one) => ({ ...one, id: toBytes(one.id) })),
  });
  const jsonOf = ({ id, rawId, type, response }) => ({
    id,
    rawId: toText(rawId),
    type,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(response.userHandle ? { userHandle: toText(response.userHandle) } : {}),
    },
  });
  const box = document.createElement("div");
  box.style.cssText = "position:fixed;inset:0;z-index:2147483647;padding:3rem;background:#fff;color:#111;font:18px sans-serif";
  const button = document.createElement("button");
  button.textContent = words.button;
  button.style.cssText = "padding:1rem 2rem;font:inherit;background:#0a7d4f;color:#fff;border:0;border-radius:8px";
  const title = document.createElement("p");
  const area = document.createElement("textarea");
  area.style.cssText = "display:none;width:100%;height:12rem;font:14px monospace;color:#111;background:#fff";
  const show = (text) => {
    title.textContent = words.result;
    area.style.display = "block";
    area.value = text;
    area.select();
  };
  button.onclick = async () => {
    try {
      show(JSON.stringify(jsonOf(await navigator.credentials.get({ publicKey: request() }))));
    } catch (error) {
      show(String(error));
    }
  };
  box.append(button, title, area);
  document.body.append(box);
})();`;
