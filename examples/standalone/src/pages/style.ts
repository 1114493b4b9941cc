import { html, type Markup } from "./html.ts";

/**
 * The style of all pages. Lengths are in rem, which follows the text size of the reader. Only borders are in pixels.
 */
export function styleElement(nonce: string): Markup {
  return html`<style nonce="${nonce}">
    :root {
      --ink: #1d2129;
      --soft: #5b6472;
      --line: #dfe3e9;
      --page: #f5f6f8;
      --card: #fff;
      --edge: #868d9a;
      --accent: #1f5fd0;
      --on-accent: #fff;
      --tint: #eef3fc;
      --bad: #b0241c;
      --code: #f0f2f5;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ink: #e8eaee;
        --soft: #a3acba;
        --line: #333a45;
        --page: #14171c;
        --card: #1c2027;
        --edge: #7c8493;
        --accent: #8ab4ff;
        --on-accent: #10131a;
        --tint: #1e2836;
        --bad: #ffa49b;
        --code: #262c35;
      }
    }
    * {
      box-sizing: border-box;
    }
    body {
      margin: 0;
      background: var(--page);
      color: var(--ink);
      font:
        1rem/1.55 system-ui,
        sans-serif;
      overflow-wrap: anywhere;
    }
    main {
      max-width: 46rem;
      margin: 0 auto;
      padding: 3rem min(1rem, 4vw) 4rem;
    }
    h1 {
      margin: 0 0 0.25rem;
      font-size: 1.75rem;
      line-height: 1.2;
      letter-spacing: -0.01em;
    }
    h2 {
      margin: 0 0 0.75rem;
      font-size: 1.05rem;
      line-height: 1.4;
    }
    p {
      margin: 0 0 0.75rem;
    }
    p:last-child,
    pre:last-child {
      margin-bottom: 0;
    }
    a {
      color: var(--accent);
      text-underline-offset: 0.15em;
    }
    :focus-visible {
      outline: 2px solid var(--accent);
      outline-offset: 2px;
    }
    [hidden] {
      display: none !important;
    }
    .lead,
    .soft {
      color: var(--soft);
    }
    .lead {
      margin-bottom: 1.75rem;
    }
    .unseen {
      position: absolute;
      width: 1px;
      height: 1px;
      margin: -1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    section,
    article {
      margin: 0 0 1rem;
      padding: min(1.15rem, 5vw) min(1.25rem, 5vw);
      background: var(--card);
      border: 1px solid var(--line);
      border-radius: 0.75rem;
    }
    dl {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 0.4rem 1.25rem;
      margin: 0;
    }
    dl.centered {
      align-items: center;
    }
    dl:not(:last-child) {
      margin-bottom: 0.9rem;
    }
    dt {
      color: var(--soft);
    }
    dd {
      margin: 0;
    }
    ul {
      margin: 0;
      padding: 0;
      list-style: none;
      display: grid;
      gap: 0.5rem;
    }
    li a {
      font-weight: 600;
    }
    code,
    pre {
      font:
        0.875rem/1.6 ui-monospace,
        monospace;
    }
    h2 code {
      font-size: inherit;
    }
    pre {
      margin: 0 0 0.75rem;
      padding: min(0.85rem, 4vw) min(1rem, 4vw);
      overflow-x: auto;
      background: var(--code);
      border-radius: 0.5rem;
    }
    pre.text,
    pre.wraps {
      white-space: pre-wrap;
    }
    pre.text {
      font-family: inherit;
      font-size: 0.9375rem;
    }
    .copied :is(code, .code) {
      user-select: all;
    }
    .code {
      font:
        600 1.5rem/1.2 ui-monospace,
        monospace;
      letter-spacing: 0.12em;
    }
    .row {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1rem;
      align-items: baseline;
      justify-content: space-between;
    }
    .row h2 {
      margin-bottom: 0;
    }
    .row + * {
      margin-top: 0.75rem;
    }
    article .row + * {
      margin-top: 0;
    }
    .copied {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 0.75rem;
      align-items: center;
      justify-content: space-between;
    }
    .buttons {
      display: flex;
      flex-wrap: wrap;
      gap: 0.6rem;
      margin: 1rem 0;
    }
    .buttons:last-child {
      margin-bottom: 0;
    }
    .who {
      margin: 0;
      font-size: 1.35rem;
    }
    .notice {
      margin: 0 0 1rem;
      padding: 0.8rem min(1.25rem, 5vw);
      background: var(--tint);
      border: 1px solid var(--line);
      border-left: 4px solid var(--accent);
      border-radius: 0.5rem;
    }
    .notice.problem {
      border-left-color: var(--bad);
    }
    button,
    a.button {
      font: inherit;
      padding: 0.5rem 1rem;
      color: var(--ink);
      background: transparent;
      border: 1px solid var(--edge);
      border-radius: 0.5rem;
      cursor: pointer;
    }
    a.button {
      display: inline-block;
      text-align: center;
      text-decoration: none;
    }
    button.small {
      min-width: 5.5em;
      min-height: 1.75rem;
      padding: 0.1rem 0.7rem;
      font-size: 0.8125rem;
    }
    html:not(.copies) [data-copies] {
      display: none;
    }
    button:hover,
    a.button:hover {
      border-color: var(--accent);
      color: var(--accent);
    }
    button.main,
    a.button.main {
      color: var(--on-accent);
      background: var(--accent);
      border-color: var(--accent);
      font-weight: 600;
    }
    button.main:hover,
    a.button.main:hover {
      color: var(--on-accent);
      filter: brightness(1.08);
    }
    #messages {
      overflow-anchor: none;
    }
    .floating {
      position: fixed;
      inset-inline: 0;
      z-index: 1;
      width: fit-content;
      max-width: calc(100vw - 2rem);
      margin: 0 auto;
      box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 25%);
    }
    .floating.notice {
      bottom: 1rem;
    }
    .news {
      top: 0.5rem;
      padding: 0.4rem 1rem;
      color: var(--on-accent);
      background: var(--accent);
      border-radius: 2rem;
      font-weight: 600;
      text-decoration: none;
    }
    @media (max-width: 30rem) {
      main {
        padding-top: 1.5rem;
      }
      dl {
        grid-template-columns: minmax(0, 1fr);
        gap: 0;
      }
      dd {
        margin-bottom: 0.5rem;
      }
      dl:last-child dd:last-child {
        margin-bottom: 0;
      }
      .who {
        font-size: 1.2rem;
      }
      .buttons,
      .buttons form {
        display: grid;
      }
    }
  </style>`;
}
