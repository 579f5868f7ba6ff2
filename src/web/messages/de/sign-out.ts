export const signOut = {
  button: "Abmelden",
  title: "Abgemeldet - {{course}}",
  heading: "Sie haben sich abgemeldet",
  what: "Diese Seite und alle Seiten, die Sie von ihr aus geöffnet haben, sind geschlossen.",
  everywhere: "Alle Ihre Seiten dieses Kurses sind geschlossen, in jedem Browser.",
  back: "Um zurückzukommen, öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs.",
  others_one: "Sie haben dieses Klassenzimmer noch einmal geöffnet und sind dort noch angemeldet.",
  others_other: "Sie haben dieses Klassenzimmer noch {{number}}-mal geöffnet und sind dort noch angemeldet.",
  endOthers: "Auch dort abmelden",
};
