export const home = {
  waiting_one: "{{count}} étudiant attend à l’entrée.",
  waiting_many: "{{count}} d’étudiants attendent à l’entrée.",
  waiting_other: "{{count}} étudiants attendent à l’entrée.",
  sessions: {
    live: "En cours",
    next: "Prochaine séance",
    none: "Aucune séance n’est prévue. Les séances donnent un minuteur à la classe virtuelle et servent à compter les présences.",
    plan: "Planifier des séances",
    all: "Toutes les séances",
    zone: "Heures du fuseau {{zone}}.",
    zoneUtc: "Les heures sont en UTC : aucun fuseau horaire n’est encore défini pour le cours.",
    expectedNone: "Personne n’est encore attendu : la plateforme ne nous a indiqué aucun étudiant.",
    expected_one: "{{count}} étudiant attendu.",
    expected_many: "{{count}} d’étudiants attendus.",
    expected_other: "{{count}} étudiants attendus.",
    expectedOf_one: "{{count}} étudiant attendu ({{sections}}).",
    expectedOf_many: "{{count}} d’étudiants attendus ({{sections}}).",
    expectedOf_other: "{{count}} étudiants attendus ({{sections}}).",
    seeWho: "Voir qui",
    beenInNone: "Personne n’est encore entré.",
    beenIn_one: "{{count}} personne est déjà entrée.",
    beenIn_many: "{{count}} de personnes sont déjà entrées.",
    beenIn_other: "{{count}} personnes sont déjà entrées.",
  },
  grades: {
    heading: "Notes",
    off: "Dans ce cours, l’assiduité n’est pas notée.",
    none: "Pas encore de notes. Elles apparaissent dès que des présences sont relevées dans la classe virtuelle.",
    fine_one: "La seule note est dans le carnet de notes.",
    fine_many: "Les {{count}} de notes sont toutes dans le carnet de notes.",
    fine_other: "Les {{count}} notes sont toutes dans le carnet de notes.",
    wait_one: "{{count}} note est en cours d’envoi au carnet de notes.",
    wait_many: "{{count}} de notes sont en cours d’envoi au carnet de notes.",
    wait_other: "{{count}} notes sont en cours d’envoi au carnet de notes.",
    need_one: "{{count}} note demande votre intervention.",
    need_many: "{{count}} de notes demandent votre intervention.",
    need_other: "{{count}} notes demandent votre intervention.",
    open: "Voir les notes",
    how: "Calcul des notes",
  },
  attention: {
    heading: "À traiter",
    none: "Rien ne demande votre attention.",
    noTime: "heure inconnue",
    event: "une séance",
    cohort: "une cohorte",
    recording: "une séance",
    items: {
      "event-no-show_one": "Personne n’est venu à « {{name}} » ({{when}}).",
      "event-no-show_many": "Personne n’est venu à {{count}} de séances.",
      "event-no-show_other": "Personne n’est venu à {{count}} séances.",
      "event-declined_one": "Un enseignant a décliné « {{name}} » ({{when}}) dans la classe virtuelle.",
      "event-declined_many": "Des enseignants ont décliné {{count}} de séances dans la classe virtuelle.",
      "event-declined_other": "Des enseignants ont décliné {{count}} séances dans la classe virtuelle.",
      "scores-overdue_one":
        "L’envoi de {{count}} note dure depuis trop longtemps. Il est retenté automatiquement ; si cela continue, prévenez votre administrateur.",
      "scores-overdue_many":
        "{{count}} de notes sont en cours d’envoi, la plus ancienne depuis trop longtemps. L’envoi est retenté automatiquement ; si cela continue, prévenez votre administrateur.",
      "scores-overdue_other":
        "{{count}} notes sont en cours d’envoi, la plus ancienne depuis trop longtemps. L’envoi est retenté automatiquement ; si cela continue, prévenez votre administrateur.",
      "scores-refused_one": "Le carnet de notes n’a pas accepté {{count}} note.",
      "scores-refused_many": "Le carnet de notes n’a pas accepté {{count}} de notes.",
      "scores-refused_other": "Le carnet de notes n’a pas accepté {{count}} notes.",
      "scores-held_one": "{{count}} note a été modifiée dans le carnet de notes. Indiquez laquelle garder.",
      "scores-held_many":
        "{{count}} de notes ont été modifiées dans le carnet de notes. Indiquez lesquelles garder.",
      "scores-held_other":
        "{{count}} notes ont été modifiées dans le carnet de notes. Indiquez lesquelles garder.",
      "cohort-deleted_one":
        "La cohorte « {{name}} » a été supprimée dans la classe virtuelle ; sa section y est toujours liée.",
      "cohort-deleted_many":
        "{{count}} de cohortes ont été supprimées dans la classe virtuelle ; leurs sections y sont toujours liées.",
      "cohort-deleted_other":
        "{{count}} cohortes ont été supprimées dans la classe virtuelle ; leurs sections y sont toujours liées.",
      "sessions-stuck_one": "{{count}} séance n’a pas pu être créée ou modifiée dans la classe virtuelle.",
      "sessions-stuck_many":
        "{{count}} de séances n’ont pas pu être créées ou modifiées dans la classe virtuelle.",
      "sessions-stuck_other":
        "{{count}} séances n’ont pas pu être créées ou modifiées dans la classe virtuelle.",
      unmatched_one: "La classe virtuelle cite {{count}} personne ou séance que ce cours ne connaît pas.",
      unmatched_many:
        "La classe virtuelle cite {{count}} de personnes ou séances que ce cours ne connaît pas.",
      unmatched_other: "La classe virtuelle cite {{count}} personnes ou séances que ce cours ne connaît pas.",
      "column-missing":
        "Une colonne qui reçoit des notes a été supprimée du carnet de notes. Rien n’y est envoyé tant que vous n’avez pas décidé.",
      "roster-unreadable": "La liste des participants de votre plateforme n’a pas pu être lue.",
      "alert-other_one":
        "Le centre de contrôle de la classe virtuelle signale une alerte pour « {{name}} » ({{when}}).",
      "alert-other_many":
        "Le centre de contrôle de la classe virtuelle signale {{count}} d’alertes pour les séances de ce cours.",
      "alert-other_other":
        "Le centre de contrôle de la classe virtuelle signale {{count}} alertes pour les séances de ce cours.",
      "space-refused":
        "Le Space de ce cours n’est pas approuvé pour lui, ou a été fermé : personne ne peut entrer.",
      "space-not-own":
        "Votre établissement n’autorise que les Spaces créés pour ses cours, et ce cours en a un autre : personne ne peut entrer.",
      "space-elsewhere":
        "Le service de classe a placé le Space de ce cours à {{name}}, où cet outil n’envoie personne : personne ne peut entrer tant que son exploitant n’a pas réglé cela. Le Space est conservé.",
      "invited-only": "Le Space n’accepte que les personnes invitées : les autres ne peuvent pas entrer.",
      "recordings-ready_one":
        "L’enregistrement de « {{name}} » ({{when}}) est prêt. Les étudiants ne le voient pas encore.",
      "recordings-ready_many":
        "{{count}} d’enregistrements sont prêts. Les étudiants ne les voient pas encore.",
      "recordings-ready_other":
        "{{count}} enregistrements sont prêts. Les étudiants ne les voient pas encore.",
      "set-up":
        "Les premières questions sur ce cours attendent une réponse ; d’ici là, il reste tel qu’il est.",
    },
    acts: {
      "column-missing": "Décider",
      "event-no-show": "Voir l’alerte",
      "event-declined": "Voir l’alerte",
      "scores-overdue": "Voir les notes en cours d’envoi",
      "scores-refused": "Voir lesquelles",
      "scores-held": "Décider",
      "cohort-deleted": "Voir les cohortes",
      "sessions-stuck": "Voir les séances",
      unmatched: "Indiquer qui c’est",
      "roster-unreadable": "Voir pourquoi",
      "alert-other": "Voir l’alerte",
      "space-refused": "Choisir un autre Space",
      "space-not-own": "Donner au cours le sien",
      "space-elsewhere": "Voir le Space",
      "invited-only": "Voir qui inviter",
      "recordings-ready": "Voir les enregistrements",
      "set-up": "Répondre",
    },
  },
  news: {
    saved: "Enregistré. Vous pouvez changer tout cela, et plus encore, dans les paramètres.",
    later: "Entendu. Vous retrouverez les questions au bas de cette page ; d’ici là, tout reste tel quel.",
  },
  more: "Plus",
  feedback: "Avis après le cours",
  setUp: "Premières questions",
};
