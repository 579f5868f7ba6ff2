// The table of learners and sessions by keyboard, and its menus over the table instead of as pages of their own. Without
// this file every cell is a button that opens its page.
const dialog = document.getElementById("menu-dialog");
let stop = () => {};
let opener = null;

/** Makes one cell of the table the one that Tab reaches; arrow keys move from there. */
function steer() {
  const table = document.getElementById("grid");
  if (table === null) return;
  table.setAttribute("role", "grid");
  const rightToLeft = getComputedStyle(table).direction === "rtl";
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => cell.querySelector("button")));
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
    const head = table.rows[0].cells[cell.cellIndex];
    const name = cell.closest("tr").cells[0].querySelector("button")?.textContent;
    const about = button.title || button.textContent;
    here.textContent = cell.matches("td") ? `${name} · ${head.querySelector("button").dataset.name} · ${about}` : about;
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
    const step = moves[event.key];
    const button = event.target.closest("button");
    if (step === undefined || button === null || event.altKey || event.metaKey) return;
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
  here.textContent = here.dataset.keys;
  return wanted;
}

/** The newest sessions are at the end of the table: that is what people come for. Scores follow where there is room. */
function showNewest() {
  const region = document.getElementById("region");
  if (region === null) return;
  const heads = [...document.getElementById("grid").rows[0].cells];
  const after = heads.slice(heads.findLastIndex((cell) => cell.querySelector("button") !== null) + 1);
  const roomy = region.clientWidth > 480;
  const beyond = roomy ? 0 : after.reduce((sum, cell) => sum + cell.offsetWidth, 0);
  const all = Math.max(0, region.scrollWidth - region.clientWidth - beyond);
  region.scrollLeft = getComputedStyle(region).direction === "rtl" ? -all : all;
}

/** Posts a form and gives the page that comes back. */
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

/** Takes over what a page that came back says and shows, without moving anything. */
function takeOver(page) {
  const region = document.getElementById("region");
  const { scrollLeft, scrollTop } = region;
  const said = page.getElementById("said")?.innerHTML ?? "";
  const main = document.querySelector("main");
  const fresh = page.querySelector("main");
  const unfolded = [...main.querySelectorAll("details")].map((one) => one.open);
  // The menu and the place that is read out stay; everything else is what the tool says now.
  for (const id of ["news", "menu-dialog"]) fresh.querySelector(`#${id}`).replaceWith(document.getElementById(id));
  for (const script of fresh.querySelectorAll("script")) script.remove();
  for (const [at, one] of [...fresh.querySelectorAll("details")].entries()) one.open = unfolded[at] ?? one.open;
  main.replaceChildren(...fresh.childNodes);
  const now = document.getElementById("region");
  if (now !== null) {
    now.scrollLeft = scrollLeft;
    now.scrollTop = scrollTop;
  }
  const wanted = steer();
  bind();
  wanted?.focus();
  const live = document.getElementById("said");
  live.innerHTML = "";
  // A text that is set once the place is there again is read out.
  requestAnimationFrame(() => {
    live.innerHTML = said;
  });
}

function bind() {
  const cells = document.getElementById("cells");
  cells?.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (button?.name !== "cell" && button?.name !== "column") return;
    event.preventDefault();
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
      // As without a script: the page says what is the matter.
      sendPlainly(cells, button);
    }
  });
}

/** Sends a form as the browser does by itself. */
function sendPlainly(form, button) {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = button.name;
  field.value = button.value;
  form.append(field);
  if (button.hasAttribute("formaction")) form.action = button.getAttribute("formaction");
  form.submit();
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
  const answer = post(form, button);
  button.disabled = true;
  try {
    const page = await answer;
    const menu = page.getElementById("menu");
    if (menu !== null) open(menu);
    else if (page.getElementById("news") === null) throw new Error("another page");
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
  const wanted = steer();
  bind();
  if (wanted == null) showNewest();
  else wanted.focus();
}
