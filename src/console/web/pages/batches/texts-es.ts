import { counted } from "../../frame/texts/languages.ts";
import type { Fault } from "./mapping.ts";

export const es = {
  lead: "Un mensaje para muchas personas, desde un archivo CSV, a un ritmo que la red acepta.",
  make: "Nuevo envío",
  empty: "Todavía no hay envíos",
  emptyHint: "Elige un archivo CSV con números de teléfono, escribe el mensaje una vez y sigue aquí cada entrega.",
  noneFound: "Ningún envío con estos filtros",
  noPhones: "Añade primero un teléfono",
  noPhonesHint: "El envío sale por uno de los teléfonos de la cuenta.",
  name: "Nombre",
  nameHint: "Solo para tu equipo: quien recibe no lo ve.",
  draftKept: "El envío que empezaste sigue aquí.",
  startOver: "Empezar de cero",
  unnamed: (time: string) => `Envío del ${time}`,
  phone: "Teléfono",
  state: "Estado",
  progress: "Avance",
  made: "Creado",
  states: {
    all: "Todos",
    QUEUED: "En espera",
    RUNNING: "Enviando",
    COMPLETED: "Completado",
    FAILED: "Falló",
    CANCELLED: "Cancelado",
    paused: "En pausa",
    planned: "Programado",
    closed: "Fuera del horario",
    away: "Teléfono desconectado",
  },
  file: {
    title: "1. El archivo",
    hint: "Un archivo CSV o un libro de Excel (.xlsx) con una columna de números de teléfono. Las demás columnas son variables del mensaje.",
    choose: "Elegir un archivo CSV o un libro",
    drop: "o suéltalo aquí",
    other: "Elegir otro archivo",
    summary: (name: string, lines: string, encoding: string) => `${name}: ${lines}, ${encoding}`,
    lines: (count: number) => counted(count, { one: "línea", other: "líneas" }),
    sheet: (name: string) => `hoja ${name}`,
    sheetChoice: "Hoja",
    separator: "Separador",
    separators: { ",": "Coma", ";": "Punto y coma", "\t": "Tabulador", "|": "Barra vertical" },
    head: "La primera línea tiene los nombres de las columnas",
    country: "Código de país para los números que no lo tienen",
    countryHint: "Solo cifras, como 34 o 52. Vacío: cada número ya tiene el suyo.",
    columns: "Columnas",
    role: (column: string) => `Uso de la columna ${column}`,
    roles: { number: "Número de teléfono", variable: "Variable", unused: "No usar" },
    variable: (column: string) => `Nombre de la variable de la columna ${column}`,
    titles: (text: string) => `Encima de la tabla, y no recibe envío: ${text}`,
    openQuote: (line: string) =>
      `Las comillas de la línea ${line} no se cierran, y todo lo que sigue es una sola celda. Corrige el archivo y elígelo de nuevo.`,
    tooMany: (most: string) => `Un envío tiene como máximo ${most} destinatarios. Divide el archivo.`,
    empty: "El archivo no tiene líneas.",
    noNumbers: "Ninguna columna tiene números de teléfono. Elige la columna que los tiene.",
    unreadable: "No se pudo leer el archivo.",
    refused: {
      old: "Este archivo es de un formato antiguo, como .xls: guárdalo como .xlsx en la hoja de cálculo y elige ese archivo.",
      ods: "Este archivo es un libro de OpenDocument (.ods): guárdalo como .xlsx y elige ese archivo.",
      encrypted: "Una contraseña protege este libro: guárdalo sin ella y elige ese archivo.",
      archive:
        "Este archivo está comprimido, como un .zip o un libro de Numbers: expórtalo como .xlsx o CSV y elige ese archivo.",
      page: "Este archivo es una página o XML con otro nombre: ábrelo en la hoja de cálculo, guárdalo como .xlsx y elige ese archivo.",
      other:
        "Este archivo no es una tabla. Elige un CSV o un libro (.xlsx) que haya exportado una hoja de cálculo o una agenda.",
      large:
        "Este libro es demasiado grande: se leen 10 MB como máximo. Borra las imágenes y las otras hojas, o divídelo.",
      long: "Este libro es demasiado largo: una hoja puede tener 50.000 filas, y todas juntas 200.000. Divídelo.",
      broken: "No se pudo leer este libro. Guárdalo de nuevo como .xlsx o CSV y elige ese archivo.",
    },
  },
  faults: {
    good: (count: number) => counted(count, { one: "línea se puede enviar", other: "líneas se pueden enviar" }),
    all: "Todas las líneas se pueden enviar.",
    bad: (count: number) => counted(count, { one: "línea queda fuera", other: "líneas quedan fuera" }),
    list: "Líneas que quedan fuera",
    more: (count: string) => `y ${count} más: descárgalas para verlas todas`,
    download: "Descargar estas líneas",
    line: (line: string) => `Línea ${line}`,
    text(fault: Fault): string {
      switch (fault.is) {
        case "empty":
          return "no tiene número";
        case "number":
          return `«${fault.cell}» no es un número de teléfono`;
        case "several":
          return `«${fault.cell}» tiene más de un número: deja solo uno`;
        case "date":
          return `«${fault.cell}» es una fecha`;
        case "taxpayer":
          return `«${fault.cell}» es un CPF o CNPJ, no un número de teléfono`;
        case "unknown":
          return fault.country === ""
            ? `«${fault.cell}» no es un número de teléfono con código de país`
            : `«${fault.cell}» no es un número de +${fault.country}: revisa el código de área y las cifras. Los números de otros países empiezan con +`;
        case "unclear":
          return `«${fault.cell}» se puede leer como dos números: escríbelo con + y el código de país`;
        case "shortened":
          return `una hoja de cálculo acortó «${fault.cell}»: da a la columna formato de texto y expórtala de nuevo`;
        case "duplicate":
          return `«${fault.cell}» ya está en la línea ${fault.of}`;
        default:
          return `«${fault.cell}» no tiene valor para {{${fault.variable}}}`;
      }
    },
    reason: "Motivo",
  },
  message: {
    title: "2. El mensaje",
    kind: "Tipo de mensaje",
    text: "Texto",
    template: "Plantilla",
    write: "Texto del mensaje",
    writeHint: "*negrita*, _cursiva_, ~tachado~. Haz clic en una variable para insertarla.",
    insert: (name: string) => `Insertar la variable ${name}`,
    window: "Pasadas 24 horas desde el último mensaje de la persona, esta red solo entrega plantillas aprobadas.",
    unknown: (names: string, known: string) =>
      `El archivo no tiene columna para ${names}.${known === "" ? "" : ` Tiene: ${known}.`}`,
    chooseTemplate: "Plantilla",
    noTemplates: "Este teléfono todavía no tiene ninguna plantilla aprobada.",
    toTemplates: "Crear una plantilla",
    valueHint: "Un texto o una variable, como {{nombre}}",
    preview: "Vista previa",
    previewOf: (line: string) => `Vista previa de la línea ${line}`,
    before: "Línea anterior",
    after: "Línea siguiente",
  },
  send: {
    title: "3. El envío",
    pace: "Ritmo",
    paces: (perMinute: string) => `${perMinute} por minuto`,
    perHour: (count: string) => `${count} por hora`,
    when: "Inicio",
    respectHours: "Solo en el horario de atención",
    now: "Ahora",
    later: "A otra hora",
    at: "Hora de inicio",
    plan: (messages: string, span: string) => `${messages}, en unos ${span}.`,
    messages: (count: number) => counted(count, { one: "mensaje", other: "mensajes" }),
    ends: (time: string) => `Termina hacia ${time}.`,
    tryIt: "Simular",
    tried: (valid: string) => `El servidor lo comprobó: se enviarían ${valid}. No se envió nada.`,
    cost: (amount: string) => `Costaría unos ${amount} según la lista de precios de hoy.`,
    unrated: (messages: string) => `${messages} sin precio conocido no entran en la cuenta.`,
    forecast: {
      refused: "El servidor rechazaría este envío. No se envió nada.",
      latest: (time: string) =>
        `Si todos son nuevos para el teléfono, el límite diario de chats nuevos lo alarga hasta ${time}.`,
      country: (country: string, messages: string, amount: string) => `${country}: ${messages}, ${amount}`,
      reasons: {
        RECIPIENT_INVALID: (count: string) => `${count} sin un número utilizable.`,
        DUPLICATE_RECIPIENT: (count: string) => `${count} aparecen dos veces en el archivo.`,
        TEMPLATE_NOT_APPROVED: () => "La red no aprobó la plantilla.",
        ANSWER_WINDOW_CLOSED: (count: string) =>
          `${count} no escribieron hace poco: para ellos la red solo acepta una plantilla.`,
        RECIPIENT_OPTED_OUT: (count: string) => `${count} solo quieren respuestas, y no reciben el mensaje.`,
        DAY_LIMIT_REACHED: (count: string) => `El límite diario de mensajes del plan se excedería en ${count}.`,
        NEW_PEOPLE_LIMIT_REACHED: (count: string) =>
          `El límite de la red de personas nuevas en 24 horas se excedería en ${count}.`,
        BATCH_LIMIT_REACHED: () => "El teléfono ya tiene tres envíos en curso, que es el máximo.",
      },
    },
    ask: {
      title: "¿Empezar este envío?",
      planTitle: "¿Programar este envío?",
      to: "Para",
      people: (count: number) => counted(count, { one: "persona", other: "personas" }),
      from: "De",
      takes: "Duración",
      about: (span: string, end: string) => `unos ${span}, hasta cerca de ${end}`,
      starts: "Inicio",
      costs: "Costo",
      free: "Nada: esta red no cobra por mensaje",
      amount: (amount: string) => `unos ${amount} según la lista de precios de hoy`,
      banRisk:
        "WhatsApp puede bloquear un número que escribe a muchas personas que no lo conocen. Envía solo a quienes esperan este mensaje.",
      yes: (people: string) => `Enviar a ${people}`,
      planYes: (people: string) => `Programar para ${people}`,
    },
    start: "Empezar el envío",
    planIt: "Programar el envío",
    making: (done: string, all: string) => `Entregando ${done} de ${all} destinatarios al servidor`,
    undone: "No se pudieron entregar todos los destinatarios al servidor. El envío se canceló y no salió nada.",
    missing: {
      file: "Elige un archivo con al menos una línea correcta.",
      variable: "Corrige el mensaje: usa una variable que el archivo no tiene.",
      phone: "Elige un teléfono.",
      text: "Escribe el mensaje.",
      template: "Elige una plantilla y completa sus valores.",
      fallback: "Completa lo que envía el otro teléfono, o desactívalo.",
      time: "Elige una hora futura.",
    },
  },
  one: {
    pause: "Pausar",
    resume: "Reanudar",
    cancel: "Cancelar el envío",
    cancelTitle: "¿Cancelar este envío?",
    cancelText: (pending: string) =>
      `${pending} no salen, y este envío ya no podrá enviarlos. Lo que salió sigue enviado.`,
    cancelled: "El envío se canceló.",
    sent: "Enviados",
    failed: "Fallidos",
    pending: "En espera",
    cancelledCount: "Cancelados",
    rate: "Por minuto",
    end: "Fin previsto",
    started: "Empezó",
    ended: "Terminó",
    planned: "Empieza",
    opens: "Continúa",
    awayHint: (since: string) =>
      `El teléfono está desconectado desde ${since}. El envío sigue solo cuando vuelva, y falla pasadas 24 horas.`,
    toPhone: "Ver el teléfono",
    message: "Mensaje",
    recipients: "Destinatarios",
    recipient: "Destinatario",
    reason: "Motivo",
    values: "Valores",
    none: "Ningún destinatario en este estado",
    download: "Descargar en CSV",
    states: { PENDING: "En espera", QUEUED: "En camino", SENT: "Enviado", FAILED: "Falló", CANCELLED: "Cancelado" },
    arrived: { QUEUED: "En camino", SENT: "Enviado", DELIVERED: "Entregado", READ: "Leído", FAILED: "Falló" },
    progress: "Avance del envío",
  },
};
