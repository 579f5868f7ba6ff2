export const errors = {
  "alert-unknown": "Cette alerte ne fait plus partie du cours.",
  "anonymous-launch":
    "Votre plateforme n’a pas indiqué qui vous êtes : la classe virtuelle ne peut donc pas vous laisser entrer. Connectez-vous à la plateforme sous votre propre compte et ouvrez à nouveau le lien ; si cela ne suffit pas, demandez à votre administrateur de transmettre les identifiants des utilisateurs à cet outil.",
  "attempts-exhausted": "Le devoir n’autorise plus de tentative dans Canvas.",
  "bad-request": "La demande n’a pas pu être comprise. Revenez en arrière et réessayez.",
  "browser-unknown":
    "Votre navigateur n’a pas conservé le cookie qui protège cette ouverture. Ouvrez le lien dans une nouvelle fenêtre, ou autorisez les cookies pour la classe virtuelle, puis réessayez.",
  "claim-lost": "Les colonnes sont en cours de création par un autre processus.",
  "client-id-missing":
    "Plusieurs enregistrements existent pour cette plateforme, et elle n’a pas indiqué lequel est le bon. Demandez à votre administrateur de définir l’ID client de l’outil.",
  "cohort-deleted": "Cette cohorte a été supprimée dans la classe virtuelle. Choisissez-en une autre.",
  "cohort-unknown": "Cette cohorte n’est pas connue ici. Choisissez-en une dans la liste.",
  "course-gone":
    "Le LMS ne connaît plus le carnet de notes de ce cours : le cours est terminé ou a été supprimé. S’il est rouvert, les notes sont renvoyées d’elles-mêmes dans la journée.",
  "not-applicable":
    "Dans Canvas, ce devoir n’est pas pour cette personne : il n’est attribué qu’à d’autres. Attribuez-le à tous, puis renvoyez la note.",
  "being-moderated":
    "Le devoir est en cours de modération dans Canvas et n’accepte pas de notes avant leur publication. Renvoyez ensuite la note.",
  "column-unpublished": "Le devoir n’est pas publié dans Canvas. Publiez-le, puis renvoyez la note.",
  "corrections-not-allowed":
    "Votre rôle dans ce cours ne permet pas de modifier les présences ni le calcul des notes. Adressez-vous à un enseignant du cours, ou demandez à votre administrateur de l’autoriser pour votre rôle.",
  "course-concluded": "Le cours est terminé dans Canvas ; son carnet de notes n’accepte donc plus de notes.",
  "course-unknown": "Ce cours n’est plus connu.",
  "deployment-refused":
    "L’outil a été installé à un endroit que votre administrateur n’a pas encore autorisé. Demandez-lui de l’accepter dans la console de la classe virtuelle.",
  "dialog-over":
    "Cette fenêtre est restée ouverte trop longtemps. Fermez-la et choisissez à nouveau le contenu sur votre plateforme.",
  "door-closed":
    "La classe virtuelle ne vous est pas ouverte pour le moment. Ouvrez à nouveau le lien de votre cours pour voir quand elle ouvre.",
  "entry-unknown": "Ce cours n’est plus connu. Ouvrez à nouveau le lien sur votre plateforme.",
  "feedback-empty": "Choisissez ou écrivez d’abord quelque chose, ou fermez simplement cette page.",
  "feedback-not-taken":
    "Votre réponse n’a pas pu être conservée : ce cours n’accepte pas de réponses venant d’ici. Vous n’avez rien à faire.",
  "feedback-too-often":
    "Trop de réponses sont venues d’ici. Attendez dix minutes et renvoyez la vôtre, ou fermez simplement cette page.",
  "foreign-form":
    "Ce formulaire n’a pas été envoyé depuis une page de la classe virtuelle : rien n’a donc été modifié. Ouvrez à nouveau le lien de la classe virtuelle dans votre cours et recommencez.",
  "grade-locked":
    "La colonne ou cette note est verrouillée dans le carnet de notes de Moodle. Déverrouillez-la là-bas, puis renvoyez la note.",
  "grades-not-allowed":
    "Votre rôle dans ce cours ne permet pas de voir les présences et les notes. Adressez-vous à un enseignant du cours, ou demandez à votre administrateur de l’autoriser pour votre rôle.",
  "grading-period-closed":
    "La période de notation de cette colonne est close dans Canvas ; elle n’accepte donc plus de notes. Un administrateur peut la rouvrir.",
  "instructors-only": "Seuls les enseignants de ce cours peuvent faire cela.",
  "invitation-expired":
    "Cette adresse d’enregistrement a expiré. Demandez-en une nouvelle aux responsables de l’outil de classe virtuelle.",
  "invitation-missing":
    "Il manque l’invitation dans cette adresse. Demandez une adresse d’enregistrement aux responsables de l’outil de classe virtuelle et collez-la en entier.",
  "invitation-used":
    "Une plateforme a déjà été enregistrée avec cette adresse, qui ne sert qu’une fois. Demandez-en une nouvelle pour enregistrer une autre plateforme.",
  "launch-expired":
    "Cette ouverture est trop ancienne ou a déjà servi. Ouvrez à nouveau le lien de votre cours.",
  "launch-incomplete":
    "Votre plateforme a omis une indication nécessaire à l’ouverture. Demandez à votre administrateur de vérifier les réglages de l’outil.",
  "launches-many":
    "Un très grand nombre de personnes ouvrent la classe virtuelle en ce moment. Attendez une demi-minute et ouvrez à nouveau le lien de votre cours.",
  "launch-used": "Cette ouverture a déjà servi. Ouvrez à nouveau le lien de votre cours.",
  "launch-without-course":
    "Ce lien a été ouvert en dehors d’un cours. Ouvrez-le plutôt depuis la page d’un cours.",
  "learner-unknown": "Cette personne n’a jamais fait partie de ce cours.",
  "line-item-elsewhere":
    "La plateforme donne à la colonne de notes une adresse sur un autre serveur que celui de sa liste de colonnes ; aucune note n’y est donc envoyée. Demandez à votre administrateur que la plateforme n’utilise qu’une seule adresse pour elle-même (derrière un proxy, celle que voient les navigateurs). Rien n’est perdu : les notes seront ensuite envoyées d’elles-mêmes.",
  "link-unknown":
    "Cette page n’appartient à aucun lien de votre cours. Ouvrez à nouveau le lien de votre cours.",
  "lms-busy": "La plateforme nous a demandé d’attendre.",
  "lms-closed":
    "La plateforme est fermée pour le moment, sans doute pour maintenance. Nous réessayons automatiquement.",
  "lms-failed": "La plateforme a eu une défaillance.",
  "lms-key-refused":
    "La plateforme n’accepte pas la clé de l’outil pour le moment. Nous réessayons automatiquement ; rien n’est perdu. Si cela dure, demandez à votre administrateur si l’outil est activé sur la plateforme, si elle peut lire les clés de l’outil et si les horloges sont à l’heure.",
  "lms-list-broken":
    "Les pages d’une liste de la plateforme tournent en rond, mènent à une autre adresse ou ne finissent pas.",
  "lms-moved":
    "La plateforme redirige vers une autre adresse. Elle est peut-être en maintenance ; si elle a déménagé, son adresse doit être modifiée dans l’enregistrement de l’outil.",
  "lms-not-allowed":
    "La plateforme ne le permet pas à l’outil. Demandez à votre administrateur d’autoriser ce service pour l’outil.",
  "lms-not-found": "La plateforme ne connaît plus ce qui lui a été demandé.",
  "lms-refused": "La plateforme a refusé ce qui lui a été demandé.",
  "lms-reply-unreadable": "La plateforme a donné une réponse illisible.",
  "lms-token-refused":
    "La plateforme a refusé un jeton d’accès. Demandez à votre administrateur si l’outil est actif, s’il peut utiliser ces services et si l’adresse des clés de l’outil est juste.",
  "lms-token-unavailable": "La plateforme ne donne pas de jeton d’accès pour le moment.",
  "lms-unreachable": "La plateforme n’a pas répondu.",
  "login-incomplete":
    "Votre plateforme a omis une indication qu’elle doit envoyer à l’ouverture d’un lien. Demandez à votre administrateur de vérifier les réglages de l’outil.",
  "members-only": "Seules les personnes de ce cours peuvent voir ses séances.",
  "message-unsupported":
    "La classe virtuelle ne connaît pas ce type de lien. Demandez à votre enseignant de l’ajouter à nouveau comme outil externe.",
  "no-grade-service":
    "La plateforme ne permet pas à cet outil d’inscrire des notes dans ce cours. Demandez à votre administrateur d’autoriser la synchronisation des notes et la gestion des colonnes pour l’outil, puis ouvrez une fois le lien du cours.",
  "no-grades": "Ce cours ne donne pas de notes.",
  "no-return-address": "Votre plateforme n’a pas indiqué d’adresse de retour. Fermez-y cette fenêtre.",
  "nonce-used": "Cette ouverture a déjà servi. Ouvrez à nouveau le lien de votre cours.",
  "not-a-launch":
    "C’est votre plateforme qui ouvre cette adresse. Ouvrez la classe virtuelle par le lien de votre cours.",
  "not-gradable":
    "La plateforme n’accepte pas de note pour cette personne : elle n’est pas (ou plus) inscrite au cours comme étudiant actif, ou elle y enseigne, ou le cours n’est pas publié.",
  "not-in-course":
    "Votre plateforme indique que vous ne faites plus partie de ce cours. Si vous en faites partie, ouvrez à nouveau le lien sur la plateforme.",
  "over-maximum":
    "La plateforme n’accepte pas de note au-dessus du maximum de la colonne. Faites en sorte que la règle de notation ne donne pas plus, ou autorisez des points supplémentaires pour la colonne.",
  "person-unknown": "Cette personne n’est plus connue.",
  "platform-inactive":
    "Cette plateforme est désactivée dans l’outil de classe virtuelle. Adressez-vous à votre administrateur.",
  "platform-keys-unreachable":
    "Votre plateforme ne communique pas ses clés pour le moment. Attendez une minute et ouvrez à nouveau le lien.",
  "platform-launch-expired":
    "Votre plateforme indique que cette ouverture n’est plus valable. Rechargez la page du cours et ouvrez à nouveau le lien.",
  "platform-login-hidden":
    "Votre plateforme indique que vous n’êtes pas connecté. Votre navigateur cache peut-être votre connexion à une page affichée dans une autre : ouvrez le lien dans une nouvelle fenêtre. Si cela ne suffit pas, connectez-vous à la plateforme et ouvrez à nouveau le lien.",
  "platform-login-required":
    "Votre plateforme indique que vous n’êtes pas connecté. Connectez-vous à la plateforme et ouvrez à nouveau le lien.",
  "platform-refused":
    "Votre plateforme a refusé d’ouvrir la classe virtuelle. Réessayez ; si cela se reproduit, prévenez votre administrateur.",
  "platform-unknown":
    "Cette plateforme n’est pas enregistrée dans l’outil de classe virtuelle. Demandez à votre administrateur de l’enregistrer.",
  "recording-unavailable":
    "La classe virtuelle n’indique pas où se trouve cet enregistrement. Entrez dans le Space et cherchez-le là.",
  "recording-unknown": "Cet enregistrement ne fait plus partie du cours. Retournez aux enregistrements.",
  "registration-unknown": "Cette plateforme n’est plus enregistrée.",
  "request-malformed":
    "Cette demande n’est pas de celles qu’envoie une plateforme. Ouvrez la classe virtuelle par le lien de votre cours.",
  "review-of-somebody-else":
    "Vous ne pouvez voir que vos propres présences. Ouvrez la classe virtuelle par le lien de votre cours.",
  "roster-empty":
    "La plateforme a envoyé une liste de participants vide : rien n’a donc été modifié. Demandez à votre administrateur si l’outil peut voir qui est dans le cours.",
  "roster-given-up":
    "La liste n’a pas pu être lue malgré de nombreux essais. Relisez-la ; si cela ne suffit pas, prévenez les responsables de cet outil.",
  "scope-not-granted":
    "La plateforme n’a pas donné à l’outil le droit de faire cela dans le carnet de notes. Demandez à votre administrateur d’autoriser la synchronisation des notes et la gestion des colonnes pour l’outil, puis ouvrez une fois le lien du cours.",
  "section-linked-already":
    "Quelqu’un a lié cette section à une autre cohorte entre-temps. Regardez la page à nouveau ; si ce lien est erroné, retirez-le d’abord.",
  "session-changed-meanwhile":
    "Quelqu’un d’autre est en train de modifier cette séance. Ouvrez-la à nouveau et regardez où elle en est.",
  "signed-out":
    "Vous vous êtes déconnecté. Pour revenir, ouvrez à nouveau le lien de la classe virtuelle dans votre cours.",
  "role-changed":
    "Votre plateforme indique que votre rôle dans ce cours a changé. Ouvrez à nouveau le lien dans votre cours.",
  "launch-again":
    "Votre plateforme doit indiquer une nouvelle fois ce que vous pouvez faire dans ce cours. Ouvrez à nouveau le lien dans votre cours.",
  "ended-by-administrator":
    "Un administrateur vous a déconnecté. Pour revenir, ouvrez à nouveau le lien de la classe virtuelle dans votre cours.",
  "too-many-sessions":
    "Vous avez ouvert la classe virtuelle trop souvent à la fois : les pages les plus anciennes ont donc été fermées. Ouvrez à nouveau le lien de la classe virtuelle dans votre cours.",
  "session-over":
    "Cette page est trop ancienne. Retournez dans votre cours et ouvrez à nouveau le lien de la classe virtuelle.",
  "set-by-institution":
    "Votre établissement a fixé une de ces valeurs pour tous ses cours : elle ne peut donc pas être modifiée ici. Ouvrez à nouveau la page et modifiez les autres.",
  "space-elsewhere":
    "Le service de classe a placé le Space de ce cours à une adresse vers laquelle cet outil n’envoie personne. Le Space est conservé et s’ouvrira dès que l’exploitant de cet outil aura réglé son adresse ; il n’y a rien d’autre à faire dans le cours.",
  "space-id-unusable":
    "L’identifiant de ce Space n’est pas utilisable. Choisissez à nouveau le Space du cours.",
  "space-id-taken":
    "Le service de classe virtuelle a donné à un nouveau Space l’identifiant d’un Space existant. Personne n’a été admis ; prévenez l’exploitant du service.",
  "own-spaces-only":
    "Votre établissement ne permet aux cours d’utiliser que des Spaces créés pour ses cours ; adressez-vous à l’administration de votre LMS si votre cours a besoin d’un autre.",
  "space-needs-approval":
    "Ce Space n’a pas été créé pour votre cours ; il doit donc être approuvé avant que le cours puisse l’utiliser. Votre demande est enregistrée ; l’administration de votre LMS ou l’exploitant de cet outil décidera.",
  "space-list-refused":
    "Le Space de ce cours ne laisse entrer que les personnes inscrites sur sa liste, et la classe virtuelle ne vous y a pas ajouté. Demandez à votre enseignant de vous inviter dans la classe virtuelle, ou réessayez plus tard.",
  "space-not-approved":
    "Le Space défini ici n’est pas approuvé pour ce cours, ou a été fermé. Un enseignant peut en choisir un autre sous Paramètres, Space.",
  "space-not-own":
    "Votre établissement ne permet aux cours d’utiliser que des Spaces créés pour ses cours, et celui défini ici n’en est pas un. Un enseignant peut donner au cours son propre Space sous Paramètres, Space ; l’administration de votre LMS peut en dire plus.",
  "space-requests-full":
    "Tant de demandes de ce cours attendent une réponse qu’aucune autre n’est acceptée. Demandez à l’administration de votre LMS d’y répondre.",
  "still-being-made": "La préparation est encore en cours. Veuillez réessayer dans une minute.",
  "storage-busy": "Un autre processus occupe la base de données : réessayez.",
  "storage-full": "Le disque qui contient le dossier de la base de données est plein : libérez de l’espace.",
  "survey-over":
    "Cette page est trop ancienne pour qu’on puisse y répondre. Rien n’a été conservé, et vous n’avez rien à faire.",
  "target-changed": "Le lien a changé pendant son ouverture. Ouvrez-le à nouveau dans votre cours.",
  "target-foreign":
    "Ce lien mène à une autre adresse que celle de l’outil de classe virtuelle. Demandez à votre enseignant d’ajouter à nouveau le lien.",
  "token-algorithm":
    "Votre plateforme a signé l’ouverture d’une façon qui n’est pas sûre. Demandez à votre administrateur de choisir RS256.",
  "token-audience":
    "L’ouverture était destinée à un autre outil. Demandez à votre administrateur de vérifier l’ID client.",
  "token-expired": "Cette ouverture a expiré. Ouvrez à nouveau le lien de votre cours.",
  "token-issuer":
    "L’ouverture indique une autre plateforme que celle d’où elle est partie. Ouvrez à nouveau le lien de votre cours.",
  "token-key-unknown":
    "L’ouverture a été signée avec une clé que votre plateforme ne publie pas. Demandez à votre administrateur de vérifier l’adresse du jeu de clés de l’outil.",
  "token-malformed":
    "Votre plateforme a envoyé un message illisible. Ouvrez à nouveau le lien ; si cela se reproduit, prévenez votre administrateur.",
  "token-nonce":
    "Cette ouverture ne répond pas à la demande qui a été faite. Ouvrez à nouveau le lien de votre cours.",
  "token-signature":
    "L’ouverture n’a pas été signée par votre plateforme. Ouvrez à nouveau le lien de votre cours.",
  "token-times":
    "Les heures de cette ouverture ne correspondent pas à l’heure actuelle. Ouvrez à nouveau le lien ; si cela se reproduit, l’horloge de votre plateforme est peut-être mal réglée.",
  "too-many-requests":
    "Trop de demandes sont venues de votre réseau en peu de temps. Attendez un instant et réessayez.",
  "user-matched-already":
    "Cet utilisateur de la classe virtuelle est déjà associé à quelqu’un ici. Ouvrez à nouveau la liste pour voir la situation actuelle.",
};
