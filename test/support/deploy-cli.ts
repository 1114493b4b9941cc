import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientSecret } from "./postern.ts";
import type { TlsPostern } from "./tls.ts";

/** Auth0's Deploy CLI, unmodified, in a separate process, with a client that manages a tenant. */
export interface DeployCli {
  /** Writes the configuration of a tenant to a new folder. @returns the folder. */
  export(tenantId: Tenant): Promise<string>;
  /** Applies the configuration in a folder to a tenant. @param settings environment variables for the tool. */
  import(tenantId: Tenant, folder: string, settings?: { readonly [name: string]: string }): Promise<CliResult>;
  /** Deletes all folders. */
  close(): void;
}

type Tenant = "main" | "other";

/** The result of a run. */
interface CliResult {
  readonly exitCode: number;
  /** The complete output. */
  readonly output: string;
}

const program = createRequire(import.meta.url).resolve("auth0-deploy-cli");

/** Creates a {@link DeployCli} for a service. */
export function deployCliFor({ origin, certificate }: TlsPostern): DeployCli {
  const home = mkdtempSync(join(tmpdir(), "postern-deploy-"));
  const trusted = join(home, "certificate.pem");
  writeFileSync(trusted, certificate);

  const run = async (tenantId: Tenant, args: readonly string[], settings: { readonly [name: string]: string } = {}): Promise<CliResult> => {
    const env = {
      PATH: process.env["PATH"],
      NODE_EXTRA_CA_CERTS: trusted,
      AUTH0_DOMAIN: origin.slice("https://".length),
      AUTH0_CLIENT_ID: `${tenantId}-manager`,
      AUTH0_CLIENT_SECRET: clientSecret,
      ...settings,
    };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { env, cwd: home }, (error, out, err) =>
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), output: `${out}${err}` }),
      );
    });
  };

  return {
    async export(tenantId) {
      const folder = mkdtempSync(join(home, "export-"));
      const { exitCode, output } = await run(tenantId, ["export", "--format", "directory", "--output_folder", folder]);
      if (exitCode !== 0) throw new Error(`the export failed: ${output}`);
      return folder;
    },
    import: async (tenantId, folder, settings) => run(tenantId, ["import", "--input_file", folder], settings),
    close: () => rmSync(home, { recursive: true }),
  };
}

/** Returns every file below a folder by its path, with its content. JSON is parsed. */
export function filesIn(folder: string): { readonly [path: string]: unknown } {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map((path) => {
        const text = readFileSync(path, "utf8");
        return [path.slice(folder.length + 1), path.endsWith(".json") ? (JSON.parse(text) as unknown) : text];
      }),
  );
}
