import { render } from "preact";
import { App, Unreached } from "./frame/app.tsx";
import { keepFocus } from "./frame/focus.ts";
import { startLive } from "./frame/requests/live.ts";
import { loadSession } from "./frame/session.ts";
import "./styles/console.css";

const root = document.getElementById("console");
if (!root) throw new Error("the page has no element for the console");

try {
  await loadSession();
  startLive();
  keepFocus();
  render(<App />, root);
} catch (error) {
  render(<Unreached error={error} />, root);
}
