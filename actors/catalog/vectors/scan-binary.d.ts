/** Binary form of scan.wat, made by the build. */
export const SCAN: Uint8Array;
