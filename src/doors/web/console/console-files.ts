/** The files of the console in the package. Each is read at its first request, and then cached. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** File names without folders. */
const NAME = /^[a-z0-9-]+\.(html|js|css|svg)$/

export interface ConsoleFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  /** The ETag, with HTTP's quotation marks. */
  readonly tag: string
}

const known = new Map<string, ConsoleFile>()

/** Undefined where no such file exists. */
export async function consoleFile(folder: URL, name: string): Promise<ConsoleFile | undefined> {
  const type = TYPES[NAME.exec(name)?.[1] ?? '']
  if (type === undefined) return undefined
  const { href } = new URL(name, folder)
  const read = known.get(href)
  if (read !== undefined) return read
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = Uint8Array.from(await readFile(new URL(href)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const file = { bytes, type, tag }
  known.set(href, file)
  return file
}
