export const nav = {
  label: "صفحات هذا الفصل",
  home: "الفصل",
  sessions: "الجلسات",
  attendance: "الحضور",
  grades: "الدرجات",
  recordings: "التسجيلات",
  people: "الأشخاص",
  settings: "الإعدادات",
  mine: "حضوري",
};
