export const consoleValues = {
  heading: "Lo que el LMS debe saber",
  lead: {
    moodle:
      "En Moodle: Administración del sitio > Extensiones > Módulos de actividad > Herramienta externa > Gestionar herramientas > Configurar una herramienta manualmente (Configure a tool manually). Versión de LTI: LTI 1.3; tipo de clave pública: URL del conjunto de claves (Keyset URL). En Servicios, permita que la herramienta use las calificaciones y la lista de personas; en Privacidad, comparta nombres y correos electrónicos.",
    canvas:
      "En Canvas: Admin > Claves de desarrollador (Developer Keys) > + Clave de desarrollador > Clave LTI (LTI Key), método JWK: URL de JWK pública (Public JWK URL). Active los scopes de abajo y la propia clave.",
    other: "Donde su LMS pide una herramienta LTI 1.3:",
  },
  moodle: {
    launch:
      "URL de la herramienta (Tool URL), de redirección (Redirection URI) y de selección de contenido (Content Selection URL)",
    login: "URL de inicio de sesión (Initiate login URL)",
    keySet: "Conjunto de claves públicas (Public keyset)",
    custom: "Parámetros personalizados",
    scopes: "Servicios (scopes)",
  },
  canvas: {
    launch: "Target Link URI y Redirect URI",
    login: "OpenID Connect Initiation URL",
    keySet: "Public JWK URL",
    custom: "Campos personalizados",
    scopes: "Servicios de LTI Advantage (scopes)",
  },
  other: {
    launch:
      "Enlace de destino y dirección de redirección (Moodle: Tool URL, Redirection URI y Content Selection URL)",
    login:
      "Dirección de inicio de sesión (Moodle: Initiate login URL; Canvas: OpenID Connect Initiation URL)",
    keySet: "Dirección del conjunto de claves (Moodle: Public keyset; Canvas: Public JWK URL)",
    custom: "Parámetros personalizados, si el LMS los admite",
    scopes: "Servicios (scopes)",
  },
  canvasJson: "Canvas puede tomar todo esto por sí solo: elija el método Enter URL e indique esta dirección.",
  canvasJsonLabel: "Configuración para Canvas",
};
