import { statSync } from 'node:fs'

/** A text that changes whenever one of the files does, also when a link points to another file: Kubernetes replaces secrets so. */
export function fileStates(paths: readonly string[]): string {
  return paths.map(stateOf).join(' ')
}

function stateOf(path: string): string {
  try {
    // A file that gets another owner changes in its ctime alone.
    const { ino, size, mtimeMs, ctimeMs } = statSync(path)
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`
  } catch {
    return 'unreadable'
  }
}
