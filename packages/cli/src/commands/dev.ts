import type { Seed } from "@postern/core";
import type { CommandDef } from "citty";
import type { Message, TestIdp } from "@postern/testing";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { command, type CommandEnvironment } from "../command.ts";
import { UsageError } from "../output.ts";

const args = {
  port: { type: "string", default: "4400", description: "The port to listen on. Only this machine can connect to it" },
  callback: { type: "string", default: "http://localhost:3000/callback", description: "The callback URL of your app" },
  seed: {
    type: "string",
    description: "A JSON file with the input of `postern.seed`: APIs, roles, organizations, further clients and users",
  },
  json: { type: "boolean", description: "Write the settings and each sent message as JSON" },
} as const;

/**
 * The client secret is the same at every start, so that the settings of an app stay valid. It need not be secret,
 * because only this machine can reach the provider.
 */
const clientSecret = "only-for-development-0123456789";

/** A seed without `tenantId`, because this command sets the tenant. Core validates the rest. */
const seedFileSchema = z.looseObject({ tenantId: z.never().optional() });

/** Runs a local identity provider to develop an app against. */
export function devCommand({ cwd, output, untilEnded }: CommandEnvironment): CommandDef {
  return command({
    meta: {
      name: "dev",
      description:
        "Run a local identity provider for your app, in memory, with clients and a user. The terminal shows the emails, text messages and calls",
    },
    args,
    async run({ args: { port, callback, seed: file } }) {
      const seed = file === undefined ? {} : readSeed(resolve(cwd, file));
      await using idp = await openIdp(parsePort(port), parseCallback(callback), (message) => output.result(message, lineOf(message)));
      const origin = new URL(callback).origin;
      const settings = { name: "My app", app_type: "regular_web", callbacks: [callback], allowed_logout_urls: [origin] } as const;
      const backend = { name: "My backend", app_type: "non_interactive" } as const;
      await idp.seed({
        clients: [
          { clientId: "web", secret: clientSecret, settings },
          { clientId: "backend", secret: clientSecret, settings: backend, managesTenant: true },
        ],
      });
      await idp.seed(seed);
      const { email, password } = await idp.createUser({ email: "ada@example.com", name: "Ada Lovelace" });
      const settingsForApp = {
        issuer: idp.issuer,
        callback,
        clients: { web: "web", spa: idp.clientId, backend: "backend" },
        clientSecret,
        email,
        password,
      };
      output.result(
        settingsForApp,
        `The identity provider listens at ${idp.issuer}
All data is in memory and is lost when you stop the command (Ctrl+C).

  app with a server   client id "web", client secret "${clientSecret}"
  app in the browser  client id "${idp.clientId}", no secret
  backend             client id "backend", the same secret: tokens for ${idp.issuer}api/v2/
  callback            ${callback}
  user                ${email}, password "${password}"

Emails, text messages and calls:`,
      );
      await untilEnded();
    },
  });
}

async function openIdp(port: number, callback: string, onMessage: (message: Message) => void): Promise<TestIdp> {
  const { createTestIdp } = await import("@postern/testing");
  return createTestIdp({ listen: port, callback, onMessage }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
      throw new UsageError(`port ${port} is in use: choose another one with --port`);
    throw error;
  });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`'${text}' is not a port: use a number from 0 to 65535, where 0 selects a free port`);
  return port;
}

function parseCallback(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`'${text}' is not a callback: it must be a URL with http or https`);
  return text;
}

/**
 * Reads a seed file. @throws {UsageError} if the file is missing, is not JSON, or is not an object. `seed` validates
 * the members.
 */
function readSeed(path: string): Omit<Seed, "tenantId"> {
  const read = (): unknown => {
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      throw new UsageError(`${path} cannot be read as JSON`, { cause: error });
    }
  };
  const seed = seedFileSchema.safeParse(read());
  if (!seed.success) throw new UsageError(`${path} is not a seed: it must be a JSON object without 'tenantId'`);
  // `seed` rejects invalid members.
  return seed.data as Omit<Seed, "tenantId">;
}

function lineOf({ channel, template, to, code, link, text }: Message): string {
  const codeOrLink = [code && `code ${code}`, link].filter((part) => part !== undefined).join(", ");
  return `${channel === "voice" ? "Call: " : ""}${template} to ${to}: ${codeOrLink || text}`;
}
