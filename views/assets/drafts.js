// Keeps unsaved input in this tab, so that another page, Back, F5 or a refusal loses nothing: the form shows it again. It is stored by
// person, course and form, and deleted once it is saved or the person signs out.
{
  const { owner } = document.currentScript.dataset;
  const item = "drafts";
  const maxLength = 200_000;

  /** Drafts by the keys of their forms, oldest first; null if the browser refuses storage. `sent`: the answer has not arrived yet. */
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(item) ?? "{}");
    } catch {
      return null;
    }
  };
  /** @returns whether the browser stored it */
  const write = (drafts) => {
    const names = Object.keys(drafts);
    let text = JSON.stringify(drafts);
    while (text.length > maxLength && names.length > 1) {
      delete drafts[names.shift()];
      text = JSON.stringify(drafts);
    }
    try {
      if (text.length > maxLength) return false;
      sessionStorage.setItem(item, text);
      return true;
    } catch {
      return false;
    }
  };
  /** @param draft Null deletes it. */
  const store = (key, draft) => {
    const { [key]: _before, ...others } = read() ?? {};
    return write(draft === null ? others : { ...others, [key]: draft });
  };

  /** Forms that only ask for a page, and those that answer in place, have no drafts. */
  const hasDraft = (form) =>
    form.method === "post" && !("menu" in form.dataset) && form.querySelector("[data-reads]") === null;
  const isBox = ({ type }) => type === "checkbox" || type === "radio";
  /** Fields that a tap saves need no draft. */
  const fieldsOf = (form) =>
    [...form.elements].filter(
      (field) =>
        field.matches('textarea, select, input:not([type="hidden"], [type="password"], [type="file"], [autocomplete="one-time-code"])') &&
        field.name !== "" &&
        !(field.type === "radio" && "mark" in form.dataset),
    );
  const nameOf = (field) => (isBox(field) ? `${field.name}=${field.value}` : field.name);
  const valueOf = (field) => (isBox(field) ? field.checked : field.value);
  const firstOf = (field) => {
    if (isBox(field)) return field.defaultChecked;
    if (field.tagName !== "SELECT") return field.defaultValue;
    return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value ?? "";
  };
  const put = (field, value) => {
    if (valueOf(field) === value) return;
    if (isBox(field)) field.checked = value;
    else field.value = value;
    field.closest("details")?.setAttribute("open", "");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /** Leaves out the session, and fields that differ each time the page is made. */
  const keyOf = (form) => {
    const { pathname, hash } = new URL(form.getAttribute("action"), location.href);
    const about = [...form.querySelectorAll('input[type="hidden"]')]
      .filter(({ name }) => !/^(session|lines|batch|asked|seen.*|.*revision)$/i.test(name))
      .map(({ name, value }) => `${name}=${value.slice(0, 100)}`);
    return [owner, pathname.replace(/^\/c\/[\w-]+/, "") + hash, ...about].join(" ");
  };

  /** Forms with something unsaved, and whether that is stored. */
  const unsaved = new Map();
  /** Fields that were sent and refused. The page shows them as if they were saved. */
  const refusedIn = new WeakMap();
  const keep = (form) => {
    const refused = refusedIn.get(form) ?? [];
    const fields = fieldsOf(form)
      .filter((field) => valueOf(field) !== firstOf(field) || refused.includes(nameOf(field)))
      .map((field) => [nameOf(field), valueOf(field)]);
    form.toggleAttribute("data-unsaved", fields.length > 0);
    const isStored = store(keyOf(form), fields.length === 0 ? null : { fields });
    if (fields.length === 0) unsaved.delete(form);
    else unsaved.set(form, isStored);
  };
  const discard = (form, note) => {
    note.remove();
    for (const field of fieldsOf(form)) put(field, firstOf(field));
    keep(form);
  };
  const restore = (form, { fields }) => {
    const draft = new Map(fields);
    for (const field of fieldsOf(form)) if (draft.has(nameOf(field))) put(field, draft.get(nameOf(field)));
    keep(form);
    if (!unsaved.has(form)) return;
    const note = document.getElementById("draft").content.firstElementChild.cloneNode(true);
    note.querySelector("button").addEventListener("click", () => discard(form, note));
    form.prepend(note);
  };

  const [visit] = performance.getEntriesByType("navigation");
  const isRefused = owner === undefined || visit?.responseStatus >= 400;
  const comesBack = visit?.type === "back_forward";
  const forms = owner === undefined ? [] : [...document.forms].filter(hasDraft);
  const person = owner?.split(" ")[0];
  const drafts = Object.entries(read() ?? {}).flatMap(([key, { fields, sent = false }]) => {
    const isOthers = owner !== undefined && !key.startsWith(`${person} `);
    const isSaved = sent && !isRefused && !comesBack;
    return isOthers || isSaved ? [] : [[key, { fields, isAnswered: sent && isRefused }]];
  });
  write(Object.fromEntries(drafts.map(([key, { fields }]) => [key, { fields }])));
  const found = new Map(drafts);
  for (const form of forms) {
    const draft = found.get(keyOf(form));
    if (draft?.isAnswered) {
      refusedIn.set(form, draft.fields.map(([name]) => name));
      keep(form);
    } else if (draft !== undefined) restore(form, draft);
  }

  const changed = ({ target, isTrusted }) => {
    const form = target.form ?? null;
    if (isTrusted && owner !== undefined && form !== null && hasDraft(form)) keep(form);
  };
  document.addEventListener("input", changed);
  document.addEventListener("change", changed);

  /** Doesn't ask for a moment: the next page is one of ours, which finds the draft. */
  let staysHere = false;
  const staysFor = () => {
    staysHere = true;
    setTimeout(() => {
      staysHere = false;
    }, 1_000);
  };
  document.addEventListener("click", ({ target }) => {
    const link = target.closest("a[href]");
    if (link !== null && link.target === "" && link.origin === location.origin) staysFor();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.target !== "") return;
    staysFor();
    const draft = (read() ?? {})[keyOf(form)];
    if (/\/sign-out$/.test(form.action)) write({});
    // The page's own button to discard (typed.ejs).
    else if (/\/anew$/.test(form.action)) for (const one of unsaved.keys()) store(keyOf(one), null);
    else if (draft !== undefined) store(keyOf(form), { ...draft, sent: true });
    unsaved.delete(form);
  });
  addEventListener("beforeunload", (event) => {
    const all = [...unsaved.values()];
    if (all.length > 0 && !(staysHere && all.every(Boolean))) event.preventDefault();
  });
}
