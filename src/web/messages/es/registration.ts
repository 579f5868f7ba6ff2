/** Registering the tool in an LMS. */
export const registration = {
  title: "Registrar la herramienta del aula",
  done: "La herramienta está registrada",
  doneText: "{{platform}} y esta herramienta ya se conocen.",
  next: {
    moodle:
      "En Moodle, la herramienta aparece como pendiente. Cierre esta ventana, elija allí «Activar» (Activate) y después muéstrela en el selector de actividades.",
    canvas:
      "Cierre esta ventana y termine en Canvas: revise lo que puede hacer la herramienta, habilítela y active su clave.",
    other: "Si su LMS muestra la herramienta como pendiente, actívela allí. Puede cerrar esta ventana.",
  },
  known: "Este LMS ya estaba registrado",
  knownText:
    "{{platform}} ha actualizado su propia configuración de la herramienta. De este lado no se ha cambiado nada: los cursos, las calificaciones y las direcciones siguen igual.",
  knownOff:
    "El registro está desactivado de este lado. Pida a quien gestiona la herramienta del aula que lo active; hasta entonces se rechazan los accesos.",
  hidden: "Moodle oculta la herramienta hasta que la muestre",
  hiddenText:
    "Cada registro y cada actualización quitan la herramienta del selector de actividades, y el profesorado no la encuentra.",
  withheld: "Aún no permitido",
  withheldText:
    "El LMS no deja que la herramienta haga todo aquello para lo que sirve. Permita esto en el LMS:",
  close: "Cerrar esta ventana",
  invitation: {
    lead: "Dé esta dirección a su LMS, y ambas partes sabrán todo lo que necesitan la una de la otra. Sirve una sola vez, hasta",
    staging: "Un LMS registrado con ella usa el entorno de pruebas (staging) del aula, para probar cosas.",
    address: "Dirección de registro",
    moodle: {
      heading: "En Moodle",
      open: "Abra Administración del sitio > Extensiones > Módulos de actividad > Herramienta externa > Gestionar herramientas (Manage tools).",
      paste:
        "Pegue la dirección de registro en la URL de la herramienta (Tool URL) y elija Add LTI Advantage.",
      activate:
        "Cuando la ventana se haya cerrado, elija «Activar» (Activate) en la tarjeta de la herramienta.",
      show: "Abra la configuración de la herramienta (el lápiz) y, en el uso de la configuración (Tool configuration usage), elija mostrarla en el selector de actividades y como herramienta preconfigurada.",
      network:
        "Moodle pide sus claves a esta herramienta. Si no puede llegar a su dirección (una red privada o un puerto distinto de 80 y 443), permítalo en Administración del sitio > General > Seguridad > Seguridad HTTP.",
    },
    canvas: {
      heading: "En Canvas",
      open: "Como administrador de la cuenta, abra Admin > Claves de desarrollador (Developer Keys) > + Clave de desarrollador > LTI Registration. En un Canvas más reciente: Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration.",
      paste: "Pegue la dirección de registro y continúe.",
      review: "Revise lo que pide la herramienta, deje activos todos los servicios y elija Enable & Close.",
      install:
        "Si la herramienta no aparece sola en los cursos: Configuración (Settings) > Aplicaciones (Apps) > + Aplicación (App), tipo de configuración «Por ID de cliente» (By Client ID), con el número de la clave. En un solo curso o una subcuenta, los mismos pasos la instalan solo allí.",
      json: "Donde no se ofrece el registro dinámico: + Clave de desarrollador > Clave LTI (LTI Key), método Enter URL, con esta dirección. Después indique a quien gestiona la herramienta del aula el número de la clave.",
      jsonAddress: "Configuración para Canvas",
    },
    other: {
      heading: "En otro LMS",
      open: "Busque las herramientas LTI 1.3 (LTI Advantage) y, allí, el registro dinámico o una URL de registro.",
      paste: "Pegue la dirección de registro, termine en la ventana que se abre y active la herramienta.",
      scopes: "Permita que la herramienta lea las personas del curso y escriba sus calificaciones.",
    },
    byHand: {
      heading: "A mano",
      text: "Donde un LMS no registra herramientas por sí mismo, escriba estos valores. Después, dé a quien gestiona la herramienta del aula lo que muestra el LMS: emisor (platform id), client id, deployment id y las direcciones de autenticación, de tokens de acceso y de claves públicas.",
      launch: "URL de la herramienta, enlace de destino y dirección de redirección",
      login: "Dirección de inicio de sesión (login initiation)",
      keys: "Dirección del conjunto de claves públicas",
      logo: "Icono",
      moodleParameters: "Parámetros personalizados, Moodle",
      otherParameters: "Parámetros personalizados, otros LMS",
      scopes: "Servicios (scopes)",
    },
    copy: "Copiar",
    copyWhat: "Copiar: {{what}}",
    copied: "Copiado: {{what}}",
    copiedShort: "Copiado",
    selected: "Seleccionado. Cópielo con Ctrl+C, o con ⌘C en un Mac.",
  },
  sameLms: {
    open: "El mismo LMS que en un registro anterior",
    heading: "¿Es el mismo LMS que en un registro anterior?",
    lead: "Cuando una herramienta se eliminó en un LMS y se registró de nuevo, tiene otro identificador de cliente y los cursos empiezan con Spaces nuevos. Diga qué registro anterior continúa este; sus cursos conservan sus Spaces, personas y calificaciones.",
    none: "No hay otro LMS registrado.",
    which: "Registro anterior",
    look: "Ver qué significa",
    plan: "Lo que ocurriría",
    reached:
      "A {{name}} se llega con el identificador de cliente {{fresh}} en lugar de {{earlier}}, que se rechaza a partir de entonces.",
    lastUsed: "Último uso del anterior",
    kept: "Cursos que conservan sus Spaces, personas y calificaciones; sus columnas se buscan de nuevo al abrirlos",
    moved: "Cursos abiertos desde entonces, que pasan con todo su contenido",
    replaced: "Cursos abiertos en ambos, sin nada en el nuevo: cuenta el anterior",
    conflicts: "Cursos en uso en ambos: cuenta el anterior, y lo que hay en el nuevo queda fuera de alcance",
    once: "Tarda unos segundos, en los que este registro está apagado, y no se puede deshacer.",
    confirm: "Son el mismo LMS",
  },
  audiences: {
    heading: "Tokens destinados también a otros",
    text: "Se rechaza un inicio cuyo token nombra a otro destinatario (audience) además de esta herramienta. Nombre a aquellos en quienes confía, uno por línea; normalmente no hay ninguno.",
    label: "Otros destinatarios de confianza, uno por línea",
    save: "Guardar",
    tooMuch: "Como máximo {{audiences}} líneas de {{characters}} caracteres cada una. No se guardó nada.",
  },
  family: {
    says: "El LMS se llama a sí mismo «{{product}}».",
    unknown: "Se sabrá por el primer inicio",
    contradiction:
      "Este LMS se trata como {{family}}, pero sus inicios dicen «{{product}}». Elija qué es: las notas y los cursos siguen las reglas de cada producto.",
    save: "Guardar el tipo de LMS",
    learn: "Lo que dice el propio LMS",
  },
};
