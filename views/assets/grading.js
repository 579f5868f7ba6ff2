// Recalculates the example while somebody types, and counts whose grade would change. Without this file, a button does it.
const form = document.getElementById("grading");
const shown = document.getElementById("example-shown");
const affected = document.getElementById("affected");
const under = document.getElementById("example-under");
if (form !== null && shown !== null && affected !== null) {
  const pauseMs = 400;
  let waiting;
  let latest = 0;

  const element = (name, text) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };
  const show = ({ example, changes }) => {
    const list = document.createElement("ul");
    list.append(...example.words.map((sentence) => element("li", sentence)));
    const score = element("p", "");
    score.className = "lead";
    if (example.score !== null) score.append(element("strong", example.score));
    shown.replaceChildren(element("p", example.who), ...(example.score === null ? [] : [score]), list);
    affected.textContent = changes;
    under.textContent = under.dataset.typed;
  };
  const look = async () => {
    latest += 1;
    const mine = latest;
    try {
      const answer = await fetch(form.dataset.live, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(new FormData(form)),
      });
      if (!answer.ok || mine !== latest) return;
      const now = await answer.json();
      // Null: the input can't be read yet.
      if (now !== null && mine === latest) show(now);
    } catch {
      // The button still works.
    }
  };
  document.getElementById("example-update").hidden = true;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, pauseMs);
  });
}
