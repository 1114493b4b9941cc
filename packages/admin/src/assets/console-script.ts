/**
 * The script of the console. Every page works without it. It adds copy buttons, the search palette, keyboard shortcuts,
 * the live log, a search in long lists of choices, a warning before a changed form is left, and a check of JSON fields. It
 * creates elements only with text, never from HTML.
 */
export const consoleScript = String.raw`"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const texts = document.body.dataset;
  const status = one("#status");
  const announce = (text) => { if (status) status.textContent = text; };
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = button.dataset.copyFrom ? one("#" + CSS.escape(button.dataset.copyFrom)).textContent : button.dataset.copy;
      await navigator.clipboard.writeText(source);
      announce(texts.copied);
      button.dataset.done = "";
      setTimeout(() => delete button.dataset.done, 1500);
    });
  }

  one(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  let changed = false;
  for (const form of all("form[method=post]")) {
    if (form.dataset.guards !== undefined) form.addEventListener("input", () => { changed = true; });
    let sent = false;
    form.addEventListener("submit", (event) => {
      for (const field of all("textarea[data-json]", form)) {
        if (check(field)) continue;
        field.focus();
        event.preventDefault();
        return;
      }
      // A button that sends the form to a frame leaves the page open.
      if (event.submitter?.formTarget) return;
      if (sent) event.preventDefault();
      sent = true;
      changed = false;
    });
  }
  addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

  const check = (field) => {
    let isValid = false;
    try {
      const value = JSON.parse(field.value.trim() || "{}");
      isValid = typeof value === "object" && value !== null && !Array.isArray(value);
    } catch {}
    field.classList.toggle("wrong", !isValid);
    field.toggleAttribute("aria-invalid", !isValid);
    const note = one("#" + CSS.escape(field.id + "-check"));
    if (note) note.textContent = isValid ? "" : texts.json;
    return isValid;
  };
  for (const field of all("textarea[data-json]")) field.addEventListener("change", () => check(field));
  for (const select of all("select[data-submits]")) select.addEventListener("change", () => select.form.requestSubmit());

  for (const box of all("[data-narrows]")) {
    const input = one("input", box);
    const choices = all(".choice", box.parentElement);
    box.hidden = false;
    input.addEventListener("input", () => {
      const text = input.value.trim().toLowerCase();
      for (const choice of choices) choice.hidden = !choice.textContent.toLowerCase().includes(text);
      announce(choices.filter((choice) => !choice.hidden).length + " " + box.dataset.narrows);
    });
    // The browser restores the text of the field when the user goes back to the page.
    if (input.value) input.dispatchEvent(new Event("input"));
  }

  const isTyping = (target) => target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
  const rows = all("tbody tr").filter((row) => one("a[href]", row));
  let at = -1;
  const move = (by) => {
    if (rows.length === 0) return;
    rows[at]?.classList.remove("marked");
    at = Math.max(0, Math.min(rows.length - 1, at + by));
    rows[at].classList.add("marked");
    one("a[href]", rows[at]).focus();
  };

  let palette;
  const openPalette = () => {
    palette ??= createPalette();
    palette.open();
  };
  const createPalette = () => {
    const input = make("input", { type: "search", role: "combobox", "aria-expanded": "true", "aria-controls": "found", "aria-label": texts.search, placeholder: texts.search, autocomplete: "off", spellcheck: "false", maxlength: "200" });
    const list = make("ul", { id: "found", role: "listbox", "aria-label": texts.results });
    const note = make("p", { role: "status" }, texts.start);
    const dialog = make("dialog", { "aria-label": texts.search }, input, list, note);
    document.body.append(dialog);
    let options = [], chosen = 0, timer, latest = 0;
    const choose = (index) => {
      chosen = Math.max(0, Math.min(options.length - 1, index));
      [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
      const item = list.children[chosen];
      if (item) input.setAttribute("aria-activedescendant", item.id);
      else input.removeAttribute("aria-activedescendant");
      item?.scrollIntoView({ block: "nearest" });
    };
    const pages = all(".side a").map((link) => ({ text: link.textContent, about: "", href: link.getAttribute("href") }));
    const show = (found, text) => {
      options = found;
      list.replaceChildren(...found.map(({ text: name, about }, i) => {
        const item = make("li", { role: "option", id: "found-" + i }, make("span", {}, name), make("span", {}, about));
        item.addEventListener("click", () => location.assign(found[i].href));
        return item;
      }));
      note.textContent = text;
      choose(0);
    };
    const ask = async () => {
      const q = input.value.trim();
      const own = ++latest;
      const matching = pages.filter(({ text }) => text.toLowerCase().startsWith(q.toLowerCase()));
      if (q === "") return show(matching, texts.start);
      try {
        const response = await fetch(texts.searchUrl + "?" + new URLSearchParams({ q }), { headers: { accept: "application/json" } });
        if (own !== latest) return;
        if (!response.ok) return show(matching, texts.failed);
        const { found } = await response.json();
        show([...matching, ...found], found.length === 0 ? texts.nothing : "");
      } catch {
        if (own === latest) show(matching, texts.failed);
      }
    };
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") choose(chosen + 1);
      else if (event.key === "ArrowUp") choose(chosen - 1);
      else if (event.key === "Enter" && options[chosen]) location.assign(options[chosen].href);
      else return;
      event.preventDefault();
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    return { open() { if (dialog.open) return; input.value = ""; show(pages, texts.start); dialog.showModal(); input.focus(); } };
  };

  const stored = "postern-console-shortcuts";
  let keys = localStorage.getItem(stored) !== "off";
  const toggle = one("[data-shortcuts]");
  if (toggle) {
    const show = () => { toggle.textContent = keys ? toggle.dataset.off : toggle.dataset.on; };
    toggle.hidden = false;
    show();
    toggle.addEventListener("click", () => {
      keys = !keys;
      localStorage.setItem(stored, keys ? "on" : "off");
      show();
    });
  }
  let prefix = "";
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette();
      return;
    }
    if (!keys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const target = prefix === "g" ? one('.side a[data-key="' + CSS.escape(event.key) + '"]') : null;
    prefix = event.key === "g" && prefix !== "g" ? "g" : "";
    if (target) target.click();
    else if (event.key === "/") { event.preventDefault(); (one("main input[type=search]") ?? one(".find input")).focus(); }
    else if (event.key === "?") location.assign(texts.shortcutsUrl);
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
  });
  for (const hint of all(".find kbd")) hint.hidden = false;

  const account = one(".account");
  if (account) {
    document.addEventListener("click", (event) => { if (!account.contains(event.target)) account.open = false; });
    account.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      account.open = false;
      one("summary", account).focus();
    });
  }

  const tail = one("[data-tail]");
  if (tail) {
    const body = one("tbody", one("#" + CSS.escape(tail.dataset.tail)));
    const label = tail.textContent;
    let timer, since = tail.dataset.since;
    tail.hidden = false;
    const stop = () => { clearTimeout(timer); timer = undefined; tail.textContent = label; tail.setAttribute("aria-pressed", "false"); };
    const poll = async () => {
      if (!document.hidden) {
        try {
          const response = await fetch(tail.dataset.url + (tail.dataset.url.includes("?") ? "&" : "?") + new URLSearchParams({ since }), { headers: { accept: "application/json" } });
          if (!response.ok) { announce(texts.failed); return stop(); }
          const { events, since: next } = await response.json();
          since = next;
          for (const event of events) body.prepend(rowOf(event));
          while (body.rows.length > 200) body.lastElementChild.remove();
          if (events.length > 0) announce(events.length + " " + texts.arrived);
        } catch {}
      }
      if (timer !== undefined) timer = setTimeout(poll, 2000);
    };
    const rowOf = ({ href, text, about, level, levelText, date, shown, user, client, ip }) => make("tr", { class: "fresh" },
      make("td", { class: "tight" }, make("time", { datetime: date, title: date }, shown)),
      make("td", {}, make("a", { href }, text), ...(about ? [make("small", {}, about)] : [])),
      make("td", { class: "tight" }, make("span", { class: "badge " + level }, levelText)),
      make("td", { "data-label": body.dataset.user }, user),
      make("td", { "data-label": body.dataset.client }, client),
      make("td", { "data-label": body.dataset.ip, class: "tight" }, ip));
    tail.addEventListener("click", () => {
      if (timer !== undefined) return stop();
      tail.textContent = tail.dataset.stop;
      tail.setAttribute("aria-pressed", "true");
      timer = setTimeout(poll, 0);
    });
  }
})();
`;
