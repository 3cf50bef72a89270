/** The limit of open files, which `ulimit -n` states. */

import { readdirSync, readFileSync } from 'node:fs'

/** A start has some 120 files open at once, most of them modules; connections and store files need the rest. */
export const OPEN_FILES_MIN = 256

const HOW =
  'before the start (ulimit -n 65536; LimitNOFILE= of a systemd service), since each connection and each store file needs one'

/** Files that are open after a start, for systems that do not count them. */
const OPEN_FILES_USUAL = 64

/** The limit of this process; undefined where there is none, or where the system does not show it. */
export function openFilesMax(limits: () => string = limitsOfProcess): number | undefined {
  const text = limits()
  const limit = text === '' ? limitOfReport() : /^Max open files\s+(\d+)/m.exec(text)?.[1]
  return limit === undefined || Number.isNaN(Number(limit)) ? undefined : Number(limit)
}

/** Files and connections that this process has open. */
export function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return OPEN_FILES_USUAL
  }
}

/** The fault of this process's limit; undefined where there is none, or where /proc does not show the limit. */
export function openFilesFault(limits: () => string = limitsOfProcess): string | undefined {
  const text = limits()
  const limit = text === '' ? undefined : openFilesMax(() => text)
  return limit !== undefined && limit < OPEN_FILES_MIN
    ? `this process may open only ${limit} files: raise the limit to ${OPEN_FILES_MIN} or more ${HOW}`
    : undefined
}

/** The message for an error that the limit has caused; undefined for another error. */
export function openFilesRefusal(error: unknown, limits: () => string = limitsOfProcess): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'EMFILE') {
    const limit = openFilesMax(limits)
    const least = limit === undefined ? `to ${OPEN_FILES_MIN} or more` : `of ${limit} files`
    return `this process may not open as many files as it needs: raise the limit ${least} ${HOW}`
  }
  if (code === 'ENFILE')
    return 'the machine may not open more files: close other programs, or raise fs.file-max'
  return undefined
}

/** Other systems than Linux: Node knows the limit. A report takes some milliseconds. */
function limitOfReport(): string | number | undefined {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: string | number } }
  }
  return report.userLimits?.open_files?.soft
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
