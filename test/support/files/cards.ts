// Cards of people as programs write them: seen in their exports in 2026-11, with other names and numbers.
import type { Card } from "../../../src/kernel/texts/vcards.ts";

const crlf = (...lines: string[]): string => `${lines.join("\r\n")}\r\n`;

/** TABLE: a card by the program that writes it, and what it says. */
export const CARDS: readonly (readonly [program: string, text: string, says: Card])[] = [
  [
    "WhatsApp on Android, of a business",
    "BEGIN:VCARD\nVERSION:3.0\nN:Silva;Bia;;;\nFN:Bia Silva\nitem1.TEL;waid=5511922220001:+55 11 92222-0001\nitem1.X-ABLabel:Celular\nX-WA-BIZ-NAME:Bia Doces\nEND:VCARD",
    {
      name: "Bia Silva",
      phones: [{ number: "+55 11 92222-0001", waId: "5511922220001" }],
      emails: [],
      company: "Bia Doces",
    },
  ],
  [
    "WhatsApp on the web",
    "BEGIN:VCARD\nVERSION:3.0\nN:;Bia;;;\nFN:Bia\nTEL;type=CELL;type=VOICE;waid=5511922220001:+55 11 92222-0001\nEND:VCARD",
    { name: "Bia", phones: [{ number: "+55 11 92222-0001", waId: "5511922220001", type: "CELL" }], emails: [] },
  ],
  [
    "an iPhone",
    crlf(
      "BEGIN:VCARD",
      "VERSION:3.0",
      "PRODID:-//Apple Inc.//iPhone OS 18.1//EN",
      "N:Silva;Ana;;;",
      "FN:Ana Silva",
      "ORG:Padaria\\; Pães;",
      "item1.TEL;type=pref:+55 11 91111-2222",
      "item1.X-ABLabel:_$!<Mobile>!$_",
      "TEL;type=IPHONE;type=CELL;type=VOICE;type=pref:+55 11 93333-4444",
      "EMAIL;type=INTERNET;type=HOME;type=pref:ana@ex.org",
      "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAA",
      " QEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAA=",
      "END:VCARD",
    ),
    {
      name: "Ana Silva",
      phones: [{ number: "+55 11 91111-2222" }, { number: "+55 11 93333-4444", type: "CELL" }],
      emails: ["ana@ex.org"],
      company: "Padaria; Pães",
    },
  ],
  [
    "Android in version 2.1",
    crlf(
      "BEGIN:VCARD",
      "VERSION:2.1",
      "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=47=6F=6E=C3=A7alves;Jo=C3=A3o;;;",
      "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jo=C3=A3o=20Gon=C3=A7alves",
      "TEL;CELL:11912345678",
      "TEL;WORK;PREF:1133334444",
      "ORG;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Padaria=20=",
      "Estrela;Vendas",
      "PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/",
      " 2wBDAAgGBgcGBQgHBwcJ",
      "",
      "END:VCARD",
    ),
    {
      name: "João Gonçalves",
      phones: [
        { number: "11912345678", type: "CELL" },
        { number: "1133334444", type: "WORK" },
      ],
      emails: [],
      company: "Padaria Estrela",
    },
  ],
  [
    "Outlook",
    crlf(
      "BEGIN:VCARD",
      "VERSION:2.1",
      "N;LANGUAGE=pt-br;CHARSET=Windows-1252;QUOTED-PRINTABLE:Jo=E3o;Silva",
      "FN;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:Jo=E3o Silva",
      "ORG:Pães\\; Bolos;Vendas",
      "TEL;WORK;VOICE:+55 (11) 3333-4444",
      "TEL;CELL;VOICE:+55 (11) 95555-6666",
      "EMAIL;PREF;INTERNET:joao@ex.org",
      "NOTE;ENCODING=QUOTED-PRINTABLE:um=0D=0A=",
      "TEL: nenhum",
      "END:VCARD",
    ),
    {
      name: "João Silva",
      phones: [
        { number: "+55 (11) 3333-4444", type: "WORK" },
        { number: "+55 (11) 95555-6666", type: "CELL" },
      ],
      emails: ["joao@ex.org"],
      company: "Pães; Bolos",
    },
  ],
  [
    "Google Contacts",
    crlf(
      "BEGIN:VCARD",
      "VERSION:3.0",
      "FN:Caio Dias",
      "N:Dias;Caio;;;",
      "EMAIL;TYPE=INTERNET;TYPE=HOME:caio@ex.org",
      "TEL;TYPE=CELL:+55 11 97777-8888",
      "item1.TEL:+55 11 2222-3333",
      "item1.X-ABLabel:Loja",
      "ORG:Bolos;",
      "END:VCARD",
    ),
    {
      name: "Caio Dias",
      phones: [{ number: "+55 11 97777-8888", type: "CELL" }, { number: "+55 11 2222-3333" }],
      emails: ["caio@ex.org"],
      company: "Bolos",
    },
  ],
  [
    "Python's vobject 0.9.6",
    crlf(
      "BEGIN:VCARD",
      "VERSION:3.0",
      "EMAIL;TYPE=INTERNET:joao@exemplo.com.br",
      "FN:João Gonçalves",
      "N:Gonçalves;João;;;",
      "ORG:Padaria\\, Ltda;Vendas",
      "TEL;TYPE=CELL,VOICE:+55 11 91234-5678",
      "TEL;TYPE=WORK:+55 11 3333-4444",
      "END:VCARD",
    ),
    {
      name: "João Gonçalves",
      phones: [
        { number: "+55 11 91234-5678", type: "CELL" },
        { number: "+55 11 3333-4444", type: "WORK" },
      ],
      emails: ["joao@exemplo.com.br"],
      company: "Padaria, Ltda",
    },
  ],
  [
    "a program of version 4.0",
    crlf(
      "BEGIN:VCARD",
      "VERSION:4.0",
      "KIND:individual",
      "FN:Davi Luz",
      'TEL;VALUE=uri;PREF=1;LABEL="loja: centro; térreo";TYPE="voice,cell":tel:+55-11-91234-5678',
      "TEL;TYPE=work;VALUE=uri:tel:+551133334444;ext=12",
      "EMAIL;TYPE=work:davi@",
      " ex.org",
      "PHOTO:data:image/jpeg;base64,/9j/4AAQ",
      "END:VCARD",
    ),
    {
      name: "Davi Luz",
      phones: [
        { number: "+55-11-91234-5678", type: "CELL" },
        { number: "+551133334444", type: "WORK" },
      ],
      emails: ["davi@ex.org"],
    },
  ],
  [
    "an old Mac",
    "BEGIN:VCARD\rVERSION:3.0\rFN:Eva\rTEL;TYPE=CELL:+5511999990001\rEND:VCARD\r",
    { name: "Eva", phones: [{ number: "+5511999990001", type: "CELL" }], emails: [] },
  ],
];
