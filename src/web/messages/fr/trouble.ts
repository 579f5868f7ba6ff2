export const trouble = {
  "classroom-address-taken":
    "La classe virtuelle a refusé un second utilisateur pour cette personne, peut-être parce qu’elle n’accepte chaque adresse e-mail qu’une fois. Prévenez la personne qui gère cet outil ; un nouvel essai a lieu à la prochaine entrée.",
  "classroom-busy": "La classe virtuelle nous a demandé de ralentir. Réessayez dans une minute.",
  "classroom-key-unusable":
    "La clé d’API de la classe virtuelle est inutilisable. Prévenez la personne qui gère cet outil.",
  "classroom-login-elsewhere":
    "La classe virtuelle veut envoyer les participants à une adresse qui n’est pas la sienne. Prévenez la personne qui gère cet outil.",
  "classroom-page-elsewhere":
    "La page suivante d’une liste ne se trouve pas sur le serveur de la classe virtuelle ; elle n’a pas été demandée. Prévenez la personne qui gère cet outil.",
  "classroom-refused":
    "La classe virtuelle l’a refusé. La personne qui gère cet outil trouvera les détails dans son journal.",
  "classroom-reply-unreadable":
    "La réponse de la classe virtuelle est illisible. Prévenez la personne qui gère cet outil.",
  "classroom-unauthorized":
    "La classe virtuelle n’a pas accepté la clé d’API de cet outil. Prévenez la personne qui le gère.",
  "classroom-unreachable": "La classe virtuelle n’a pas répondu. Réessayez dans une minute.",
  "classroom-wants-email":
    "La classe n’accepte apparemment personne sans adresse e-mail, et le LMS ne communique pas celle de cette personne. La personne qui gère cet outil peut faire transmettre les adresses par le LMS ou définir une adresse de remplacement.",
  "classroom-user-shared":
    "La classe virtuelle ne distingue pas si cette personne anime ou participe. Prévenez la personne qui gère cet outil.",
  "environment-off":
    "Cet environnement de la classe virtuelle n’est pas configuré. Prévenez la personne qui gère cet outil.",
  "outcome-unknown":
    "La classe virtuelle n’a pas répondu comme prévu, et on ne sait pas si la demande a eu un effet.",
  "throttle-store-unreachable":
    "La base de données de cet outil est inaccessible, la classe virtuelle n’a donc pas été interrogée.",
  unexpected: "Un problème est survenu de notre côté.",
};
