/** What is said of a list of the classroom that was not read to its end. */
export const more = {
  read: "Leídos hasta ahora: {{read}}.",
  readOf: "Leídos hasta ahora: {{read}} de {{total}}.",
  goesOn: "El resto se está leyendo y llegará solo.",
  why: {
    bound: "La lista es demasiado larga para leerla de una vez.",
    failed: "Una parte de la lista no llegó. La lectura continúa sola desde ahí.",
    repeats:
      "El aula envía otra vez la misma parte en lugar de la siguiente. Avise a quien gestiona esta herramienta: las páginas de la lista se pueden nombrar en el archivo de dialecto.",
    elsewhere: "El aula remite para el resto a otro servidor, al que no se pregunta.",
    "no-way":
      "El aula no indica cómo obtener el resto. Avise a quien gestiona esta herramienta: las páginas de la lista se pueden nombrar en el archivo de dialecto.",
    fewer: "El aula anuncia más elementos de los que envía.",
  },
};
