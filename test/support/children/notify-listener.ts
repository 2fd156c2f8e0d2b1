import { dlopen, ptr } from "bun:ffi";

// Listens where a service manager would (argv[2], `@…` for an abstract name), and prints each message as a line of
// JSON; null for a second without a message.
const [address = ""] = process.argv.slice(2);
const { symbols: c } = dlopen("libc.so.6", {
  socket: { args: ["int", "int", "int"], returns: "int" },
  bind: { args: ["int", "ptr", "u32"], returns: "int" },
  setsockopt: { args: ["int", "int", "int", "ptr", "u32"], returns: "int" },
  recv: { args: ["int", "ptr", "u64", "int"], returns: "i64" },
});
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

const sockaddr = Buffer.concat([
  Buffer.from([1, 0]),
  Buffer.from(address.startsWith("@") ? `\0${address.slice(1)}` : `${address}\0`),
]);
const fd = c.socket(1, 2, 0);
if (fd < 0 || c.bind(fd, ptr(sockaddr), sockaddr.length) !== 0) throw new Error(`cannot listen at ${address}`);
const aSecond = BigInt64Array.of(1n, 0n);
c.setsockopt(fd, 1, 20, ptr(aSecond), aSecond.byteLength); // SO_RCVTIMEO
say("listening");
const message = Buffer.alloc(4096);
for (;;) {
  const size = Number(c.recv(fd, ptr(message), message.length, 0));
  say(size < 0 ? null : message.toString("utf8", 0, size));
}
