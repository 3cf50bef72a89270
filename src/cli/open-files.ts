/** The limit of open files, which `ulimit -n` states. */

import { readFileSync } from 'node:fs'

/** A start has some 120 files open at once, most of them modules; connections and store files need the rest. */
export const OPEN_FILES_MIN = 256

const REMEDY = `raise the limit to ${OPEN_FILES_MIN} or more before the start (ulimit -n 65536; LimitNOFILE= of a systemd service), since each connection and each store file needs one`

/** What is wrong with this process's limit; undefined where nothing is, or where the system does not tell the limit. */
export function openFilesFault(limits: () => string = limitsOfProcess): string | undefined {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits())?.[1] ?? Number.NaN)
  return limit < OPEN_FILES_MIN ? `this process may open only ${limit} files: ${REMEDY}` : undefined
}

/** What to say of an error that the limit has caused; undefined for another error. */
export function openFilesRefusal(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'EMFILE') return `this process may not open as many files as it needs: ${REMEDY}`
  if (code === 'ENFILE')
    return 'the machine may not open more files: close other programs, or raise fs.file-max'
  return undefined
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
