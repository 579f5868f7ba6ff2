// The browser's own print dialog, where there is one.
const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => {
  print();
});
