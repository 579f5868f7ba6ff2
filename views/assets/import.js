// Reads a chosen file into the field, where it can be looked at and changed. Without this file, cells are pasted.
const choose = document.getElementById("choose");
const file = document.getElementById("file");
const table = document.getElementById("table");
const problem = document.getElementById("file-problem");
const maxBytes = 4_000_000;

// Spreadsheets save text as UTF-8, as UTF-16 with a mark ("Unicode text"), or in the alphabet of an older Windows.
const textOf = (bytes) => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
};

choose.hidden = false;
file.addEventListener("change", async () => {
  const [chosen] = file.files;
  problem.textContent = "";
  if (chosen === undefined) return;
  const bytes = chosen.size > maxBytes ? new Uint8Array() : new Uint8Array(await chosen.arrayBuffer());
  const text = textOf(bytes);
  // A workbook (.xlsx) is a compressed folder and no text.
  if (text.trim() === "" || text.includes("\0")) {
    problem.textContent = file.dataset.unread;
    file.value = "";
    return;
  }
  table.value = text;
  table.focus();
  table.setSelectionRange(0, 0);
});
