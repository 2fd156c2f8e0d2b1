import { describe, expect, test } from "bun:test";
import { sessionPlugin } from "../../../../plugins/session/plugin.ts";
import { keyDisk } from "../../../support/session/key-disk.ts";
import { receivingChannel, sendText } from "../../../support/session/receiving.ts";
import { introduce, party, textsOn } from "../../../support/session/signal-party.ts";
import type { Contact } from "../../../support/whatsapp/index.ts";
import { child, children } from "../../../support/whatsapp/wire/stanza.ts";

test("a message of the session before does not spoil the one that has just begun", async () => {
  const [disk, contactDisk] = [keyDisk(), keyDisk()];
  const [channel, contact] = [await party("5511900000001:3@s.whatsapp.net", disk), await party("111@lid", contactDisk)];
  await introduce(channel, contact);
  await contact.postInbound(await channel.write(contact.jid, "first"));
  await channel.postInbound(await contact.write(channel.jid, "answer"));
  const crossing = await contact.write(channel.jid, "crossing");
  await introduce(channel, contact);
  expect(await channel.postInbound(crossing)).toBe(1);
  expect(await contact.postInbound(await channel.write(contact.jid, "second"))).toBe(1);
  expect([textsOn(disk), textsOn(contactDisk)]).toEqual([
    ["answer", "crossing"],
    ["first", "second"],
  ]);
});

describe("over the network", () => {
  const channel = receivingChannel();

  test("a link that is opened anew begins no new sessions: nobody's keys are fetched twice", async () => {
    const { net, host, phone, link: first } = channel();
    const fetched: string[] = [];
    net.faults.answerIq((iq) => {
      for (const { attrs } of children(child(iq, "key"), "user")) fetched.push(attrs["jid"] ?? "");
      return undefined;
    });
    const [reader, other] = ["5511911110011", "5511911110012"].map((pn) => net.contact({ pn, devices: 2 })) as [
      Contact,
      Contact,
    ];
    const group = net.group({ subject: "Equipe", members: [phone, reader, other] });
    let link = first;
    for (const to of [`pn:${reader.pn}`, `group:${group.jid.split("@")[0]}`, `lid:${reader.lid}`, `pn:${reader.pn}`]) {
      await sendText({ host, link }, to, "olá");
      await link.close();
      link = sessionPlugin({ url: net.url, root: net.root, perMinute: 600 }).open(host);
      const { length } = host.reports;
      link.connect();
      await host.until(() => host.reports.slice(length).some(({ state }) => state === "CONNECTED"));
    }
    await link.close();
    expect(fetched.toSorted()).toEqual([...new Set(fetched)].sort());
    expect(fetched).toHaveLength(5); // two devices of each member, and the owner's phone
    expect([reader.received.length, reader.unread]).toEqual([8, []]);
  });
});
