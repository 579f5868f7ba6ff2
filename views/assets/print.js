// Opens the browser's print dialog, if it has one.
const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => {
  print();
});
