export const signOut = {
  button: "Cerrar sesión",
  title: "Sesión cerrada - {{course}}",
  heading: "Ha cerrado la sesión",
  what: "Esta página y todas las que abrió desde ella están cerradas.",
  everywhere: "Todas sus páginas de este curso están cerradas, en todos los navegadores.",
  back: "Para volver, abra el enlace al aula en su curso.",
  others_one: "Ha abierto esta aula una vez más y allí la sesión sigue abierta.",
  others_many: "Ha abierto esta aula {{number}} veces más y allí la sesión sigue abierta.",
  others_other: "Ha abierto esta aula {{number}} veces más y allí la sesión sigue abierta.",
  endOthers: "Cerrar la sesión también allí",
};
