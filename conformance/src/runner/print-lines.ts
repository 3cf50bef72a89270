/** Values over as few lines as a person can read. */

const LINE_LENGTH = 100

/** One line where that is short, else one line a part. */
export function bracketed(open: string, parts: readonly string[], close: string): string {
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= LINE_LENGTH && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')}`).join('\n')}\n${close}`
}
