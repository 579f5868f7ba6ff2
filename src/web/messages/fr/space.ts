export const space = {
  title: "{{course}} : classe virtuelle",
  frame: "Classe virtuelle de {{course}}",
  again: "Nouvelle entrée dans la classe virtuelle",
  tab: "Ouvrir dans un nouvel onglet",
  hide: "Masquer",
  full: { enter: "Plein écran", leave: "Quitter le plein écran" },
  enter: {
    lead: "Elle s’ouvre ici, dans cette page.",
    why: {
      insecure:
        "Cette page n’a pas été ouverte par une connexion sécurisée (https), et les navigateurs ne donnent la caméra et le micro qu’aux pages sécurisées. La classe virtuelle s’ouvre donc dans un nouvel onglet ; prévenez votre administrateur.",
      microphone:
        "Votre plateforme ne donne pas le micro à cette page : la classe virtuelle s’ouvre donc dans un nouvel onglet.",
      camera:
        "Votre plateforme ne donne pas la caméra à cette page : la classe virtuelle s’ouvre donc dans un nouvel onglet.",
      both: "Votre plateforme ne donne ni la caméra ni le micro à cette page : la classe virtuelle s’ouvre donc dans un nouvel onglet.",
    },
  },
  signs: {
    label: "Ce que signale la classe virtuelle",
    opening: "La classe virtuelle s’ouvre…",
    people: "Personnes : {{number}}",
    recording: "Enregistrement",
    recordingStarted: "La classe virtuelle est en cours d’enregistrement.",
    recordingStopped: "L’enregistrement est arrêté.",
    hand: "Main levée",
    steady: "Votre connexion est de nouveau stable.",
    unshared: "Pour partager votre écran, ouvrez un nouvel onglet.",
  },
  good: {
    microphone: "Votre micro fonctionne de nouveau.",
    camera: "Votre caméra fonctionne de nouveau.",
  },
  notices: {
    tablet: "Sur téléphone et tablette, la classe virtuelle s’ouvre dans un nouvel onglet.",
    insecure:
      "Cette page n’a pas été ouverte par une connexion sécurisée (https). La classe virtuelle risque de rester vide, et la caméra et le micro ne fonctionneront pas. Prévenez votre administrateur.",
    silent:
      "La classe virtuelle n’a pas signalé son ouverture. Si elle indique que vous êtes dans une salle d’attente, un hôte vous fera entrer ; si elle indique qu’elle est privée, demandez à votre enseignant de vous inviter. Si elle reste vide, votre navigateur bloque peut-être ce qu’elle conserve dans d’autres pages : ouvrez-la dans un nouvel onglet.",
    connection:
      "Votre connexion est instable. Les autres vous entendent ou vous voient peut-être mal ; éteindre la caméra ou vous rapprocher du Wi-Fi peut aider.",
    performance:
      "Votre appareil est à la limite de ses capacités. Fermez d’autres programmes et onglets, ou éteignez la caméra.",
    microphone: {
      PERMISSION_DENIED:
        "Votre navigateur ne laisse pas la classe virtuelle utiliser votre micro. Autorisez-le à gauche de la barre d’adresse, puis rejoignez à nouveau l’appel. S’il n’y a rien à autoriser, ouvrez la classe virtuelle dans un nouvel onglet.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Votre appareil ne laisse pas le navigateur utiliser le micro. Autorisez-le dans les réglages de confidentialité du système, puis rejoignez à nouveau l’appel.",
      NOT_FOUND:
        "Aucun micro trouvé. Branchez-en un ou allumez-le, puis choisissez-le dans la classe virtuelle.",
      NO_INPUT_DETECTED:
        "Votre micro est allumé, mais aucun son n’en vient. Vérifiez qu’il n’est pas coupé et que le bon micro est choisi.",
      GET_USER_MEDIA_TIMEOUT:
        "Votre micro ne répond pas. Fermez les autres programmes qui l’utilisent, rebranchez-le, puis rejoignez à nouveau l’appel.",
      DEFAULT_ERROR:
        "Votre micro ne fonctionne pas. Fermez les autres programmes qui l’utilisent, vérifiez qu’il est branché, puis rejoignez à nouveau l’appel.",
    },
    camera: {
      PERMISSION_DENIED:
        "Votre navigateur ne laisse pas la classe virtuelle utiliser votre caméra. Autorisez-la à gauche de la barre d’adresse, puis rejoignez à nouveau l’appel. S’il n’y a rien à autoriser, ouvrez la classe virtuelle dans un nouvel onglet.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Votre appareil ne laisse pas le navigateur utiliser la caméra. Autorisez-le dans les réglages de confidentialité du système, puis rejoignez à nouveau l’appel.",
      NOT_FOUND:
        "Aucune caméra trouvée. Branchez-en une ou allumez-la, puis choisissez-la dans la classe virtuelle.",
      NO_INPUT_DETECTED:
        "Votre caméra est allumée, mais aucune image n’en vient. Vérifiez son cache et son interrupteur, et que la bonne caméra est choisie.",
      GET_USER_MEDIA_TIMEOUT:
        "Votre caméra ne répond pas. Fermez les autres programmes qui l’utilisent, rebranchez-la, puis rejoignez à nouveau l’appel.",
      DEFAULT_ERROR:
        "Votre caméra ne fonctionne pas. Fermez les autres programmes qui l’utilisent, vérifiez qu’elle est branchée, puis rejoignez à nouveau l’appel.",
    },
  },
  endings: {
    left: "Vous avez quitté l’appel.",
    "ended-by-other": "L’appel est terminé.",
    "ended-by-me": "Vous avez mis fin à l’appel pour tout le monde.",
  },
  end: {
    seconds: "Cette page se ferme dans {{number}} s.",
    waits: "Cette page reste ouverte tant que vous utilisez la classe virtuelle.",
    now: "Continuer",
    stay: "Rester ici",
  },
  elsewhere: {
    lead: "La classe virtuelle s’est ouverte dans un nouvel onglet.",
    back: "L’afficher à nouveau ici",
  },
};
