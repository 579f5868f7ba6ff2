// A waiting page that is loaded again in a browser without cookies: the tab's history still has the ticket.
{
  const ticket = history.state?.ticket;
  if (typeof ticket === "string") {
    document.querySelector("main").hidden = true;
    const form = document.getElementById("own");
    form.elements.ticket.value = ticket;
    form.submit();
  }
}
