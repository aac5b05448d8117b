/** The version of IdeA, as people see it. */
export const VERSION = "0.3.0";
