// A Space page that is loaded again by its address has used its login. But the browser's history still has the session, so this asks for
// a new login.
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
