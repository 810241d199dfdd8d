/** Exit code of the logo process when the input is no usable picture. */
export const NO_PICTURE = 2;
export const TOO_MANY_PIXELS = 3;
