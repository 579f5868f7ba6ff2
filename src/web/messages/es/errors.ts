/** What people in courses are told when something is refused, by the code of the error; in English word for word what the error says. */
export const errors = {
  "alert-unknown": "Esta alerta ya no es del curso.",
  "anonymous-launch":
    "Su LMS no dijo quién es usted, así que el aula no puede dejarle entrar. Inicie sesión en su LMS con su cuenta y vuelva a abrir el enlace; si no sirve, pida a quien administra el LMS que comparta los id de usuario con esta herramienta.",
  "attempts-exhausted": "La tarea no permite más intentos en Canvas.",
  "bad-request": "No se pudo entender la solicitud. Vuelva atrás e inténtelo de nuevo.",
  "browser-unknown":
    "Su navegador no conservó la cookie que protege este acceso. Abra el enlace en una ventana nueva, o permita las cookies del aula, e inténtelo de nuevo.",
  "claim-lost": "Otro proceso está creando las columnas.",
  "client-id-missing":
    "Hay varios registros para este LMS y no indicó a cuál se refiere. Pida a quien administra el LMS que configure el client id de la herramienta.",
  "cohort-deleted": "Esta cohorte se eliminó en el aula. Elija otra.",
  "cohort-unknown": "Esta cohorte no se conoce aquí. Elija una de la lista.",
  "course-gone":
    "El LMS ya no conoce el libro de calificaciones de este curso: el curso terminó o se quitó. Si se abre de nuevo, las calificaciones se envían solas en el plazo de un día.",
  "not-applicable":
    "En Canvas esta tarea no es para esta persona: solo está asignada a otras. Asígnela a todos y vuelva a enviar la calificación.",
  "being-moderated":
    "La tarea se está moderando en Canvas y no acepta calificaciones hasta que se publiquen allí. Después vuelva a enviar la calificación.",
  "column-unpublished": "La tarea no está publicada en Canvas. Publíquela y vuelva a enviar la calificación.",
  "corrections-not-allowed":
    "Su función en este curso no incluye cambiar la asistencia ni la forma de calcular las calificaciones. Pregunte a un docente del curso o pida a su administrador que lo permita para su función.",
  "course-concluded":
    "El curso ha terminado en Canvas, así que su libro de calificaciones ya no acepta calificaciones.",
  "course-unknown": "Este curso ya no se conoce.",
  "deployment-refused":
    "La herramienta se instaló en un lugar que todavía no está autorizado. Pida a quien administra el LMS que lo acepte en la consola del aula.",
  "dialog-over":
    "Este cuadro de diálogo estuvo abierto demasiado tiempo. Ciérrelo y vuelva a elegir el contenido en su LMS.",
  "door-closed":
    "El aula no está abierta para usted en este momento. Vuelva a abrir el enlace de su curso para ver cuándo se abre.",
  "entry-unknown": "Este curso ya no se conoce. Vuelva a abrir el enlace en su LMS.",
  "feedback-empty": "Primero elija o escriba algo, o simplemente cierre esta página.",
  "feedback-not-taken":
    "No se pudo guardar su respuesta: esta clase no acepta respuestas desde aquí. No tiene que hacer nada.",
  "feedback-too-often":
    "Han llegado demasiadas respuestas desde aquí. Espere diez minutos y envíe la suya otra vez, o simplemente cierre esta página.",
  "foreign-form":
    "Este formulario no se envió desde una página del aula, así que no se ha cambiado nada. Abra de nuevo el enlace al aula en su curso y repita lo que quería hacer.",
  "grade-locked":
    "La columna o esta calificación está bloqueada en el libro de calificaciones de Moodle. Desbloquéela allí y vuelva a enviar la calificación.",
  "grades-not-allowed":
    "Su función en este curso no incluye ver la asistencia y las calificaciones. Pregunte a un docente del curso o pida a su administrador que lo permita para su función.",
  "grading-period-closed":
    "El período de calificación de esta columna está cerrado en Canvas, así que ya no acepta calificaciones. Quien administra el LMS puede volver a abrirlo.",
  "instructors-only": "Solo los docentes de este curso pueden hacer esto.",
  "invitation-expired":
    "Esta dirección de registro ha caducado. Pida una nueva a quien gestiona la herramienta del aula.",
  "invitation-missing":
    "A esta dirección le falta la invitación. Pida una dirección de registro a quien gestiona la herramienta del aula y péguela completa.",
  "invitation-used":
    "Ya se registró un LMS con esta dirección, que solo sirve una vez. Pida otra para registrar otro LMS.",
  "launch-expired": "Este acceso es demasiado antiguo o ya se utilizó. Vuelva a abrir el enlace de su curso.",
  "launch-incomplete":
    "Su LMS omitió algo que debe indicar al abrir el aula. Pida a quien lo administra que revise la configuración de la herramienta.",
  "launches-many":
    "En este momento muchísimas personas están abriendo el aula. Espere medio minuto y vuelva a abrir el enlace de su curso.",
  "launch-used": "Este acceso ya se utilizó. Vuelva a abrir el enlace de su curso.",
  "launch-without-course": "Este enlace se abrió fuera de un curso. Ábralo desde la página de un curso.",
  "learner-unknown": "Esta persona nunca ha estado en este curso.",
  "line-item-elsewhere":
    "El LMS da a la columna de calificación una dirección en otro servidor que el de su lista de columnas, por eso no se envía ninguna calificación allí. Pida a su administrador que el LMS use una sola dirección para sí mismo (detrás de un proxy, la que ven los navegadores). No se pierde nada: las calificaciones se enviarán después por sí solas.",
  "link-unknown":
    "Esta página no corresponde a ningún enlace de su curso. Vuelva a abrir el enlace de su curso.",
  "lms-busy": "El LMS nos ha pedido esperar.",
  "lms-closed":
    "El LMS está cerrado en este momento, probablemente por mantenimiento. Volvemos a mirar automáticamente.",
  "lms-failed": "El LMS ha fallado.",
  "lms-key-refused":
    "El LMS no acepta la clave de la herramienta en este momento. Lo intentamos de nuevo automáticamente; no se pierde nada. Si continúa, pregunte a quien lo administra si la herramienta está activada en el LMS, si el LMS puede leer las claves de la herramienta y si los relojes van bien.",
  "lms-list-broken": "Las páginas de una lista del LMS llevan en círculo o a otra dirección, o no terminan.",
  "lms-moved":
    "El LMS redirige a otra dirección. Puede que esté en mantenimiento; si se ha trasladado, hay que cambiar su dirección en el registro de la herramienta.",
  "lms-not-allowed":
    "El LMS no permite esto a la herramienta. Pida a quien lo administra que autorice este servicio para la herramienta.",
  "lms-not-found": "El LMS ya no conoce lo que se le pidió.",
  "lms-refused": "El LMS rechazó lo que se le pidió.",
  "lms-reply-unreadable": "El LMS respondió algo que no se puede leer.",
  "lms-token-refused":
    "El LMS rechazó un token de acceso. Pregunte a quien lo administra si la herramienta está activa, si puede usar estos servicios y si la dirección de las claves de la herramienta es correcta.",
  "lms-token-unavailable": "El LMS no da tokens de acceso en este momento.",
  "lms-unreachable": "El LMS no respondió.",
  "login-incomplete":
    "Su LMS omitió algo que debe enviar cuando se abre un enlace. Pida a quien lo administra que revise la configuración de la herramienta.",
  "members-only": "Solo las personas de este curso pueden ver sus sesiones.",
  "message-unsupported":
    "El aula no conoce este tipo de enlace. Pida a su docente que lo añada de nuevo como herramienta externa.",
  "no-grade-service":
    "El LMS no permite que esta herramienta escriba calificaciones en este curso. Pida a quien lo administra que permita la sincronización de calificaciones y la gestión de columnas para la herramienta, y después abra una vez el enlace del curso.",
  "no-grades": "Este curso no da calificaciones.",
  "no-return-address": "Su LMS no indicó a qué dirección volver. Cierre allí este cuadro de diálogo.",
  "nonce-used": "Este acceso ya se utilizó. Vuelva a abrir el enlace de su curso.",
  "not-a-launch": "Esta dirección la abre su LMS. Abra el aula desde el enlace de su curso.",
  "not-gradable":
    "El LMS no acepta una calificación para esta persona: no es (o ya no es) estudiante activo del curso, es docente en él, o el curso no está publicado.",
  "not-in-course":
    "Su LMS dice que usted ya no está en este curso. Si lo está, vuelva a abrir el enlace en su LMS.",
  "over-maximum":
    "El LMS no acepta calificaciones por encima del máximo de la columna. Haga que la regla de la calificación no dé más que eso, o permita puntos extra en la columna.",
  "person-unknown": "Esta persona ya no se conoce.",
  "platform-inactive":
    "Este LMS está desactivado en la herramienta del aula. Consulte a quien administra el LMS.",
  "platform-keys-unreachable":
    "Su LMS no entrega sus claves en este momento. Espere un minuto y vuelva a abrir el enlace.",
  "platform-launch-expired":
    "Su LMS dice que este acceso ya no es válido. Vuelva a cargar la página del curso y abra el enlace otra vez.",
  "platform-login-hidden":
    "Su LMS dice que usted no ha iniciado sesión. Es posible que su navegador oculte su sesión a una página que está dentro de otra: abra el enlace en una ventana nueva. Si no sirve, inicie sesión en su LMS y vuelva a abrir el enlace.",
  "platform-login-required":
    "Su LMS dice que usted no ha iniciado sesión. Inicie sesión en su LMS y vuelva a abrir el enlace.",
  "platform-refused":
    "Su LMS no quiso abrir el aula. Inténtelo de nuevo; si vuelve a ocurrir, avise a quien administra el LMS.",
  "platform-unknown":
    "Este LMS no está registrado en la herramienta del aula. Pida a quien lo administra que lo registre.",
  "recording-unavailable": "El aula no indica dónde está esta grabación. Entre en el Space y búsquela allí.",
  "recording-unknown": "Esta grabación ya no es del curso. Vuelva a las grabaciones.",
  "registration-unknown": "Este LMS ya no está registrado.",
  "request-malformed":
    "La solicitud no es como las que envía un LMS. Abra el aula desde el enlace de su curso.",
  "review-of-somebody-else": "Solo puede ver su propia asistencia. Abra el aula desde el enlace de su curso.",
  "roster-empty":
    "El LMS envió una lista de personas vacía, así que no se ha cambiado nada. Pregunte a quien lo administra si la herramienta puede ver quién está en el curso.",
  "roster-given-up":
    "No se pudo leer la lista tras muchos intentos. Vuelva a leerla; si no sirve, avise a quien gestiona esta herramienta.",
  "scope-not-granted":
    "El LMS no dio a la herramienta el derecho de hacer esto en el libro de calificaciones. Pida a quien lo administra que permita la sincronización de calificaciones y la gestión de columnas para la herramienta, y después abra una vez el enlace del curso.",
  "section-linked-already":
    "Mientras tanto, alguien vinculó esta sección a otra cohorte. Vuelva a mirar la página; si esa es incorrecta, desvincúlela primero.",
  "session-changed-meanwhile":
    "Otra persona está cambiando esta sesión. Ábrala de nuevo y vea cómo está ahora.",
  "signed-out": "Ha cerrado la sesión. Para volver, abra de nuevo el enlace al aula en su curso.",
  "role-changed":
    "Su plataforma indica que su rol en este curso ha cambiado. Abra de nuevo el enlace en su curso.",
  "launch-again":
    "Su plataforma tiene que indicar otra vez qué puede hacer usted en este curso. Abra de nuevo el enlace en su curso.",
  "ended-by-administrator":
    "Un administrador ha cerrado su sesión. Para volver, abra de nuevo el enlace al aula en su curso.",
  "too-many-sessions":
    "Ha abierto el aula demasiadas veces a la vez, así que se cerraron las páginas más antiguas. Abra de nuevo el enlace al aula en su curso.",
  "session-over": "Esta página es demasiado antigua. Vuelva a su curso y abra de nuevo el enlace al aula.",
  "set-by-institution":
    "Su institución ha fijado uno de estos valores para todos sus cursos, así que aquí no se puede cambiar. Abra de nuevo la página y cambie los demás.",
  "space-elsewhere":
    "El servicio del aula ha puesto el Space de este curso en una dirección a la que esta herramienta no envía a nadie. El Space se conserva y se abrirá en cuanto quien opera esta herramienta aclare su dirección; en el curso no hay que hacer nada más.",
  "space-id-unusable": "Este Space no tiene un id utilizable. Vuelva a elegir el Space del curso.",
  "space-id-taken":
    "El servicio de aulas dio a un Space nuevo el identificador de otro que ya existía. No se ha dejado entrar a nadie; avise a quien gestiona el servicio de aulas.",
  "own-spaces-only":
    "Su institución solo permite a los cursos usar Spaces creados para sus cursos; consulte a la administración de su LMS si su curso necesita otro.",
  "space-needs-approval":
    "Este Space no se creó para su curso, así que debe aprobarse antes de que el curso pueda usarlo. Su solicitud ha quedado registrada; decide la administración de su LMS o quien opera esta herramienta.",
  "space-list-refused":
    "El Space de este curso solo deja entrar a quienes están en su lista, y el aula no le ha añadido a ella. Pida a su docente que le invite en el aula o inténtelo más tarde.",
  "space-not-approved":
    "El Space configurado aquí no está aprobado para este curso o se ha cerrado. Un docente puede elegir otro en Ajustes, Space.",
  "space-not-own":
    "Su institución solo permite a los cursos usar Spaces creados para sus cursos, y el configurado aquí no lo es. Un docente puede dar al curso su propio Space en Ajustes, Space; la administración de su LMS puede decirle más.",
  "space-requests-full":
    "Hay tantas solicitudes de este curso pendientes de respuesta que no se aceptan más. Pida a la administración de su LMS que las responda.",
  "still-being-made": "Esto todavía se está preparando. Inténtelo de nuevo en un minuto.",
  "storage-busy": "Otro proceso está ocupando la base de datos: inténtelo de nuevo.",
  "storage-full": "El disco de la carpeta de la base de datos está lleno: libere espacio.",
  "survey-over":
    "Esta página es demasiado antigua para responder. No se ha guardado nada y no tiene que hacer nada.",
  "target-changed": "El enlace cambió mientras se abría. Vuelva a abrirlo en su curso.",
  "target-foreign":
    "Este enlace lleva a una dirección distinta de la de la herramienta del aula. Pida a su docente que lo añada de nuevo.",
  "token-algorithm":
    "Su LMS firmó el acceso de una forma que no es seguro aceptar. Pida a quien lo administra que elija RS256.",
  "token-audience":
    "El acceso era para otra herramienta. Pida a quien administra el LMS que revise el client id.",
  "token-expired": "Este acceso ha caducado. Vuelva a abrir el enlace de su curso.",
  "token-issuer":
    "El acceso menciona un LMS distinto de aquel en el que empezó. Vuelva a abrir el enlace de su curso.",
  "token-key-unknown":
    "El acceso se firmó con una clave que su LMS no publica. Pida a quien lo administra que revise la dirección del conjunto de claves de la herramienta.",
  "token-malformed":
    "Su LMS envió un mensaje que no se puede leer. Vuelva a abrir el enlace; si vuelve a ocurrir, avise a quien administra el LMS.",
  "token-nonce": "Este acceso no responde a la solicitud que se hizo. Vuelva a abrir el enlace de su curso.",
  "token-signature": "El acceso no lo firmó su LMS. Vuelva a abrir el enlace de su curso.",
  "token-times":
    "Las horas de este acceso no corresponden a la actual. Vuelva a abrir el enlace; si vuelve a ocurrir, es posible que el reloj de su LMS no esté en hora.",
  "too-many-requests":
    "Se han recibido demasiadas solicitudes desde su red en poco tiempo. Espere un momento e inténtelo de nuevo.",
  "user-matched-already":
    "Este usuario del aula ya es alguien aquí. Vuelva a abrir la lista para ver cómo está ahora.",
};
