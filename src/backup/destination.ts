/**
 * A folder of backups. Its files never change once they have their names, so that other programs may carry them away at any time:
 *
 *     DESTINATION/
 *       tidegate-backups                    says that the folder is one, and its format
 *       backups/20261130T034440Z            a backup: see backup-record.ts; with .copy once more
 *       files/store/CLUSTER/NN/ID-BYTES     a store file, once for all backups that have it
 *       files/sum/AB/SHA256                 any other file, by its SHA-256
 *       files/copy/AB/SHA256                a manifest once more
 *       files/….part, ….part.note           a file that is being copied, and how much of it is on disk
 *       logs/CLUSTER/STRETCH/…              archived logs: see archive/archived-logs.ts
 *       lock                                the process that works on it
 */

import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from '../model/error-reason.ts'
import { type Backup, decodeBackup, encodeBackup } from './backup-record.ts'
import {
  isCode,
  isFile,
  makeFolder,
  NO_FILE,
  namesIn,
  sizeOf,
  sizeOfFile,
  syncFolder,
  writeSafely,
} from './safe-file.ts'
import { timeName } from './times.ts'

/** The path of the second copy of a manifest, in a store's folder. */
export const MANIFEST_COPY = 'manifest.copy'

const MARK = 'tidegate-backups'
const MARK_TEXT = '{"format":1}\n'
/** Ends the name of the copy of a backup's text. */
const COPY = /\.copy$/
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
  /** The texts that cannot be read, and the mark where it is damaged. */
  readonly damaged: readonly DamagedBackup[]
  /** The backups among them of which the copy cannot be read either. */
  readonly lost: readonly DamagedBackup[]
}

export class Destination {
  readonly folder: string
  /** Undefined, or the reason why nothing may be written to the folder: its mark is damaged, or of a newer version. */
  readonly fault: DamagedBackup | undefined

  /** Absent: the folder had its mark before. */
  #fresh: { readonly firstMade: string | undefined } | undefined

  private constructor(folder: string, fault: DamagedBackup | undefined) {
    this.folder = folder
    this.fault = fault
  }

  /** Throws an Error for a folder without backups. */
  static async open(folder: string): Promise<Destination> {
    const path = join(folder, MARK)
    const reason = await faultOfMark(path)
    if (reason === undefined) return new Destination(folder, undefined)
    if ((await sizeOf(folder)) === undefined)
      throw new Error(`the folder ${folder} is not there: is its disk mounted?`)
    if ((await namesIn(join(folder, 'backups'))).length === 0)
      throw new Error(`${folder} has no backups: its file ${MARK} is missing, or another one`)
    // Each backup has its own format and checksum.
    return new Destination(folder, { name: MARK, path, reason })
  }

  /** Opens the folder for a new backup. It is made where it is missing or empty. */
  static async openOrMake(folder: string): Promise<Destination> {
    if ((await sizeOf(folder)) !== undefined && (await isFolderBehind(folder)) !== true)
      throw new Error(`${folder} is a file: name a folder`)
    await checkIsOutsideStores(folder)
    const firstMade = await makeFolder(folder)
    const names = await readdir(folder)
    // A process that was killed here has left a draft.
    const isFresh = names.every((name) => name === `${MARK}.new`)
    if (isFresh) await writeSafely(join(folder, MARK), MARK_TEXT)
    else if (!names.includes(MARK) && !names.includes('backups'))
      throw new Error(`${folder} has other files, and no backups: name an empty folder, or a new one`)
    const destination = await Destination.open(folder)
    destination.checkIsSound()
    if (isFresh) destination.#fresh = { firstMade }
    return destination
  }

  /** Leaves no trace of a folder that openOrMake has begun and nothing was put into. Without a lock on it. */
  async removeUnused(): Promise<void> {
    if (this.#fresh === undefined) return
    const names = await namesIn(this.folder)
    if (names.length !== 1 || names[0] !== MARK) return
    await rm(join(this.folder, MARK))
    const { firstMade } = this.#fresh
    if (firstMade === undefined) return
    for (let at = this.folder; ; at = dirname(at)) {
      await rmdir(at)
      if (at === firstMade || dirname(at) === at) return
    }
  }

  /** Throws an Error where nothing may be written to the folder. */
  checkIsSound(): void {
    if (this.fault === undefined) return
    const { path, reason } = this.fault
    throw new Error(
      `${path}: ${reason}. To go on with this folder put a file there with the line ${MARK_TEXT.trim()}`,
    )
  }

  async backups(): Promise<Backups> {
    const sound: NamedBackup[] = []
    const damaged: DamagedBackup[] = this.fault === undefined ? [] : [this.fault]
    const names = (await namesIn(join(this.folder, 'backups'))).map((name) => name.replace(COPY, ''))
    for (const name of new Set(names.filter((each) => BACKUP_NAME.test(each)))) {
      for (const path of [this.pathOfBackup(name), this.#pathOfCopy(name)]) {
        try {
          sound.push({ name, backup: decodeBackup(await textOf(path)) })
          break
        } catch (error) {
          // Backups of the first version have no copy.
          if (path === this.pathOfBackup(name) || !isCode(error, 'ENOENT'))
            damaged.push({ name, path, reason: reasonOf(error) })
        }
      }
    }
    sound.sort((a, b) => a.backup.at - b.backup.at || (a.name < b.name ? -1 : 1))
    const lost = damaged.filter(({ name }) => name !== MARK && sound.every((each) => each.name !== name))
    return { sound, damaged, lost }
  }

  /** Gives the backup a name by its time. Resolves once it is on disk, with a copy: its files say nothing without it. */
  async add(backup: Backup): Promise<string> {
    const taken = new Set(await namesIn(join(this.folder, 'backups')))
    const first = timeName(backup.at)
    let name = first
    for (let count = 2; taken.has(name); count++) name = `${first}-${count}`
    const text = encodeBackup(backup)
    // A crash in between leaves a backup without a copy, which is no damage.
    await writeSafely(this.pathOfBackup(name), text)
    await writeSafely(this.#pathOfCopy(name), text)
    return name
  }

  /** Removes the text of a backup, and its copy. */
  async remove(name: string): Promise<void> {
    await rm(this.#pathOfCopy(name), { force: true })
    await rm(this.pathOfBackup(name), { force: true })
    await syncFolder(join(this.folder, 'backups'))
  }

  pathOfBackup(name: string): string {
    return join(this.folder, 'backups', name)
  }

  #pathOfCopy(name: string): string {
    return `${this.pathOfBackup(name)}.copy`
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
    const place = join(folder, entry.name)
    // An operator may have moved a folder to another disk, and left a link.
    const isFolder = entry.isSymbolicLink() ? await isFolderBehind(place) : entry.isDirectory()
    if (isFolder) yield* filesBelow(place, path)
    else if (isFolder === false) yield path
  }
}

/** Undefined for a link that leads nowhere. */
async function isFolderBehind(path: string): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function faultOfMark(path: string): Promise<string | undefined> {
  try {
    if (!(await isFile(path))) return NO_FILE
    const isMark = (await readFile(path, 'utf8')) === MARK_TEXT
    return isMark ? undefined : 'it is damaged, or of a newer version of Tidegate'
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return 'it is missing'
    throw error
  }
}

async function textOf(path: string): Promise<string> {
  await sizeOfFile(path)
  return readFile(path, 'utf8')
}

/** Throws an Error for a folder of a store, and for one below it: the server removes files there that it does not know. */
async function checkIsOutsideStores(folder: string): Promise<void> {
  for (let at = folder; ; at = dirname(at)) {
    if (
      (await sizeOf(join(at, 'manifest'))) !== undefined &&
      (await sizeOf(join(at, 'manifest.copy'))) !== undefined
    )
      throw new Error(`${folder} is in the folder of a store, ${at}: name one outside of it`)
    if (dirname(at) === at) return
  }
}
