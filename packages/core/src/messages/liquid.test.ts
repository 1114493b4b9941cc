import { describe, expect, test } from "vitest";
import { BusyError } from "../adapters/hasher.ts";
import { createWorkMeter, maximumWork } from "./liquid-work.ts";
import { faultIn, faultOf, renderMessage } from "./liquid.ts";

const values = {
  user: { name: '<b title="x">Ada & Co</b>', email: "ada@example.test", user_metadata: { lang: "de", roles: ["admin", "editor"] } },
  url: "https://id.example.test/?a=1&b=2",
  code: "123456",
  send: "code",
  application: { name: "Fieldnotes" },
  friendly_name: "Acme",
  many: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
};

const render = (template: string, kind: "text" | "html" = "html", meter = createWorkMeter()): Promise<string> =>
  renderMessage("main", (renderOne) => renderOne(template, values, kind), meter);

test("escapes every value in HTML once, unless its filter is raw", async () => {
  const escaped = "&lt;b title=&#34;x&#34;&gt;Ada &amp; Co&lt;/b&gt;";
  expect(await render("{{ user.name }}")).toBe(escaped);
  expect(await render("{{ user.name | escape }}")).toBe(escaped);
  expect(await render("{% echo user.name %}{% cycle user.name %}{% capture a %}{{ user.name }}{% endcapture %}{{ a | raw }}")).toBe(
    escaped.repeat(3),
  );
  expect(await render('<a href="{{ url }}">{{ code }}</a>')).toBe('<a href="https://id.example.test/?a=1&amp;b=2">123456</a>');
  expect(await render("{{ user.name | raw }}")).toBe(values.user.name);
  expect(await render("{{ user.name }}", "text")).toBe(values.user.name);
});

test.each([
  "{{ user.constructor }}",
  "{{ user.__proto__ }}",
  "{{ user.toString }}",
  "{{ constructor.constructor }}",
  "{{ 'a'.constructor.name }}",
  "{{ process }}{{ globalThis }}{{ require }}",
])("the template %s reads nothing but the values that are passed to it", async (template) => {
  expect(await render(template)).toBe("");
});

test("a template cannot change the values that the next template in the message reads", async () => {
  const both = renderMessage("main", async (renderOne) => [
    await renderOne("{% increment code %}{% assign url = 1 %}", values, "text"),
    await renderOne("{{ code }} {{ url }}", values, "text"),
  ]);
  expect(await both).toEqual(["0", `123456 ${values.url}`]);
});

describe("templates from Auth0 tenants", () => {
  test.each([
    ["{{ user.user_metadata.roles | join: ', ' | upcase }}", "ADMIN, EDITOR"],
    ["{% for role in user.user_metadata.roles %}{{ forloop.index }}/{{ forloop.length }} {{ role }};{% endfor %}", "1/2 admin;2/2 editor;"],
    ["{% for i in (1..3) reversed %}{{ i }}{% else %}none{% endfor %}{% for i in (1..missing) %}x{% endfor %}", "321"],
    ["{% for pair in user.user_metadata limit: 1 %}{{ pair[0] }}={{ pair[1] }}{% endfor %}", "lang=de"],
    ["{% if user.user_metadata.lang == 'de' and user.email contains '@' %}Hallo{% elsif code %}a{% else %}b{% endif %}", "Hallo"],
    ["{% unless missing %}no{% endunless %}{% case user.user_metadata.lang %}{% when 'en', 'de' %}2{% else %}3{% endcase %}", "no2"],
    ["{% assign n = code | slice: 0, 3 | plus: 1 %}{{ n }}{% capture c %}{{ n }}!{% endcapture %}{{ c }}", "124124!"],
    ["{{ missing | default: 'there' }} {{ user.email | split: '@' | last | replace: '.', ' ' | capitalize }}", "there Example test"],
    ["{{ 0 | date: '%Y-%m-%d' }} {{ 'a b c' | truncatewords: 2 }} {{ 10 | divided_by: 4 | round }}", "1970-01-01 a b... 3"],
    ["{{ user.user_metadata.roles | first }} {{ user.user_metadata.roles.size }} {{ user.user_metadata | json | size }}", "admin 2 40"],
    [
      "{% if send == 'link' or send == 'link_ios' %}Click and confirm {{ link }}{% elsif send == 'code' %}Your code is {{ code }}{% endif %} for {{ application.name }}",
      "Your code is 123456 for Fieldnotes",
    ],
    [
      "Hi {{ user.given_name | default: user.name | strip_html | append: ',' }} © {{ 'now' | date: '%Y' | size }} {{ friendly_name }}",
      "Hi Ada & Co, © 4 Acme",
    ],
    ["{% raw %}{{ code }}{% endraw %}{% comment %}{{ code }}{% endcomment %}{%- cycle 'odd', 'even' -%} ", "{{ code }}odd"],
  ])("%s renders as in Liquid, with less than a hundredth of the maximum work", async (template, text) => {
    const meter = createWorkMeter();
    expect(faultIn(template)).toBeUndefined();
    expect(await render(template, "text", meter)).toBe(text);
    expect(meter.used).toBeLessThan(maximumWork / 100);
  });

  test("an HTML page in forty languages renders with less than half of the maximum work", async () => {
    const t = (what: string) =>
      Array.from({ length: 40 }, (_, i) => `{% ${i === 0 ? "if" : "elsif"} user.user_metadata.lang == 'l${i}' %}${what} ${i}`).join("") +
      `{% else %}${what}{% endif %}`;
    const template = `<html><body style="color:#333">${Array.from({ length: 20 }, (_, i) => `<p>${t(`Text ${i}`)}</p>`).join("\n")}</body></html>`;
    const meter = createWorkMeter();
    expect(await render(template, "html", meter)).toContain("<p>Text 19</p>");
    expect(meter.used).toBeLessThan(maximumWork / 2);
  });
});

const text = (doublings: number) => `{% assign a = 'xxxxxxxxxx' %}${"{% assign a = a | append: a %}".repeat(doublings)}`;
const list = (doublings: number) => `{% assign l = 'a,b,c,d,e,f,g,h' | split: ',' %}${"{% assign l = l | concat: l %}".repeat(doublings)}`;
const often = (template: string) => `{% for i in (1..10000) %}${template}{% endfor %}`;
const captured = (content: string) => `{% capture a %}${content}{% endcapture %}`;

describe("the limits on templates stop", () => {
  test.each([
    ["a long loop", "{% for i in (1..100000000) %}x{% endfor %}", /list/],
    ["loops in loops", often(often("")), /\bwork\b/],
    ["a loop over numbers that the engine cannot count", "{% for i in (100000000000000000..100000000000000100) %}x{% endfor %}", /range/],
    [
      "a loop over strings with numbers that the engine cannot count",
      "{% for i in ('100000000000000000'..'100000000000000100') %}x{% endfor %}",
      /range/,
    ],
    ["text that doubles", text(20), /characters/],
    ["text that doubles in a loop", "{% assign a = 'x' %}{% for i in (1..100) %}{% assign a = a | append: a %}{% endfor %}", /characters/],
    [
      "captured text that doubles",
      "{% assign a = 'x' %}{% for i in (1..100) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}",
      /characters/,
    ],
    ["lists that double", list(20), /list/],
    ["replacements in replacements", `${text(10)}{{ a | replace: 'x', a }}`, /limit/],
    ["replacements of an empty string", `${text(10)}{{ a | replace: '', a }}`, /limit/],
    ["a separator for each item", `${text(10)}${list(9)}{{ l | join: a }}`, /limit/],
    [
      "a long search for a long text",
      `${text(12)}{% assign p = 'b' | append: a %}{% assign t = a | append: a %}{% if t contains p %}{% endif %}`,
      /\bwork\b/,
    ],
    [
      "a split by a long text",
      `${text(12)}{% assign p = 'b' | append: a %}{% assign t = a | append: a %}{{ t | split: p | size }}`,
      /\bwork\b/,
    ],
    ["text that is padded", "{{ 'now' | date: '%1000000000Y' }}", /limit/],
    ["a long date format", `{{ 'now' | date: '${"%A".repeat(100)}' }}`, /format/],
    ["many dates", often("{{ 'now' | date: '%A', 'Europe/Paris' }}"), /\bwork\b/],
    ["a long property of each item", `${list(7)}${text(5)}{{ l | map: a }}`, /property/],
    ["lists that are sorted", list(10) + often("{% assign m = l | sort %}"), /work|limit/],
    ["lists that are compared", `${list(10)}{% assign m = l | reverse | reverse %}${often("{% if l == m %}{% endif %}")}`, /\bwork\b/],
    ["lists that are written", list(10) + often("{{ l }}"), /\bwork\b/],
    ["lists of empty values that are written", `${list(10)}{% assign l = l | map: 'x' %}${often("{{ l }}")}`, /\bwork\b/],
    ["the size of an object with many members", often("{{ many.size }}"), /\bwork\b/],
    ["a loop over one member of an object with many members", often("{% for i in many limit: 1 %}{% endfor %}"), /\bwork\b/],
    ["an object as JSON", often("{% assign j = many | json %}"), /work|limit/],
    ["a loop whose name is long", often(`{% for i in '${"x".repeat(3900)}' %}{% endfor %}`), /\bwork\b/],
    ["a cycle tag with many values", often(`{% cycle ${"1,".repeat(1900)}1 %}`), /\bwork\b/],
    ["long comparisons", `${captured("x".repeat(50_000))}${often("{% if a == url %}{% endif %}")}`, /\bwork\b/],
    [
      "a case tag with many values",
      `${captured("x".repeat(50_000))}${often(`{% case a %}{% when ${"url,".repeat(900)}url %}{% endcase %}`)}`,
      /\bwork\b/,
    ],
    ["a long name", captured("x".repeat(50_000)) + often("{{ many[a] }}"), /\bwork\b/],
    ["text that is read again and again", captured("<".repeat(50_000)) + often("{% assign b = a | strip_html %}"), /work|limit/],
    ["output that is too long", `{% for i in (1..6000) %}${"x".repeat(100)}{% endfor %}`, /writes/],
    ["a template that is too long", "x".repeat(200_000), /characters/],
  ])("%s", async (_, template, fault) => {
    const meter = createWorkMeter();
    let [turn, longest, done] = [0, 0, false];
    const count = (): void => {
      longest = Math.max(longest, meter.used - turn);
      turn = meter.used;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const error: unknown = await render(template, "html", meter).catch((thrown: unknown) => thrown);
    done = true;
    expect(String(error)).toMatch(fault);
    // Other work in the process ran after each slice. A single filter takes at most a few slices.
    expect(longest).toBeLessThan(maximumWork / 2);
  });
});

describe("the reason for rejecting a template", () => {
  const faults: readonly (readonly [template: string, fault: RegExp])[] = [
    ["{% if %}secret", /line:1/],
    ["{% nonsense %}", /nonsense/],
    ...[
      "where_exp",
      "reject_exp",
      "group_by_exp",
      "find_exp",
      "has_exp",
      "where",
      "sort_natural",
      "push",
      "sample",
      "base64_encode",
      "inspect",
    ].map((filter) => [`{{ code | ${filter}: 'i', 'i' }}`, new RegExp(`undefined filter: ${filter},`)] as const),
    ["{% cycle code | where_exp: 'i', 'i' %}", /undefined filter: where_exp/],
    ...[
      "include 'package.json'",
      "render '/etc/passwd'",
      "layout '/etc/passwd'",
      "block a",
      "liquid echo code",
      "tablerow i in (1..9)",
      "# x",
    ].map((tag) => [`{% ${tag} %}`, new RegExp(`tag "${tag.split(" ", 1).join("")}" not found`)] as const),
    // The engine creates the list before a limit can count its items.
    ["{% assign l = (100000000000000000..100000000000000100) %}", /a range is only allowed in a 'for' tag/],
    ["{{ (1..9) | join }}", /a range/],
    ["{{ user[(1..9)] }}", /a range/],
    ["{{ code | append: (1..9) }}", /a range/],
    ["{{ code | default: code, allow_false: (1..9) }}", /a range/],
    ["{{ (1..9).size }}", /a range/],
    ["{% if code == (1..9) %}{% endif %}", /a range/],
    ["{% case code %}{% when (1..9) %}{% endcase %}", /a range/],
    ["{% for i in ((1..2)..3) %}{% endfor %}", /range/],
    ["{% for i in code limit: (1..9) %}{% endfor %}", /a range/],
    ["{% for i in code %}{% else %}{% if (1..9) %}{% endif %}{% endfor %}", /a range/],
    ["{% cycle (1..9), 1 %}", /a range/],
    ["{% cycle code: 1, 2 %}", /the name of a 'cycle'/],
    [`{% # x${"\n".repeat(30_000)}# %}`, /characters/],
    [`{{ "}}" | append: "${"x".repeat(5000)}" }}`, /characters/],
    [`{{ code${" | upcase".repeat(400)} }}`.repeat(20), /characters together/],
    ["{{ code }}".repeat(1001), /1000 tags/],
    ["{% if code %}".repeat(8000) + "{% endif %}".repeat(8000), /characters|tags/],
  ];
  test.each(faults)("names the problem in %s", (template, fault) => {
    expect(faultIn(template)).toMatch(fault);
  });

  test("contains no line of the template", () => {
    expect(faultIn("Hello {{ user.name }}")).toBeUndefined();
    expect(faultIn("a\n{% if %}secret")).toMatch(/line:2/);
    expect(faultOf(new Error("first\nsecret"))).toBe("first");
    expect(faultOf("text")).toBe("text");
  });
});

describe("messages from several tenants", () => {
  const hostile = often(often(""));

  test("wait for at most one message from each other tenant", async () => {
    let stopped = 0;
    const crowd = Array.from({ length: 5 }, () =>
      renderMessage("hostile", (renderOne) => renderOne(hostile, values, "html")).catch(() => {
        stopped++;
      }),
    );
    const before = await renderMessage("healthy", async (renderOne) => [await renderOne("{{ code }}", values, "text"), stopped] as const);
    expect(before).toEqual(["123456", 1]);
    await Promise.all(crowd);
    expect(stopped).toBe(5);
  });

  test("count the work of all templates in one message against one limit", async () => {
    const half = "{% for i in (1..3000) %}{{ i }}{% endfor %}";
    const meter = createWorkMeter();
    await render(half, "text", meter);
    expect(meter.used).toBeGreaterThan(maximumWork / 2);
    await expect(
      renderMessage("main", async (renderOne) => [await renderOne(half, values, "text"), await renderOne(half, values, "text")]),
    ).rejects.toThrow(/\bwork\b/);
  });

  test("are rejected if too many are waiting, starting with those from the tenant that has the most", async () => {
    const crowd = Array.from({ length: 501 }, () => renderMessage("hostile", (renderOne) => renderOne("{{ code }}", values, "text")));
    const healthy = renderMessage("healthy", (renderOne) => renderOne("{{ code }}", values, "text"));
    const outcomes = await Promise.allSettled(crowd);
    expect(outcomes.filter(({ status }) => status === "rejected")).toMatchObject([{ reason: expect.any(BusyError) }]);
    expect(await healthy).toBe("123456");
  });
});
