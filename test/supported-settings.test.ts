import { expect, test } from "vitest";
import { listResourceSettings } from "../packages/core/src/model/supported-settings.ts";
import { filesThatRead, parseSource, readSources } from "./support/setting-reads.ts";

/** The rules for the options of connections are partly in the files of the strategies. */
const isStrategy = /^model\/connections\/(strategies\/|upstream\.ts)/;

const sources = readSources((file) => isStrategy.test(file) || !/^(model|management|operations)\//.test(file));

/** Settings that only have an effect when the Management API writes a record, with the file that applies them. */
const appliedOnWrite = new Map([
  ["Connection: enabled_clients", "management/connections/connections.ts"],
  ["Tenant: flags.enable_client_connections", "management/clients/clients.ts"],
]);

/** Where a setting of a resource must be read: in which files, and near a read of which member. */
function placeOf(title: string): { readonly files: RegExp; readonly within?: string } {
  const files = /^(?!model\/)/;
  if (title === "Brute-force protection") return { files, within: "brute_force_protection" };
  if (title === "Suspicious IP throttling") return { files, within: "suspicious_ip_throttling" };
  if (title === "Breached-password detection") return { files, within: "stage" };
  if (title === "Log stream") return { files: /log-streams/ };
  if (title.startsWith("Email ")) return { files: /^messages\// };
  if (title.startsWith("Options of one-time codes")) return { files: /^messages\/|^identity\/login\/|\/passwordless-options/ };
  if (title.startsWith("Options of ") && !title.includes("`auth0`")) return { files: /upstream|^identity\/providers\/|^model\// };
  return { files };
}

/** Returns the settings that no source reads. */
function unread(title: string, settings: readonly string[]): readonly string[] {
  const { files, within } = placeOf(title);
  const relevant = sources.filter(({ file }) => files.test(file));
  return settings.filter((path) => {
    const names = [...(within === undefined ? [] : [within]), ...path.split(".")];
    return !appliedOnWrite.has(`${title}: ${path}`) && filesThatRead(names, relevant).length === 0;
  });
}

test.each(listResourceSettings())("the code reads each supported setting: $title", ({ title, supported }) => {
  expect(unread(title, supported)).toEqual([]);
});

test.each([...appliedOnWrite])("the Management API applies the setting on write: %s", (setting, file) => {
  const [title = "", path = ""] = setting.split(": ");
  expect(listResourceSettings().find((each) => each.title === title)?.supported).toContain(path);
  const name = path.replace(/.*\./, "");
  const written = readSources((each) => each === file);
  expect(filesThatRead([name], written)).toEqual([file]);
});

test("reports a supported setting that no source reads", () => {
  expect(unread("Client", ["app_type", "never_read", "jwt_configuration.never_read", "never_read.enabled"])).toEqual([
    "never_read",
    "jwt_configuration.never_read",
    "never_read.enabled",
  ]);
});

test("reports a setting whose name is read only elsewhere", () => {
  expect(unread("Options of Apple (strategy `apple`)", ["client_id", "session_cookie"])).toEqual(["session_cookie"]);
});

test("declarations, types, comments and variable keys are not reads", () => {
  const text = `
    // a.comment
    interface Row { readonly declared: string }
    const Schema = z.object({ property: z.string() });
    const written = { member: 1 };
    let typed: Row["indexed"];
    ["listed"].includes(x[key]);
  `;
  expect([...parseSource("look/file.ts", text).reads]).toEqual(["object", "string", "includes"]);
});

test("accesses, destructured members and names that are passed to a function are reads", () => {
  const text = `
    import { x } from "../http/x.ts";
    const { a, b: renamed, ...rest } = row;
    function f({ c = 1 }: Row) { return row.d + row["e"] + textIn(row, "f"); }
  `;
  const { reads, imports } = parseSource("look/file.ts", text);
  expect(["a", "b", "c", "d", "e", "f"].filter((name) => !reads.has(name))).toEqual([]);
  expect([...imports]).toEqual(["http/x.ts"]);
});

test("the names before the last one may be read in a file that imports the reader", () => {
  const reader = parseSource("tokens/rotate.ts", "({ leeway }) => leeway");
  const caller = parseSource("oauth/token.ts", 'import { rotate } from "../tokens/rotate.ts"; rotate(client.refresh_token)');
  const stranger = parseSource("auth/other.ts", "client.refresh_token");
  expect(filesThatRead(["refresh_token", "leeway"], [reader, caller])).toEqual(["tokens/rotate.ts"]);
  expect(filesThatRead(["refresh_token", "leeway"], [reader, stranger])).toEqual([]);
});
