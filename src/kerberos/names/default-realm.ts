/** The default realm of this machine: `default_realm` of krb5.conf, in the section libdefaults. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DEFAULT_PATH = '/etc/krb5.conf'
/** Files that include each other. */
const DEPTH_MAX = 8
/** Names of files that MIT's `includedir` reads. */
const INCLUDED_NAME = /^[A-Za-z0-9_-]+$|^[^.].*\.conf$/

/** Reads files; tests bring their own. Both throw where there is none. */
export interface ConfigFiles {
  read(path: string): string
  list(folder: string): readonly string[]
}

const SYSTEM_FILES: ConfigFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  list: (folder) => readdirSync(folder),
}

/** `paths`: files with colons between them, as in KRB5_CONFIG; the first realm counts. Undefined where no file names one. */
export function defaultRealm(
  paths: string = process.env['KRB5_CONFIG'] ?? DEFAULT_PATH,
  files: ConfigFiles = SYSTEM_FILES,
): string | undefined {
  for (const path of paths.split(':')) {
    const realm = realmIn(path, files, 0)
    if (realm !== undefined) return realm
  }
  return undefined
}

function realmIn(path: string, files: ConfigFiles, depth: number): string | undefined {
  let section = ''
  for (const line of linesOf(path, files)) {
    const [, included] = /^include\s+(.+)$/.exec(line) ?? []
    const [, folder] = /^includedir\s+(.+)$/.exec(line) ?? []
    const others = folder === undefined ? [included] : filesIn(folder, files)
    if (depth < DEPTH_MAX)
      for (const other of others) {
        const realm = other === undefined ? undefined : realmIn(other, files, depth + 1)
        if (realm !== undefined) return realm
      }
    section = /^\[([^\]]+)\]/.exec(line)?.[1] ?? section
    const [, realm] = /^default_realm\s*=\s*"?([^"\s]+)"?$/.exec(line) ?? []
    if (section === 'libdefaults' && realm !== undefined) return realm
  }
  return undefined
}

/** The lines without comments; none where the file cannot be read. */
function linesOf(path: string, files: ConfigFiles): readonly string[] {
  try {
    const lines = files.read(path).split(/\r?\n/)
    return lines.map((line) => line.trim()).filter((line) => !/^[#;]/.test(line))
  } catch {
    return []
  }
}

function filesIn(folder: string, files: ConfigFiles): readonly string[] {
  try {
    const names = files.list(folder).filter((name) => INCLUDED_NAME.test(name))
    return names.toSorted().map((name) => join(folder, name))
  } catch {
    return []
  }
}
