import { render } from "preact";
import { PairPage } from "./pair/page.tsx";
import { follow } from "./pair/state.ts";
import "./styles/pair.css";

const root = document.getElementById("console");
if (!root) throw new Error("the page has no element for the console");

render(<PairPage />, root);
void follow();
