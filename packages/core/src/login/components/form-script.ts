/**
 * The script for all forms. While a form is being submitted, its button indicates that, and no form on the page can be
 * submitted again. The button stays enabled, because browsers do not send the name of a disabled button. After fifteen
 * seconds a form can be submitted again, because browsers do not notify a page if the user stops a submission. The
 * script reports an empty field in the page's language, in the same element in which the server reports it without
 * JavaScript, unless the button has `formnovalidate`. It warns about Caps Lock in a password field. On the button that sends another code, it counts down the
 * seconds until the visitor should use it.
 */
export const formScript = `
  var busy, sent, free;
  function release() {
    clearTimeout(free);
    if (busy) busy.removeAttribute("aria-busy");
    busy = undefined;
  }
  function explain(field) {
    var template = document.getElementById("problem-template");
    var note = template.content.firstElementChild.cloneNode(true);
    var before = document.getElementById("problem");
    var ids = (field.getAttribute("aria-describedby") || "").split(" ").filter(function (id) { return id && id !== "problem"; });
    if (before) before.remove();
    note.id = "problem";
    note.lastElementChild.textContent = field.getAttribute("data-missing");
    template.after(note);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", ["problem"].concat(ids).join(" "));
    field.focus();
  }
  document.querySelectorAll("form").forEach(function (form) {
    form.addEventListener("submit", function (event) {
      var missing, field = Array.prototype.find.call(form.querySelectorAll("[data-missing]"), function (one) { return one.validity.valueMissing; });
      missing = !!field && !(event.submitter && event.submitter.formNoValidate);
      if (busy || missing) event.preventDefault();
      if (busy) return;
      if (missing) return explain(field);
      sent = true;
      busy = event.submitter || form.querySelector("[type=submit]");
      busy.setAttribute("aria-busy", "true");
      free = setTimeout(release, 15000);
    });
  });
  document.querySelectorAll("[data-waits]").forEach(function (button) {
    var left = Number(button.getAttribute("data-waits")), count = button.querySelector(".waits");
    function seconds() {
      try {
        return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "second" }).format(left);
      } catch (error) {
        return left + " s";
      }
    }
    function tick() {
      button.disabled = left > 0;
      count.textContent = left > 0 ? " (" + seconds() + ")" : "";
      if (left-- > 0) setTimeout(tick, 1000);
    }
    tick();
  });
  addEventListener("pageshow", function (event) {
    if (!event.persisted || !sent) return;
    release();
    location.reload();
  });
  var caps = document.querySelector("[data-caps]");
  function hint(event) {
    if (event.target.id !== "password" || !event.getModifierState) return;
    var text = event.getModifierState("CapsLock") ? caps.getAttribute("data-caps") : "";
    if (caps.textContent !== text) caps.textContent = text;
  }
  if (caps) ["keydown", "keyup"].forEach(function (type) { document.addEventListener(type, hint); });
`;
