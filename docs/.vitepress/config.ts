import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { defineConfig, type DefaultTheme, type MarkdownOptions } from "vitepress";
import { anchorOf, groups, keywords, rankOf } from "./pages.ts";

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

/** The text that the search reads of a page: none of design notes and decisions, and the keywords of a guide. */
const searchText: DefaultTheme.LocalSearchOptions["_render"] = (source, environment, markdown) => {
  const page = environment.relativePath.replace(/\.md$/, "");
  if (/^(design|decisions)\//.test(page)) return "";
  const html = markdown.render(source, environment);
  return html.replace("</h1>", `</h1><p>${(keywords[page] ?? []).join(" ")}</p>`);
};

// The theme's own icon is a request to another host.
const repositoryIcon =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="m9 7-5 5 5 5M15 7l5 5-5 5"/></svg>';

export default defineConfig({
  title: "Postern",
  description: "An identity service that lives inside your own app",
  cleanUrls: true,
  lastUpdated: false,
  head: [["link", { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" }]],
  // Servers that run on the reader's machine.
  ignoreDeadLinks: [/^http:\/\/localhost/],
  markdown: { config: linkToCode, anchor: { slugify: anchorOf } },
  // The pages are outside the folder of the tools, and import Vue.
  vite: { resolve: { alias: { vue: join(import.meta.dirname, "node_modules/vue") } } },
  themeConfig: {
    search: { provider: "local", options: { _render: searchText, miniSearch: { searchOptions: { boostDocument: rankOf } } } },
    socialLinks: [{ icon: { svg: repositoryIcon }, link: repository, ariaLabel: "Repository" }],
    outline: [2, 3],
    sidebar: [
      ...groups.map(({ text, pages }) => ({ text, collapsed: true, items: pages.map(itemOf) })),
      { text: "Design", collapsed: true, items: pagesIn("design").map(itemOf) },
      { text: "Decisions", collapsed: true, items: pagesIn("decisions").map(itemOf) },
    ],
  },
});
