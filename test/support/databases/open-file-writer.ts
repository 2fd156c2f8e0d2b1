import { closeSync, fdatasync, openSync } from "node:fs";
import { type Connection, openReader, openWriter } from "../../../src/store/engine/connection.ts";
import {
  createFileWriter,
  type FileWriter,
  type FileWriterPorts,
  type WriteScope,
} from "../../../src/store/engine/file-writer.ts";
import { type tempDatabases, valueOf } from "./temp-database.ts";

export type OpenFileWriter = {
  path: string;
  writer: Connection;
  reader: Connection;
  queue: FileWriter;
  fatal: unknown[];
  syncs: () => number;
};

/** A writer of a table `t`, with the machine's own sync counted, or other ports. */
export const queueOpener =
  (temp: ReturnType<typeof tempDatabases>) =>
  (ports: FileWriterPorts = {}): OpenFileWriter => {
    const path = temp.path();
    const writer = temp.keep(openWriter(path));
    writer.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT");
    const reader = temp.keep(openReader(path));
    const fd = openSync(`${path}-wal`, "r+");
    temp.keep({ close: () => closeSync(fd) });
    const fatal: unknown[] = [];
    let syncs = 0;
    const sync: FileWriterPorts["sync"] = (done) => {
      syncs++;
      fdatasync(fd, done);
    };
    const queue = createFileWriter(
      writer,
      () => fd,
      (error) => fatal.push(error),
      { sync, ...ports },
    );
    return { path, writer, reader, queue, fatal, syncs: () => syncs };
  };

/** Writes one row, and returns its name. */
export const insert = (name: string) => async (scope: WriteScope) =>
  scope.objects("INSERT INTO t (name) VALUES (?1) RETURNING name", [name])[0]?.["name"];
export const count = (connection: Connection): number => Number(valueOf(connection, "SELECT count(*) FROM t"));
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A sync that ends when the test says so. */
export const heldSync = () => {
  const ends: ((error: Error | null) => void)[] = [];
  const sync: FileWriterPorts["sync"] = (done) => void ends.push(done);
  return { sync, begun: () => ends.length, end: (error: Error | null = null) => ends.shift()?.(error) };
};
