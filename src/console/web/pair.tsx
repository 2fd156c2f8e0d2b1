import { render } from "preact";
import { keepFocus } from "./frame/focus.ts";
import { PairPage } from "./pair/page.tsx";
import { follow } from "./pair/state.ts";
import "./styles/pair.css";

const root = document.getElementById("console");
if (!root) throw new Error("the page has no element for the console");

keepFocus();
render(<PairPage />, root);
void follow();
