/** A path as one word of a shell, for commands that a user pastes. */
export function shellWord(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
