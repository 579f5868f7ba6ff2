// A waiting page that is loaded again where the browser keeps no cookie: the tab's own history still has the ticket.
{
  const ticket = history.state?.ticket;
  if (typeof ticket === "string") {
    document.querySelector("main").hidden = true;
    const form = document.getElementById("own");
    form.elements.ticket.value = ticket;
    form.submit();
  }
}
