/**
 * A folder of backups. Its files never change once they have their names, so that other programs may carry them away at any time:
 *
 *     DESTINATION/
 *       tidegate-backups                    says that the folder is one, and its format
 *       backups/20261130T034440Z            a backup: see backup-record.ts
 *       files/store/CLUSTER/NN/ID-BYTES     a store file, once for all backups that have it
 *       files/sum/AB/SHA256                 any other file, by its SHA-256
 *       files/copy/AB/SHA256                a manifest once more
 *       files/….part, ….part.note           a file that is being copied, and how much of it is on disk
 *       lock                                the process that works on it
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../model/error-reason.ts'
import { type Backup, decodeBackup, encodeBackup } from './backup-record.ts'
import { isCode, makeFolder, writeSafely } from './safe-file.ts'

/** The path of the second copy of a manifest, in a store's folder. */
export const MANIFEST_COPY = 'manifest.copy'

const MARK = 'tidegate-backups'
const MARK_TEXT = '{"format":1}\n'
const BACKUP_NAME = /^\d{8}T\d{6}Z(?:-\d+)?$/

/** Of names like these no operating system makes a path of another folder. */
const PLAIN_ID = /^[0-9A-Za-z-]{1,100}$/

export interface NamedBackup {
  readonly name: string
  readonly backup: Backup
}

export interface DamagedBackup {
  readonly name: string
  readonly path: string
  readonly reason: string
}

export interface Backups {
  /** The oldest first. */
  readonly sound: readonly NamedBackup[]
  readonly damaged: readonly DamagedBackup[]
}

export class Destination {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Throws an Error for a folder without backups, or with those of a newer version. */
  static async open(folder: string): Promise<Destination> {
    let text: string
    try {
      text = await readFile(join(folder, MARK), 'utf8')
    } catch (error) {
      if (!isCode(error, 'ENOENT') && !isCode(error, 'ENOTDIR')) throw error
      throw new Error(`${folder} has no backups: it has no file ${MARK}`, { cause: error })
    }
    if (text !== MARK_TEXT)
      throw new Error(
        `${join(folder, MARK)} is damaged, or a newer version of Tidegate has written ${folder}`,
      )
    return new Destination(folder)
  }

  /** Opens the folder, which is made where it is missing or empty. */
  static async openOrMake(folder: string): Promise<Destination> {
    await makeFolder(folder)
    const names = await readdir(folder)
    if (names.length === 0) await writeSafely(join(folder, MARK), MARK_TEXT)
    // A process that was killed here has left that.
    else if (names.length === 1 && names[0] === `${MARK}.new`)
      await writeSafely(join(folder, MARK), MARK_TEXT)
    else if (!names.includes(MARK))
      throw new Error(`${folder} has other files, and no backups: name an empty folder, or a new one`)
    return Destination.open(folder)
  }

  async backups(): Promise<Backups> {
    const sound: NamedBackup[] = []
    const damaged: DamagedBackup[] = []
    for (const name of (await namesIn(join(this.folder, 'backups'))).filter((each) =>
      BACKUP_NAME.test(each),
    )) {
      const path = this.pathOfBackup(name)
      try {
        sound.push({ name, backup: decodeBackup(await readFile(path, 'utf8')) })
      } catch (error) {
        damaged.push({ name, path, reason: reasonOf(error) })
      }
    }
    sound.sort((a, b) => a.backup.at - b.backup.at || (a.name < b.name ? -1 : 1))
    return { sound, damaged }
  }

  /** Gives the backup a name by its time. Resolves once it is on disk. */
  async add(backup: Backup): Promise<string> {
    const taken = new Set(await namesIn(join(this.folder, 'backups')))
    const first = nameOfTime(backup.at)
    let name = first
    for (let count = 2; taken.has(name); count++) name = `${first}-${count}`
    await writeSafely(this.pathOfBackup(name), encodeBackup(backup))
    return name
  }

  pathOfBackup(name: string): string {
    return join(this.folder, 'backups', name)
  }

  pathOf(content: string): string {
    return join(this.folder, 'files', ...content.split('/'))
  }

  /** All contents, also those of no backup. See isUnfinished. */
  async *contents(): AsyncGenerator<string> {
    for (const kind of ['store', 'sum', 'copy'])
      for await (const path of filesBelow(join(this.folder, 'files', kind), kind)) yield path
  }
}

/** Whether a content is a file that is, or was, being copied. */
export function isUnfinished(content: string): boolean {
  return /\.part(?:\.note(?:\.new)?)?$/.test(content)
}

/** The content of a store file: `id` is that of MomentFile. Undefined for an id of another form, as of another version. */
export function storeContent(clusterId: string, id: string, bytes: number): string | undefined {
  if (!PLAIN_ID.test(clusterId) || !PLAIN_ID.test(id)) return undefined
  const number = Number.parseInt(id, 10)
  const group = Number.isNaN(number) ? 'xx' : String(number % 100).padStart(2, '0')
  return `store/${clusterId}/${group}/${id}-${bytes}`
}

export function sumContent(sha256: string): string {
  return `sum/${sha256.slice(0, 2)}/${sha256}`
}

/** As sumContent, of the second copy of a manifest. */
export function copyContent(sha256: string): string {
  return `copy/${sha256.slice(0, 2)}/${sha256}`
}

function nameOfTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}

async function* filesBelow(folder: string, content: string): AsyncGenerator<string> {
  let entries
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  for (const entry of entries) {
    const path = `${content}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), path)
    else yield path
  }
}
