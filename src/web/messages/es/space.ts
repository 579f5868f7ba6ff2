/** The page around a Space that is shown inside the LMS. */
export const space = {
  title: "{{course}}: aula en línea",
  frame: "Aula de {{course}}",
  again: "Entrando de nuevo al aula",
  tab: "Abrir en otra pestaña",
  hide: "Ocultar",
  full: { enter: "Pantalla completa", leave: "Salir de pantalla completa" },
  enter: {
    lead: "Se abre aquí, dentro de esta página.",
    why: {
      insecure:
        "Esta página no se abrió con una conexión segura (https), y los navegadores solo dan cámara y micrófono a las páginas seguras. El aula se abre en una pestaña nueva; avise a quien administra el LMS.",
      microphone:
        "Su LMS no permite usar el micrófono en esta página, así que el aula se abre en una pestaña nueva.",
      camera:
        "Su LMS no permite usar la cámara en esta página, así que el aula se abre en una pestaña nueva.",
      both: "Su LMS no permite usar la cámara ni el micrófono en esta página, así que el aula se abre en una pestaña nueva.",
    },
  },
  signs: {
    label: "Avisos del aula",
    opening: "El aula se está abriendo…",
    people: "Personas: {{number}}",
    recording: "Grabando",
    recordingStarted: "El aula se está grabando.",
    recordingStopped: "La grabación se ha detenido.",
    hand: "Mano levantada",
    steady: "Su conexión vuelve a ser estable.",
    unshared: "Para compartir su pantalla, abra una pestaña nueva.",
  },
  good: { microphone: "Su micrófono vuelve a funcionar.", camera: "Su cámara vuelve a funcionar." },
  notices: {
    tablet: "En teléfonos y tabletas, el aula se abre en una pestaña nueva.",
    insecure:
      "Esta página no se abrió con una conexión segura (https). Es posible que el aula quede en blanco; la cámara y el micrófono no funcionarán. Avise a quien administra el LMS.",
    silent:
      "El aula no ha comunicado que esté abierta. Si le dice que está en una sala de espera, alguien con el papel de anfitrión le dejará entrar; si le dice que es privada, pida a su docente que le invite. Si queda en blanco, quizá su navegador bloquee lo que el aula guarda dentro de otras páginas: ábrala en una pestaña nueva.",
    connection:
      "Su conexión es inestable. Es posible que no le oigan o vean bien; ayuda apagar la cámara o acercarse al wifi.",
    performance: "Su dispositivo está al límite. Cierre otros programas y pestañas, o apague la cámara.",
    microphone: {
      PERMISSION_DENIED:
        "Su navegador no permite que el aula use el micrófono. Permítalo a la izquierda de la barra de direcciones y vuelva a unirse a la llamada. Si no hay nada que permitir, abra el aula en una pestaña nueva.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Su dispositivo no permite que el navegador use el micrófono. Permítalo en los ajustes de privacidad del sistema y vuelva a unirse a la llamada.",
      NOT_FOUND: "No se encontró ningún micrófono. Conecte o encienda uno y elíjalo en el aula.",
      NO_INPUT_DETECTED:
        "Su micrófono está encendido, pero no se oye nada. Compruebe que no esté silenciado y que esté elegido el correcto.",
      GET_USER_MEDIA_TIMEOUT:
        "Su micrófono no responde. Cierre otros programas que lo usen, vuelva a conectarlo y únase otra vez a la llamada.",
      DEFAULT_ERROR:
        "Su micrófono no funciona. Cierre otros programas que lo usen, compruebe que esté conectado y únase otra vez a la llamada.",
    },
    camera: {
      PERMISSION_DENIED:
        "Su navegador no permite que el aula use la cámara. Permítalo a la izquierda de la barra de direcciones y vuelva a unirse a la llamada. Si no hay nada que permitir, abra el aula en una pestaña nueva.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Su dispositivo no permite que el navegador use la cámara. Permítalo en los ajustes de privacidad del sistema y vuelva a unirse a la llamada.",
      NOT_FOUND: "No se encontró ninguna cámara. Conecte o encienda una y elíjala en el aula.",
      NO_INPUT_DETECTED:
        "Su cámara está encendida, pero no hay imagen. Compruebe la tapa y el interruptor, y que esté elegida la correcta.",
      GET_USER_MEDIA_TIMEOUT:
        "Su cámara no responde. Cierre otros programas que la usen, vuelva a conectarla y únase otra vez a la llamada.",
      DEFAULT_ERROR:
        "Su cámara no funciona. Cierre otros programas que la usen, compruebe que esté conectada y únase otra vez a la llamada.",
    },
  },
  endings: {
    left: "Ha salido de la llamada.",
    "ended-by-other": "La llamada ha terminado.",
    "ended-by-me": "Ha terminado la llamada para todas las personas.",
  },
  end: {
    seconds: "Esta página se cierra en {{number}} s.",
    waits: "Esta página sigue abierta mientras usa el aula.",
    now: "Continuar",
    stay: "Quedarme aquí",
  },
  elsewhere: {
    lead: "El aula se ha abierto en una pestaña nueva.",
    back: "Volver a mostrarla aquí",
  },
};
