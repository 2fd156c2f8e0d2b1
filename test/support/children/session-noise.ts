// Makes libsignal do everything that it used to print about: sessions that are closed, dropped and opened anew, and
// messages that cannot be decrypted. Says "done".
import type { Stanza } from "../../../plugins/session/active-socket.ts";
import { keyDisk } from "../session/key-disk.ts";
import { introduce, party } from "../session/signal-party.ts";

/** More than the 40 closed sessions that libsignal keeps of one contact. */
const SESSIONS = 45;

const [channel, contact] = [
  await party("5511900000001:3@s.whatsapp.net", keyDisk()),
  await party("111@lid", keyDisk()),
];
const early: Stanza[] = [];
for (let index = 0; index < SESSIONS; index++) {
  await introduce(channel, contact);
  const stanza = await channel.write(contact.jid, "secret words");
  if (index === SESSIONS - 5) early.push(await channel.write(contact.jid, "late words"));
  await contact.postInbound(stanza);
}
for (const stanza of early)
  if ((await contact.postInbound(stanza)) !== 1) throw new Error("a message of a closed session was not read");
const stanza = await channel.write(contact.jid, "secret words");
await contact.postInbound(stanza);
if ((await contact.postInbound(stanza)) !== 0) throw new Error("a message was read twice");
console.log("done");
