// Dynamic registration ends by telling the LMS that its window may be closed. The message has no content, so any
// opener may receive it. If the page says something that must be read, the person closes it.
const close = () => (window.opener || window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*");
const button = document.getElementById("close");
button.addEventListener("click", () => {
  close();
  window.close();
});
if (button.dataset.byItself === "true") close();
