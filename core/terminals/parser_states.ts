/** The states of DEC's VT500 parser, numbered as xterm.js 6 numbers them. */
export const GROUND = 0;
export const ESCAPE = 1;
export const ESCAPE_INTERMEDIATE = 2;
export const CSI_ENTRY = 3;
export const CSI_PARAM = 4;
export const CSI_INTERMEDIATE = 5;
export const CSI_IGNORE = 6;
/** SOS, PM, APC */
export const IGNORED_STRING = 7;
export const OSC_STRING = 8;
export const DCS_ENTRY = 9;
export const DCS_PARAM = 10;
export const DCS_IGNORE = 11;
export const DCS_INTERMEDIATE = 12;
export const DCS_PASSTHROUGH = 13;
