import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { defineConfig, type MarkdownOptions } from "vitepress";
import { anchorOf, groups } from "./pages.ts";

const docs = join(import.meta.dirname, "..");
const root = join(docs, "..");
const repository = "https://github.com/postern/postern";

const titleOf = (page: string): string => /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), "utf8"))?.[1] ?? page;
const itemOf = (page: string): { readonly text: string; readonly link: string } => ({ text: titleOf(page), link: `/${page}` });

const pagesIn = (folder: string): string[] =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.slice(0, -".md".length)}`);

/** Links to files outside `docs/` lead to the repository. */
const linkToCode: MarkdownOptions["config"] = (markdown) => {
  const open = markdown.renderer.rules["link_open"];
  markdown.renderer.rules["link_open"] = (tokens, index, options, environment: { readonly path: string }, renderer) => {
    const token = tokens[index];
    const [path = "", anchor] = token?.attrGet("href")?.split("#", 2) ?? [];
    if (path !== "" && !/^([a-z]+:|\/)/.test(path)) {
      const target = join(dirname(environment.path), path);
      const named = relative(root, target);
      if (relative(docs, target).startsWith("..") && existsSync(target)) {
        const kind = statSync(target).isDirectory() ? "tree" : "blob";
        token?.attrSet("href", `${repository}/${kind}/main/${named}${anchor === undefined ? "" : `#${anchor}`}`);
      }
    }
    return open?.(tokens, index, options, environment, renderer) ?? renderer.renderToken(tokens, index, options);
  };
};

export default defineConfig({
  title: "Postern",
  description: "An identity service that lives inside your own app",
  cleanUrls: true,
  lastUpdated: false,
  // Servers that run on the reader's machine.
  ignoreDeadLinks: [/^http:\/\/localhost/],
  markdown: { config: linkToCode, anchor: { slugify: anchorOf } },
  // The pages are outside the folder of the tools, and import Vue.
  vite: { resolve: { alias: { vue: join(import.meta.dirname, "node_modules/vue") } } },
  themeConfig: {
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repository }],
    outline: [2, 3],
    sidebar: [
      ...groups.map(({ text, pages }) => ({ text, items: pages.map(itemOf) })),
      { text: "Design", collapsed: true, items: pagesIn("design").map(itemOf) },
      { text: "Decisions", collapsed: true, items: pagesIn("decisions").map(itemOf) },
    ],
  },
});
