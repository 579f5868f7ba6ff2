/** Pages that carry a launch through a browser that keeps no cookies. */
export const browser = {
  opening: "Abriendo el aula",
  moment: "Un momento, por favor.",
  elsewhere: {
    heading: "Abra el aula en una ventana nueva",
    lead: "Dentro de esta página, su navegador no guarda nada del aula y no podría reconocerle. En una ventana propia sí es posible.",
    button: "Abrir en una ventana nueva",
    opened: "El aula se ha abierto en una ventana nueva. Puede volver aquí y abrirla otra vez cuando quiera.",
    fetch: "Si eligió contenido en esa ventana, esta página lo recibe sola. Si no lo hace, continúe aquí.",
    fetchButton: "Continuar aquí",
  },
  byHand: {
    lead: "Esta página continúa sola donde se permiten los scripts. Su navegador no los permite, así que elija cómo seguir.",
    onward: "Continuar aquí",
    posted: "Su navegador no ejecuta scripts en esta página y, sin ellos, el aula no puede reconocerle.",
  },
  lost: {
    heading: "No se puede reconocer su navegador",
    lead: "Su navegador no conservó lo que protege este acceso frente a otras personas. Vuelva a su curso y abra el enlace en una ventana nueva, o permita las cookies del aula, e inténtelo de nuevo.",
  },
  admin: {
    summary: "Para quien administra el LMS: cómo abrir el aula sin esta página",
    window: "Haga que el LMS abra la herramienta en una ventana nueva:",
    moodle:
      "Moodle: en la configuración de la herramienta, elija «Nueva ventana» como contenedor de lanzamiento.",
    canvas: "Canvas: añada «windowTarget»: «_blank» a la ubicación (placement).",
    cookies:
      "O permita que los navegadores guarden cookies de {{host}} dentro de su LMS: no deben bloquearse para ese sitio las cookies particionadas ni las de terceros.",
  },
  reloaded:
    "Esta página no se puede volver a cargar por su dirección. Abra el aula desde el enlace de su curso; no se ha perdido nada.",
};
