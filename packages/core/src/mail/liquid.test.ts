import { describe, expect, test } from "vitest";
import { faultIn, faultOf, fillTemplate } from "./liquid.ts";

const person = { user: { name: '<b title="x">Ada & Co</b>' }, url: "https://id.example.test/?a=1&b=2", code: "123456" };

test("in HTML every value is escaped once, unless the template asks for it as it is", () => {
  const escaped = "&lt;b title=&#34;x&#34;&gt;Ada &amp; Co&lt;/b&gt;";
  expect(fillTemplate("{{ user.name }}", person, "html")).toBe(escaped);
  expect(fillTemplate("{{ user.name | escape }}", person, "html")).toBe(escaped);
  expect(fillTemplate('<a href="{{ url }}">{{ code }}</a>', person, "html")).toBe(
    '<a href="https://id.example.test/?a=1&amp;b=2">123456</a>',
  );
  expect(fillTemplate("{{ user.name | raw }}", person, "html")).toBe(person.user.name);
  expect(fillTemplate("{{ user.name }}", person, "text")).toBe(person.user.name);
});

test.each([
  "{{ user.constructor }}",
  "{{ user.__proto__ }}",
  "{{ user.toString }}",
  "{{ constructor.constructor }}",
  "{{ 'a'.constructor.name }}",
  "{{ process }}{{ globalThis }}{{ require }}",
])("%s reaches nothing but what is given", (template) => {
  expect(fillTemplate(template, person, "html")).toBe("");
});

describe("a template that would cost more than a mail is worth ends soon:", () => {
  const double = (times: number, by: string) => `{% assign a = 'xxxxxxxxxx' %}{% for i in (1..${times}) %}${by}{% endfor %}{{ a }}`;
  test.each([
    ["a long loop", "{% for i in (1..100000000) %}x{% endfor %}"],
    ["loops in loops", `${"{% for i in (1..1000) %}".repeat(4)}xxxxxxxxxx${"{% endfor %}".repeat(4)}`],
    ["text that doubles", double(100, "{% assign a = a | append: a %}")],
    ["captured text that doubles", double(100, "{% capture a %}{{ a }}{{ a }}{% endcapture %}")],
    ["replacements in replacements", double(14, "{% assign a = a | append: a %}").replace("{{ a }}", "{{ a | replace: 'x', a }}")],
    ["text that is padded", "{{ 'now' | date: '%1000000000Y' }}"],
    ["a wide table", "{% tablerow i in (1..1000000) %}x{% endtablerow %}"],
    ["too much written", `{% for i in (1..6000) %}${"x".repeat(100)}{% endfor %}`],
    ["too much to read", "x".repeat(200_000)],
    ["deep nesting", "{% if code %}".repeat(8000) + "{% endif %}".repeat(8000)],
    ["another file", "{% include 'package.json' %}"],
    ["another file, rendered", "{% render '/etc/passwd' %}"],
    ["a layout", "{% layout '/etc/passwd' %}"],
  ])("%s", (_, template) => {
    const began = performance.now();
    expect(() => fillTemplate(template, person, "html")).toThrow();
    // What it may take is 100 ms; the machine may be busy.
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

test("what cannot be read says where, and no line of the template", () => {
  expect(faultIn("Hello {{ user.name }}")).toBeUndefined();
  expect(faultIn("a\n{% if %}secret")).toMatch(/line:2/);
  expect(faultIn("{% nonsense %}")).toContain("nonsense");
  expect(faultOf(new Error("first\nsecret"))).toBe("first");
  expect(faultOf("text")).toBe("text");
});
