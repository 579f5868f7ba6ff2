export const readiness = {
  heading: "Bereit zum Eintreten",
  all_one: "Die einzige Person dieses Kurses kann das Klassenzimmer sofort betreten.",
  all_other: "Alle {{number}} Personen dieses Kurses können das Klassenzimmer sofort betreten.",
  some: "{{ready}} von {{expected}} Personen können das Klassenzimmer sofort betreten.",
  preparing_one:
    "{{number}} Person wird noch vorbereitet. Sie müssen nicht darauf warten: Wer kommt, wird eingelassen.",
  preparing_other:
    "{{number}} Personen werden noch vorbereitet. Sie müssen nicht darauf warten: Wer kommt, wird eingelassen.",
  heldUp: "Das stockt im Moment und wird von selbst erneut versucht. {{problem}}",
  refused_one:
    "Das Klassenzimmer hat {{number}} Person abgelehnt. Es wird morgen erneut versucht, und wenn sie kommt. {{problem}}",
  refused_other:
    "Das Klassenzimmer hat {{number}} Personen abgelehnt. Es wird morgen erneut versucht, und wenn sie kommen. {{problem}}",
  later_one: "{{number}} Person wird vorbereitet, wenn sie kommt.",
  later_other: "{{number}} Personen werden vorbereitet, wenn sie kommen.",
  refresh: "Stand anzeigen",
  knownAs: "Das Klassenzimmer kennt diese Person als „{{name}}“.",
};
