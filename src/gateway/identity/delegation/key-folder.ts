/**
 * The keys of delegation tokens, as files of a folder: a file for each, `key-ID`, which is written once and never changed. Processes and threads share
 * the folder without a lock: the file system lets one of them alone make the key of an id. HBase: ZKSecretWatcher, by which servers share keys.
 */

import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface TokenKey {
  /** In the tokens that it signs. A later key has a greater id. */
  readonly id: number
  readonly clusterId: string
  /** Milliseconds since 1970. */
  readonly madeMs: number
  readonly secret: Buffer
}

/** PERSISTED: the names of the files, and their content: this object as JSON. */
const NAME = /^key-([1-9]\d{0,9})$/
const ID_MAX = 0x7fff_ffff
const FORMAT = 1
interface KeyFile {
  readonly format: number
  readonly cluster: string
  readonly made: number
  /** In base64. */
  readonly secret: string
}

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** As many as HmacSHA1 makes. HBase's keys have 8. */
const SECRET_BYTES = 20
const ATTEMPTS = 20

export class KeyFolder {
  readonly path: string
  /** Keys that were read, by id: their files do not change. */
  readonly #known = new Map<number, TokenKey>()
  readonly #troubles = new Map<number, unknown>()

  constructor(path: string) {
    this.path = path
  }

  /**
   * The keys of the cluster, in order of their ids. None where there is no folder yet. A file that cannot be read is no key, and a trouble. Rejects with
   * the file system's error where the folder cannot be read.
   */
  async keys(clusterId: string): Promise<readonly TokenKey[]> {
    const ids = await this.#ids()
    for (const id of this.#known.keys()) if (!ids.includes(id)) this.#known.delete(id)
    this.#troubles.clear()
    for (const id of ids) {
      if (this.#known.has(id)) continue
      const key = await this.#read(id)
      if (key !== undefined) this.#known.set(id, key)
    }
    return [...this.#known.values()].filter((key) => key.clusterId === clusterId).sort((a, b) => a.id - b.id)
  }

  /** Makes a key with the least id above all others, on disk. Rejects with the file system's error. */
  async add(clusterId: string, madeMs: number): Promise<TokenKey> {
    await mkdir(this.path, { recursive: true, mode: FOLDER_MODE })
    for (let attempt = 1; ; attempt++) {
      const id = 1 + Math.max(0, ...(await this.#ids()))
      if (id > ID_MAX) throw new Error(`${this.path} has a key with the greatest id that there is: remove it`)
      const key = { id, clusterId, madeMs, secret: randomBytes(SECRET_BYTES) }
      try {
        await this.#write(key)
        this.#known.set(id, key)
        return key
      } catch (error) {
        if (!isOf(error, 'EEXIST') || attempt === ATTEMPTS) throw error
      }
    }
  }

  /** Errors of the files that could not be read the last time, by the ids of their keys. */
  get troubles(): ReadonlyMap<number, unknown> {
    return this.#troubles
  }

  async remove(id: number): Promise<void> {
    this.#known.delete(id)
    await rm(this.#pathOf(id), { force: true })
  }

  #pathOf(id: number): string {
    return join(this.path, `key-${id}`)
  }

  async #ids(): Promise<number[]> {
    let names: readonly string[]
    try {
      names = await readdir(this.path)
    } catch (error) {
      if (isOf(error, 'ENOENT')) return []
      throw error
    }
    return names.map((name) => Number(NAME.exec(name)?.[1])).filter((id) => id <= ID_MAX)
  }

  /** Undefined for a file that is still being written, that was damaged, or that is gone. */
  async #read(id: number): Promise<TokenKey | undefined> {
    let text: string
    try {
      text = await readFile(this.#pathOf(id), 'utf8')
    } catch (error) {
      // One file that was made by another account must not take the tokens of all other keys with it.
      if (!isOf(error, 'ENOENT')) this.#troubles.set(id, error)
      return undefined
    }
    const file = parsed(text)
    if (file === undefined) return undefined
    return { id, clusterId: file.cluster, madeMs: file.made, secret: Buffer.from(file.secret, 'base64') }
  }

  async #write({ id, clusterId, madeMs, secret }: TokenKey): Promise<void> {
    const content: KeyFile = {
      format: FORMAT,
      cluster: clusterId,
      made: madeMs,
      secret: secret.toString('base64'),
    }
    const file = await open(this.#pathOf(id), 'wx', FILE_MODE)
    try {
      await file.writeFile(`${JSON.stringify(content)}\n`)
      await file.sync()
    } catch (error) {
      await rm(this.#pathOf(id), { force: true })
      throw error
    } finally {
      await file.close()
    }
    await syncFolder(this.path)
  }
}

/** After a loss of power no token must be there whose key is not. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function parsed(text: string): KeyFile | undefined {
  try {
    const file = JSON.parse(text) as Partial<Record<keyof KeyFile, unknown>> | null
    if (typeof file !== 'object' || file === null || file.format !== FORMAT) return undefined
    const { cluster, made, secret } = file
    const isWhole = typeof cluster === 'string' && typeof made === 'number' && typeof secret === 'string'
    if (!isWhole || Buffer.from(secret, 'base64').length !== SECRET_BYTES) return undefined
    return { format: FORMAT, cluster, made, secret }
  } catch {
    return undefined
  }
}

function isOf(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
