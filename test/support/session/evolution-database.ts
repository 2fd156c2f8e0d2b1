import type { SQL } from "bun";
import type { EvolutionHistory } from "./evolution-history.ts";

/** Evolution's tables as Prisma makes them in 2.3: the columns that are read, and some that must not be. */
const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS evolution_api;
  CREATE TABLE IF NOT EXISTS evolution_api."Instance" (id text PRIMARY KEY, name varchar(255), token varchar(255),
    "ownerJid" varchar(100), number varchar(100));
  CREATE TABLE IF NOT EXISTS evolution_api."Session" (id text PRIMARY KEY, "sessionId" text UNIQUE, creds text,
    "createdAt" timestamp);
  CREATE TABLE evolution_api."Contact" (id text PRIMARY KEY, "remoteJid" varchar(100), "pushName" varchar(100),
    "profilePicUrl" varchar(500), "instanceId" text);
  CREATE TABLE evolution_api."Chat" (id text PRIMARY KEY, "remoteJid" varchar(100), name varchar(100), labels jsonb,
    "instanceId" text, "unreadMessages" integer DEFAULT 0);
  CREATE TABLE evolution_api."Message" (id text PRIMARY KEY, key jsonb, "pushName" varchar(100),
    participant varchar(100), "messageType" varchar(100), message jsonb, "contextInfo" jsonb, source text,
    "messageTimestamp" integer, "instanceId" text, "webhookUrl" varchar(500), status varchar(30));
  CREATE INDEX ON evolution_api."Message" ("instanceId");
  CREATE TABLE evolution_api."Media" (id text PRIMARY KEY, "fileName" varchar(500) UNIQUE, type varchar(100),
    mimetype varchar(100), "messageId" text UNIQUE, "instanceId" text);`;

/** Makes the tables. */
export const makeEvolution = async (sql: SQL): Promise<void> => void (await sql.unsafe(SCHEMA));

const FILLED = ["Contact", "Chat", "Message"] as const;
const AT_ONCE = 2000;

/** Fills the tables of an instance with a history. */
export const fillEvolution = async (sql: SQL, { contacts, chats, messages }: EvolutionHistory): Promise<void> => {
  const rows = { Contact: contacts, Chat: chats, Message: messages };
  for (const table of FILLED)
    for (let first = 0; first < rows[table].length; first += AT_ONCE)
      await sql.unsafe(
        `INSERT INTO evolution_api."${table}" SELECT * FROM
          jsonb_populate_recordset(NULL::evolution_api."${table}", $1::text::jsonb)`,
        [JSON.stringify(rows[table].slice(first, first + AT_ONCE))],
      );
};
