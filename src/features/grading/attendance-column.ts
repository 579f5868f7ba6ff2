/** Key of the one column that the default policy fills. */
export const attendanceColumn = "attendance";
