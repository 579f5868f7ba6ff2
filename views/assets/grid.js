// The table of learners and sessions: moves by keyboard, marks by a tap or a letter, and shows a mark's menu over the table instead of on
// a separate page. Without this file, every mark is a button that opens its page.
import { say, sayFailed, sendTap } from "./marking.js";

const dialog = document.getElementById("menu-dialog");
let stop = () => {};
let opener = null;

/** Makes a cell the only one in the table that Tab reaches; arrow keys move from there. */
function steer() {
  const table = document.getElementById("grid");
  if (table === null) return;
  table.setAttribute("role", "grid");
  const rightToLeft = getComputedStyle(table).direction === "rtl";
  label(table);
  // The row of sessions has no cell above the names, because the months' first cell spans both rows.
  const rows = [...table.rows].map((row, at) => [
    ...(at === 1 ? [null] : []),
    ...[...row.cells].map((cell) => cell.querySelector("button")),
  ]);
  const lines = rows.filter((row) => row.some((button) => button !== null));
  const here = document.getElementById("here");
  let current = null;
  for (const button of table.querySelectorAll("button")) button.tabIndex = -1;

  const choose = (button) => {
    if (current !== null) current.tabIndex = -1;
    current = button;
    current.tabIndex = 0;
  };
  const tell = (button) => {
    const cell = button.closest("td, th");
    const name = nameOf(button);
    here.textContent = cell.matches("td")
      ? `${name} · ${headOf(table, cell).dataset.name} · ${faceOf(button)[0]}`
      : (button.title || button.textContent);
  };
  const placeOf = (button) => {
    const row = lines.findIndex((line) => line.includes(button));
    return [row, lines[row].indexOf(button)];
  };
  const last = (line) => line.findLastIndex((button) => button !== null);
  const first = (line) => line.findIndex((button) => button !== null);
  const clamp = (value, most) => Math.max(0, Math.min(value, most));
  /** The button at a place, or the nearest one in its row. */
  const at = (row, column) => {
    const line = lines[clamp(row, lines.length - 1)];
    return line[Math.max(first(line), Math.min(column, last(line)))];
  };
  const moves = {
    ArrowRight: (row, column) => [row, column + (rightToLeft ? -1 : 1)],
    ArrowLeft: (row, column) => [row, column - (rightToLeft ? -1 : 1)],
    ArrowDown: (row, column) => [row + 1, column],
    ArrowUp: (row, column) => [row - 1, column],
    PageDown: (row, column) => [row + 10, column],
    PageUp: (row, column) => [row - 10, column],
    Home: (row, _column, all) => [all ? 0 : row, 0],
    End: (row, _column, all) => [all ? lines.length - 1 : row, Infinity],
  };
  const move = (event) => {
    const button = event.target.closest("button");
    if (button === null || event.altKey || event.metaKey) return;
    const wantedStatus = event.ctrlKey || button.name !== "cell" ? undefined : statusOfKey(event.key);
    if (wantedStatus !== undefined) {
      event.preventDefault();
      mark(button, wantedStatus);
      return;
    }
    const step = moves[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = at(...step(...placeOf(button), event.ctrlKey));
    choose(next);
    next.focus();
  };
  const focused = (event) => {
    const button = event.target.closest("button");
    if (button === null) return;
    choose(button);
    tell(button);
  };
  table.addEventListener("keydown", move);
  table.addEventListener("focusin", focused);
  const wanted = table.querySelector("[autofocus]");
  choose(wanted ?? lines.at(1)?.findLast((button) => button !== null) ?? lines[0].find((button) => button !== null));
  fit();
  here.textContent = here.dataset.keys;
  return wanted;
}

/** Shows whole columns only: those that fit beside the names share the room. */
function fit() {
  const region = document.getElementById("region");
  const table = document.getElementById("grid");
  if (region === null || table === null) return;
  table.style.removeProperty("--col");
  // If all fit, leaves them: the names' width is rounded, so equal shares could be half a pixel too wide.
  if (region.scrollWidth <= region.clientWidth) return;
  const columns = table.rows[1].cells.length;
  const room = region.clientWidth - table.rows[0].cells[0].offsetWidth;
  const least = table.rows[1].cells[0].offsetWidth;
  const whole = Math.floor(room / least);
  if (whole > 0 && whole < columns) table.style.setProperty("--col", `${room / whole}px`);
}

/** Scrolls to the end of the table, where the latest sessions are: people come for these. */
function showNewest() {
  const region = document.getElementById("region");
  if (region === null) return;
  const all = Math.max(0, region.scrollWidth - region.clientWidth);
  region.scrollLeft = getComputedStyle(region).direction === "rtl" ? -all : all;
}

const looks = new Map();
let brushes = [];

/** A mark's label, its status in words, and its status as stored. */
function faceOf(button) {
  return looks.get(button.className) ?? [button.textContent, button.textContent, ""];
}
function headOf(table, cell) {
  return table.rows[1].cells[cell.cellIndex - 1].querySelector("button");
}
function nameOf(button) {
  return button.closest("tr").cells[0].querySelector("button").textContent;
}

/** Gives marks their status in words, shown if there is room. */
function label(table) {
  looks.clear();
  for (const [name, face] of Object.entries(JSON.parse(table.dataset.looks))) looks.set(name, face);
  const few = table.classList.contains("few");
  for (const button of table.querySelectorAll("td button")) dress(button, few);
}
function dress(button, few) {
  const [text, status, value] = faceOf(button);
  button.setAttribute("aria-label", text);
  button.title = text;
  // The style sheet draws it; the label says it in words.
  const sign = button.querySelector("i");
  if (sign !== null) {
    sign.dataset.sign = sign.textContent;
    sign.textContent = "";
  }
  if (!few || value === "") return;
  const letter = document.createElement("span");
  letter.className = "l";
  letter.append(button.firstChild);
  const word = document.createElement("span");
  word.className = "w";
  word.textContent = status;
  button.prepend(letter, word);
}

/** The status that a letter stands for, by the page's language or else English. */
function statusOfKey(key) {
  const letter = key.toLocaleUpperCase();
  const own = brushes.find(({ dataset }) => dataset.key.toLocaleUpperCase() === letter);
  return (own ?? brushes.find(({ value }) => value.length > 0 && value[0] === letter))?.value;
}

let marking = Promise.resolve();

/** Saves taps one after another, so that none overtakes another. */
function mark(button, status, { note = null, undoes = false } = {}) {
  button.setAttribute("aria-busy", "true");
  marking = marking.then(async () => {
    const form = document.getElementById("cells");
    const [row, column] = button.value.split(".");
    const fields = {
      event: form.elements[`e.${column}`].value,
      person: form.elements[`p.${row}`].value,
      was: faceOf(button)[2],
      status,
      ...(note === null ? {} : { note }),
      ...(undoes ? { undoes: "1" } : {}),
    };
    try {
      const { said, look, takesBack } = await sendTap(form, fields);
      show(button, look);
      const undo = () => {
        button.focus();
        mark(button, takesBack.status, { note: takesBack.note, undoes: true });
      };
      say(said, takesBack === null ? null : undo);
      refreshSoon();
    } catch {
      sayFailed();
    }
    button.removeAttribute("aria-busy");
  });
}

function show(button, look) {
  looks.set(look.name, [look.text, look.status, look.value]);
  button.className = look.name;
  button.textContent = look.letter;
  if (look.extra !== "") {
    const extra = document.createElement("i");
    extra.textContent = look.extra;
    button.append(extra);
  }
  dress(button, document.getElementById("grid").classList.contains("few"));
  if (button === document.activeElement) button.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
}

let refreshing = 0;

/** Updates the sums when nobody has marked for a moment. */
function refreshSoon() {
  clearTimeout(refreshing);
  refreshing = setTimeout(async () => {
    const form = document.getElementById("cells");
    const fields = [...new FormData(form)].filter(([name]) => !name.includes("."));
    try {
      const answer = await fetch(form.dataset.again, { method: "POST", body: new URLSearchParams(fields) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const table = document.getElementById("grid");
      const fresh = page.getElementById("grid");
      if (fresh === null || fresh.rows[1].cells.length !== table.rows[1].cells.length) return;
      table.querySelector(".sum").replaceWith(fresh.querySelector(".sum"));
      document.getElementById("glance").textContent = page.getElementById("glance").textContent;
      const about = new Map(
        [...fresh.tBodies[0].rows].map((row) => [row.querySelector("input").value, row.querySelectorAll("small")]),
      );
      for (const row of table.tBodies[0].rows) {
        for (const small of row.querySelectorAll("small")) small.remove();
        row.cells[0].append(...(about.get(row.querySelector("input").value) ?? []));
      }
    } catch {
      // The marks are saved, and the sums are right when the page is opened again.
    }
  }, 1_000);
}

/** Posts a form. @returns the page that comes back */
async function post(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const answer = await fetch(button?.getAttribute("formaction") ?? form.getAttribute("action"), { method: "POST", body });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function open(menu) {
  dialog.replaceChildren(menu);
  if (!dialog.open) dialog.showModal();
  const problem = menu.querySelector("[aria-invalid]");
  (problem ?? menu.querySelector("h2")).focus();
}

/** Takes over the texts and marks of a page that came back, without moving anything. */
function takeOver(page) {
  const region = document.getElementById("region");
  const { scrollLeft, scrollTop } = region;
  const text = page.querySelector("#said .toast")?.textContent ?? "";
  const main = document.querySelector("main");
  const fresh = page.querySelector("main");
  const unfolded = [...main.querySelectorAll("details")].map((one) => one.open);
  const brush = document.querySelector("#brush input:checked")?.value ?? "";
  // Keeps the menu and the element that is read out; takes everything else from the new page.
  for (const id of ["said", "menu-dialog"]) fresh.querySelector(`#${id}`).replaceWith(document.getElementById(id));
  for (const script of fresh.querySelectorAll("script")) script.remove();
  for (const [at, one] of [...fresh.querySelectorAll("details")].entries()) one.open = unfolded[at] ?? one.open;
  main.replaceChildren(...fresh.childNodes);
  for (const input of main.querySelectorAll("#brush input")) input.checked = input.value === brush;
  bind();
  const wanted = steer();
  const now = document.getElementById("region");
  if (now !== null) {
    now.scrollLeft = scrollLeft;
    now.scrollTop = scrollTop;
  }
  wanted?.focus();
  say(text);
}

function bind() {
  const brush = document.getElementById("brush");
  if (brush !== null) {
    brush.hidden = false;
    brush.addEventListener("submit", (event) => event.preventDefault());
    brushes = [...brush.querySelectorAll("input")].filter(({ value }) => value !== "");
  }
  const cells = document.getElementById("cells");
  cells?.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (button?.name !== "cell") return;
    event.preventDefault();
    const brush = document.querySelector('#brush input:checked')?.value ?? "";
    if (brush !== "") {
      mark(button, brush);
      return;
    }
    stop();
    let stopped = false;
    stop = () => {
      stopped = true;
    };
    opener = button;
    try {
      const menu = (await post(cells, button)).getElementById("menu");
      if (stopped) return;
      if (menu === null) throw new Error("no menu");
      open(menu);
    } catch {
      // As without scripts: the page says what is wrong.
      sendPlainly(cells, button);
    }
  });
}

/** Sends a form as the browser does without scripts. */
function sendPlainly(form, button) {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = button.name;
  field.value = button.value;
  form.append(field);
  if (button.hasAttribute("formaction")) form.action = button.getAttribute("formaction");
  form.submit();
}

/** Whether the status is all there is to save, as by a tap that can be undone: nothing is typed, nor left from a refused try. */
function isUntouched(form) {
  const fields = [...form.querySelectorAll('input[type="text"]')];
  return dialog.querySelector('[role="alert"]') === null && fields.every((one) => one.value === one.defaultValue);
}

dialog?.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-menu")) return;
  event.preventDefault();
  const button = event.submitter;
  if (button?.hasAttribute("data-close")) {
    dialog.close();
    return;
  }
  if (button?.name.startsWith("status.") && isUntouched(form)) {
    dialog.close();
    mark(opener, button.value);
    return;
  }
  const answer = post(form, button);
  button.disabled = true;
  try {
    const page = await answer;
    const menu = page.getElementById("menu");
    if (menu !== null) open(menu);
    else if (page.getElementById("said") === null) throw new Error("another page");
    else {
      dialog.close();
      takeOver(page);
    }
  } catch {
    button.disabled = false;
    button.focus();
    const note = dialog.querySelector("#menu-failed") ?? document.createElement("p");
    note.id = "menu-failed";
    note.className = "note mend";
    note.setAttribute("role", "alert");
    note.textContent = dialog.dataset.failed;
    form.before(note);
  }
});
dialog?.addEventListener("close", () => {
  dialog.replaceChildren();
  opener?.focus();
});

if (dialog !== null) {
  bind();
  const wanted = steer();
  showNewest();
  wanted?.focus();
  addEventListener("resize", () => {
    fit();
    showNewest();
  });
}
