export const trouble = {
  "classroom-address-taken":
    "El aula no ha aceptado un segundo usuario para esta persona, quizá porque admite cada dirección de correo una sola vez. Avise a quien gestiona esta herramienta; se intentará de nuevo en la próxima entrada.",
  "classroom-busy": "El aula nos ha pedido ir más despacio. Inténtelo de nuevo en un minuto.",
  "classroom-key-unusable":
    "La clave de API del aula no se puede usar. Avise a quien gestiona esta herramienta.",
  "classroom-login-elsewhere":
    "El aula quiere enviar a las personas a una dirección que no es suya. Avise a quien gestiona esta herramienta.",
  "classroom-page-elsewhere":
    "La página siguiente de una lista no está en el servidor del aula, así que no se ha pedido. Avise a quien gestiona esta herramienta.",
  "classroom-refused":
    "El aula lo ha rechazado. Quien gestiona esta herramienta encontrará los detalles en su registro.",
  "classroom-reply-unreadable":
    "La respuesta del aula no se puede leer. Avise a quien gestiona esta herramienta.",
  "classroom-unauthorized":
    "El aula no ha aceptado la clave de API de esta herramienta. Avise a quien la gestiona.",
  "classroom-unreachable": "El aula no ha respondido. Inténtelo de nuevo en un minuto.",
  "classroom-wants-email":
    "Parece que el aula no admite a nadie sin dirección de correo, y el LMS no comunica la de esta persona. Quien administra esta herramienta puede hacer que el LMS comunique las direcciones o configurar una sustituta.",
  "classroom-user-shared":
    "El aula no distingue si esta persona entra como anfitriona o como participante. Avise a quien gestiona esta herramienta.",
  "environment-off": "Este entorno del aula no está configurado. Avise a quien gestiona esta herramienta.",
  "outcome-unknown": "El aula no ha respondido como debía y no se sabe si ha tenido efecto.",
  "throttle-store-unreachable":
    "No se puede acceder a la base de datos de esta herramienta, así que no se ha preguntado al aula.",
  unexpected: "Algo ha fallado por nuestra parte.",
};
