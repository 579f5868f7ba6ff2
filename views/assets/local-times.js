// The server writes times in UTC, because only the browser knows where the person is.
import { timesIn, zoneHere } from "./times.js";

const times = timesIn(document.documentElement.lang, zoneHere());
for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent;
  time.textContent = times.text(new Date(time.dateTime));
}

// The same in fields: people type their local time, and the form sends UTC.
const fields = document.querySelectorAll('input[type="datetime-local"]');
for (const field of fields) {
  const { value, name, form } = field;
  if (value !== "") {
    const at = new Date(`${value}Z`);
    field.value = new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, value.length);
  }
  const [label] = field.labels;
  label.textContent = label.textContent.replace(" (UTC)", "");
  form.addEventListener("formdata", ({ formData }) => {
    if (field.value !== "") formData.set(name, new Date(field.value).toISOString().slice(0, field.value.length));
  });
}
if (fields.length > 0) document.getElementById("list-hint")?.remove();
