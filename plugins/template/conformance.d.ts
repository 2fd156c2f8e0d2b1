// The program has this file as a text, which `recado plugin new` writes.
declare const text: string;
export default text;
