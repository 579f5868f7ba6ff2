// Dynamic registration ends by telling the LMS that its window may be closed. The message carries nothing, so any
// opener may hear it.
const close = () => (window.opener || window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*");
document.getElementById("close").addEventListener("click", () => {
  close();
  window.close();
});
close();
