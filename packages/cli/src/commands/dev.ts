import type { Seed } from "@postern/core";
import type { CommandDef } from "citty";
import type { Message, TestIdp } from "@postern/testing";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { command, type Place } from "../command.ts";
import { UsageError } from "../output.ts";

const args = {
  port: { type: "string", default: "4400", description: "The port to listen on, on this machine alone" },
  callback: { type: "string", default: "http://localhost:3000/callback", description: "Where your app is given the code" },
  seed: {
    type: "string",
    description: "A JSON file with what `postern.seed` takes: APIs, roles, organizations, further clients and users",
  },
  json: { type: "boolean", description: "Write what is to know, and each message, as JSON" },
} as const;

/** The same at every start, so that what an app has in its settings stays right. It protects nothing: only this machine reaches the provider. */
const clientSecret = "only-for-development-0123456789";

/** What of an app's seed is not this command's. The rest is checked by core. */
const SeedFile = z.looseObject({ tenantId: z.never().optional() });

/** Runs a local identity provider to develop an app against. */
export function devCommand({ cwd, output, untilEnded }: Place): CommandDef {
  return command({
    meta: {
      name: "dev",
      description: "Run a local identity provider beside your app, in memory: with an app, a person, and mail that is shown here",
    },
    args,
    async run({ args: { port, callback, seed: file } }) {
      const seed = file === undefined ? {} : readSeed(resolve(cwd, file));
      await using idp = await open(portOf(port), callbackOf(callback), (message) => output.result(message, lineOf(message)));
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
      const known = {
        issuer: idp.issuer,
        callback,
        clients: { web: "web", spa: idp.clientId, backend: "backend" },
        clientSecret,
        email,
        password,
      };
      output.result(
        known,
        `The identity provider listens at ${idp.issuer}
Everything is in memory, and gone when it ends (Ctrl+C).

  app with a server   client id "web", client secret "${clientSecret}"
  app in the browser  client id "${idp.clientId}", no secret
  backend             client id "backend", the same secret: tokens for ${idp.issuer}api/v2/
  callback            ${callback}
  person              ${email}, password "${password}"

Mails and text messages:`,
      );
      await untilEnded();
    },
  });
}

async function open(port: number, callback: string, onMessage: (message: Message) => void): Promise<TestIdp> {
  const { createTestIdp } = await import("@postern/testing");
  return createTestIdp({ listen: port, callback, onMessage }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
      throw new UsageError(`port ${port} is taken: name another one with --port`);
    throw error;
  });
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`'${text}' is no port: 0 to 65535, 0 for a free one`);
  return port;
}

function callbackOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`'${text}' is no callback: an address with http or https`);
  return text;
}

/** @throws {UsageError} for a file that is not there, is no JSON, or is no object. What is in it is checked where it is used. */
function readSeed(path: string): Omit<Seed, "tenantId"> {
  const read = (): unknown => {
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      throw new UsageError(`${path} cannot be read as JSON`, { cause: error });
    }
  };
  const seed = SeedFile.safeParse(read());
  if (!seed.success) throw new UsageError(`${path} is no seed: a JSON object, without 'tenantId'`);
  // Whatever else is in it, `seed` refuses what it cannot use.
  return seed.data as Omit<Seed, "tenantId">;
}

function lineOf({ template, to, code, link, text }: Message): string {
  const use = [code && `code ${code}`, link].filter((part) => part !== undefined).join(", ");
  return `${template} to ${to}: ${use || text}`;
}
