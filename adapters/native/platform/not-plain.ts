/** The error codes for a folder, and for anything else that is no plain file. */
const CODES: readonly unknown[] = ['EISDIR', 'EFTYPE']

/** Whether a file could not be opened because something else has its name. */
export function isNotPlain(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.includes(error.code)
}
