import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { memorySettings } from "../../../examples/standalone/src/memory.ts";
import { bundlePrograms } from "../../bench/lib/build.ts";
import type { Facts } from "../../bench/operation.ts";
import type { SoakMeasurement, SoakServerCommand, SoakServerMessage, SoakServerOrder } from "./soak-server.ts";

/** A mail that the server sent. */
export interface SoakMail {
  readonly to: string;
  readonly link?: string;
}

/** A Postern in a separate process. */
export interface SoakServer {
  readonly port: number;
  /** The lines of the server's warnings and errors. */
  readonly warnings: readonly string[];
  /** Moves the server's clock forward. */
  advance(milliseconds: number): Promise<void>;
  measure(): Promise<SoakMeasurement>;
  stop(): Promise<void>;
}

/** The programs of the soak, bundled from the packages' sources. */
export interface SoakPrograms {
  /** Fills a database with the tenants, clients and 10,000 users of the benchmark. */
  prepare(databaseUrl: string): Facts;
  startServer(order: SoakServerOrder, onMail: (mail: SoakMail) => void): Promise<SoakServer>;
  /** Kills the processes that still run, and deletes the bundles. */
  close(): Promise<void>;
}

export async function bundleSoak(): Promise<SoakPrograms> {
  // Node.js resolves the database drivers from this folder.
  const cache = fileURLToPath(new URL("../../../packages/kysely/node_modules/.cache", import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "soak-"));
  await bundlePrograms(["prepare.ts"], folder);
  await bundlePrograms(["../clusters/support/soak-server.ts"], folder);
  const running = new Set<ChildProcess>();
  return {
    prepare(databaseUrl) {
      const facts = join(folder, "facts.json");
      execFileSync(process.execPath, [join(folder, "prepare.mjs"), databaseUrl, facts, "1"], { stdio: "inherit" });
      // `prepare.ts` wrote this file.
      return JSON.parse(readFileSync(facts, "utf8")) as Facts;
    },
    async startServer(order, onMail) {
      const settings = memorySettings({ flags: [], env: process.env });
      const child = fork(join(folder, "soak-server.mjs"), [JSON.stringify(order)], {
        execArgv: [...settings.flags, "--expose-gc"],
        env: { ...process.env, NODE_ENV: "production", ...settings.env },
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      running.add(child);
      const warnings: string[] = [];
      if (child.stderr !== null) createInterface({ input: child.stderr }).on("line", (line) => warnings.push(line));
      const waiting = new Map<SoakServerMessage["kind"], PromiseWithResolvers<SoakServerMessage>>();
      child.on("message", (message: SoakServerMessage) => {
        if (message.kind === "mail") return onMail(message);
        waiting.get(message.kind)?.resolve(message);
        waiting.delete(message.kind);
      });
      child.on("exit", (code, signal) => {
        if (!running.delete(child)) return;
        warnings.push(`the server ended with ${code ?? signal}`);
        for (const { reject } of waiting.values()) reject(new Error(warnings.slice(-20).join("\n")));
      });
      const next = <Kind extends SoakServerMessage["kind"]>(kind: Kind): Promise<Extract<SoakServerMessage, { kind: Kind }>> => {
        const message = Promise.withResolvers<SoakServerMessage>();
        waiting.set(kind, message);
        // A message of this kind has this type.
        return message.promise as Promise<Extract<SoakServerMessage, { kind: Kind }>>;
      };
      const send = (command: SoakServerCommand): void => void child.send(command);
      const { port } = await next("ready");
      return {
        port,
        warnings,
        async advance(milliseconds) {
          send({ kind: "advance", milliseconds });
          await next("advanced");
        },
        measure() {
          send({ kind: "measure" });
          return next("measurement");
        },
        async stop() {
          if (!running.delete(child)) return;
          const ended = once(child, "exit");
          send({ kind: "stop" });
          await ended;
        },
      };
    },
    async close() {
      for (const child of running) {
        running.delete(child);
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true });
    },
  };
}
