import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { docsOf, groupOf } from "../packages/core/src/setup/option-schemas.ts";
import { OptionsSchema } from "../packages/core/src/setup/options-schema.ts";

/** The options, and the groups that live beside the adapters. */
const files = ["setup/options.ts", "adapters/subdomain-routing.ts"].map((name) => join(import.meta.dirname, "../packages/core/src", name));

/** Every option of `createPostern`, from the doc comments of its type. */
export function optionsPage(): string {
  const statements = files.flatMap((file) => [
    ...ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true).statements,
  ]);
  const groups = new Map(statements.filter((each) => ts.isInterfaceDeclaration(each)).map((each) => [each.name.text, each] as const));

  const rows = (owner: ts.InterfaceDeclaration, prefix: string, schema: Schema): readonly string[] =>
    owner.members.filter(ts.isPropertySignature).flatMap((member) => {
      const name = `${prefix}${member.name.getText()}`;
      const type = member.type?.getText().replaceAll("readonly ", "") ?? "";
      const required = member.questionToken === undefined ? ", required" : "";
      const group = groups.get(type.replace(/ \| false$/, ""));
      const option = groupOf(schema)?.shape[member.name.getText()];
      if (option === undefined) throw new Error(`the schema of options has no ${name}`);
      const row = `| \`${name}\`${required} | ${group === undefined ? code(type) : ""} | ${docOf(member)}${guide(docsOf(option)?.page)} |`;
      return [row, ...(group === undefined ? [] : rows(group, `${name}.`, option))];
    });
  const options = groups.get("PosternOptions");
  if (options === undefined) throw new Error(`${files.join(" and ")} have no PosternOptions`);
  return `${[
    "<!-- Made by `npx pnpm@12 reference` from packages/core/src/setup/options.ts: do not edit. -->",
    "# Options of createPostern",
    "What a host passes to `createPostern(options)`. An option that does not exist, or cannot work, is a `PosternError` with the code `configuration_error`, which says what was given and what is expected. " +
      "Guides: [putting Postern into your app](../embedding.md), [running it](../operations.md), [many tenants](../tenants.md).",
    ["| option | type | what it is |", "|---|---|---|", ...rows(options, "", OptionsSchema)].join("\n"),
  ].join("\n\n")}\n`;
}

type Schema = Parameters<typeof groupOf>[0];

/** A link to the page that an error about the option names, where that is more than the list of options. */
function guide(page: string | undefined): string {
  if (page === undefined || page === "docs/embedding.md#options") return "";
  return ` [Guide](${page.replace(/^docs\//, "../")})`;
}

/** Text of a table's cell: a line, and no bar that would end the cell. */
const cell = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();

const code = (type: string): string => `\`${cell(type)}\``;

/** The doc comment, without links into code. */
function docOf(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter((each) => ts.isJSDoc(each));
  return cell(
    docs
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
      .join(" ")
      .replaceAll(/\{@link (\w+)\}/g, "`$1`"),
  );
}
