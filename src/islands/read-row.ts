/** The row of the languages that a reader reads, on the home page: toggles, which order today's quotes and the search, too. */
import { element, make } from "./browser.ts";
import { chooseLanguages, readLanguages } from "./languages.ts";

const row = element(document, ".read", HTMLElement);
const summary = element(row, "summary", HTMLElement);
const { read = "", forms = "{}" } = row.dataset;
const { lang: locale } = document.documentElement;
const plurals = JSON.parse(forms) as Readonly<Partial<Record<string, string>>>;
const group = make("span", { role: "group", ariaLabel: read });
summary.parentElement?.before(group);

/** Each language of the site: its link, and the toggle beside it. */
const languages = [...row.querySelectorAll<HTMLAnchorElement>("li a")].map((link) => {
  const toggle = make("button", { type: "button" });
  toggle.onclick = () => change(link.lang);
  link.closest("li")?.append(toggle);
  return { tag: link.lang, link, toggle };
});

function change(tag: string): void {
  const tags = readLanguages(languages).map((one) => one.tag);
  chooseLanguages(tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag]);
  show();
}

function nameOf({ link }: (typeof languages)[number]): string {
  return link.textContent.trim();
}

function show(): void {
  const own = readLanguages(languages);
  const focused = group.contains(document.activeElement);
  const toggles = own.map((one) => {
    const button = make(
      "button",
      { type: "button", lang: one.tag, dir: one.link.dir, ariaPressed: "true" },
      nameOf(one),
    );
    button.onclick = () => change(one.tag);
    return button;
  });
  group.replaceChildren(`${read} `, ...toggles);
  for (const { tag, link, toggle } of languages) {
    const isOwn = own.some((one) => one.tag === tag);
    toggle.ariaPressed = String(isOwn);
    toggle.ariaLabel = `${read}: ${link.textContent.trim()}`;
    toggle.textContent = isOwn ? "✓" : "+";
  }
  const others = languages.length - own.length;
  const form = plurals[new Intl.PluralRules(locale).select(others)] ?? plurals["other"] ?? "{n}";
  summary.textContent = `+ ${form.replace("{n}", others.toLocaleString(locale))}`;
  // The pressed toggle is gone.
  if (focused) (toggles[0] ?? summary).focus();
}

show();
