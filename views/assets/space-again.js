// A Space page that is loaded again by its address: its login was used, but the entry in the browser's history
// still holds the session, and with it a new login is asked for.
const form = document.getElementById("again");
const session = history.state?.session;
if (typeof session === "string") {
  form.elements.session.value = session;
  form.submit();
} else {
  document.getElementById("opening").remove();
  const lost = document.getElementById("lost");
  lost.hidden = false;
  document.title = lost.querySelector("h1").textContent;
}
