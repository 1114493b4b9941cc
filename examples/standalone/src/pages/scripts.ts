import { html, type Markup } from "./html.ts";

/**
 * Handles clicks on copy buttons, including buttons that are added later, and announces the result to screen readers.
 */
export function copyScript(nonce: string): Markup {
  return html`<script nonce="${nonce}">
    const announce = (text) => {
      document.getElementById("said").textContent = text;
    };
    document.documentElement.classList.toggle("copies", "clipboard" in navigator);
    document.addEventListener("click", async ({ target }) => {
      const button = target.closest("button[data-copies]");
      if (button === null) return;
      const text = document.getElementById(button.dataset.copies).textContent;
      const outcome = await navigator.clipboard.writeText(text).then(
        () => "Copied",
        () => "Not copied",
      );
      button.textContent = outcome;
      announce(outcome);
      setTimeout(() => {
        button.textContent = "Copy";
        announce("");
      }, 1500);
    });
  </script>`;
}

/**
 * Polls for messages every two seconds while the page is visible. Existing elements stay in the document, which
 * preserves focus and selection. If the reader has scrolled down or a message has the focus, the window scrolls by the
 * height of new messages, and a link announces the new messages.
 */
export function inboxScript(nonce: string): Markup {
  return html`<script nonce="${nonce}">
    const messages = document.getElementById("messages");
    const news = document.getElementById("news");
    const trouble = document.getElementById("trouble");
    let isPolling = false;
    let unseen = 0;

    const findAnchor = () => {
      const focused = messages.querySelector(":scope > :focus-within");
      if (focused !== null || scrollY === 0) return focused;
      return [...messages.children].find((message) => message.getBoundingClientRect().bottom > 0) ?? null;
    };

    const update = (fresh) => {
      const anchor = findAnchor();
      const before = anchor?.getBoundingClientRect().top;
      const ids = new Set([...fresh.children].map(({ id }) => id));
      for (const message of [...messages.children]) if (message !== anchor && !ids.has(message.id)) message.remove();
      const added = [...fresh.children].filter(({ id }) => document.getElementById(id) === null);
      messages.prepend(...added);
      messages.dataset.version = fresh.dataset.version;
      if (anchor !== null) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" });
      const count = added.filter(({ localName }) => localName === "article").length;
      if (count > 0) announce(count === 1 ? "1 new message" : count + " new messages");
      unseen += count;
      showNews();
    };

    const showNews = () => {
      if (messages.getBoundingClientRect().top >= 0) unseen = 0;
      news.hidden = unseen === 0;
      news.textContent = unseen === 1 ? "↑ 1 new message" : "↑ " + unseen + " new messages";
    };

    const poll = async () => {
      if (isPolling || document.visibilityState === "hidden") return;
      isPolling = true;
      try {
        const headers = { "if-none-match": messages.dataset.version };
        const response = await fetch("?messages", { headers, signal: AbortSignal.timeout(10_000) });
        if (!response.ok && response.status !== 304) throw new Error("status " + response.status);
        if (response.ok) update(new DOMParser().parseFromString(await response.text(), "text/html").getElementById("messages"));
        trouble.hidden = true;
      } catch {
        trouble.hidden = false;
      } finally {
        isPolling = false;
      }
    };

    setInterval(poll, 2_000);
    document.addEventListener("visibilitychange", poll);
    addEventListener("scroll", showNews, { passive: true });
  </script>`;
}
