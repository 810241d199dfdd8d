/** How the process that makes a logo ends where it makes none. */
export const NO_PICTURE = 2;
export const TOO_MANY_PIXELS = 3;
