/**
 * The part of a server in a pair of leader and standby, as it is kept in the folder of its store. The file is replaced as a whole, and synced.
 * PERSISTED: never rename.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isCode, writeSafely } from '../backup/safe-file.ts'
import { SerialQueue } from '../model/serial-queue.ts'
import type { KnownStandby, StandbyRole } from '../store/standby.ts'

/** In the folder of a store. */
export const RECORD_FILE = 'standby.json'
const FORMAT = 1

/** A table of a standby, as it last looked at the leader's. */
export interface TableNote {
  /** As of TableMark. */
  readonly mark: number
  /** The table has all changes up to this sequence id: they are not applied again. */
  readonly after: number
  /** Of each family, its name as base64: as of FamilyMark. */
  readonly families: Readonly<Record<string, number>>
  /** The reason why its cells are not the leader's; missing: they are. */
  readonly gap?: string
}

export interface StandbyRecord {
  readonly role: StandbyRole
  readonly epoch: number
  /** Names the hold on the leader's log. */
  readonly id: string
  /** Where the server is, or was, that this one follows, or that leads instead of it: HOST:PORT. */
  readonly leader?: string
  /** Of the leader's store. */
  readonly leaderClusterId?: string
  readonly position: number
  readonly asOf: number
  /** The reason why a standby cannot go on. */
  readonly loss?: string
  readonly tables: Readonly<Record<string, TableNote>>
  /** The standbys that have followed this server. */
  readonly standbys: readonly KnownStandby[]
  /** True: it was promoted, and leads though `--follow` may be stated still. */
  readonly isPromoted?: boolean
  /** Of a promoted server: its old leader has not stepped down for certain. */
  readonly supersedes?: string
}

export function newRecord(id: string): StandbyRecord {
  return { role: 'leader', epoch: 1, id, position: 0, asOf: 0, tables: {}, standbys: [] }
}

export class RecordFile {
  readonly #path: string
  readonly #queue = new SerialQueue()
  #record: StandbyRecord

  constructor(folder: string, record: StandbyRecord) {
    this.#path = join(folder, RECORD_FILE)
    this.#record = record
  }

  get record(): StandbyRecord {
    return this.#record
  }

  /** The record is as changed at once, and on disk once this resolves. Rejects with what the file system throws. */
  save(change: Partial<StandbyRecord>): Promise<void> {
    return this.replace({ ...this.#record, ...change })
  }

  /** The record is as changed once the disk has the change: until then, and where the disk fails, it is as before. */
  commit(changed: (record: StandbyRecord) => StandbyRecord): Promise<void> {
    return this.#queue.run(async () => {
      await this.#write(changed(this.#record))
      // Another save may have changed other fields meanwhile; its own write comes next.
      this.#record = changed(this.#record)
    })
  }

  /** As save; fields that the record lacks are gone. */
  replace(record: StandbyRecord): Promise<void> {
    this.#record = record
    return this.#queue.run(() => this.#write(this.#record))
  }

  #write(record: StandbyRecord): Promise<void> {
    return writeSafely(this.#path, `${JSON.stringify({ format: FORMAT, ...record })}\n`)
  }
}

/** Undefined where there is none. Throws an Error for a file that is none of these. */
export async function readRecord(folder: string): Promise<StandbyRecord | undefined> {
  const path = join(folder, RECORD_FILE)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined
    throw error
  }
  const value = parsed(text)
  if (value === undefined)
    throw new Error(`${path} does not say what this server was: its bytes have changed`)
  return value
}

function parsed(text: string): StandbyRecord | undefined {
  try {
    const { format, ...record } = JSON.parse(text) as StandbyRecord & { readonly format: number }
    const isRole = record.role === 'leader' || record.role === 'standby' || record.role === 'retired'
    const isWhole =
      typeof record.id === 'string' &&
      Number.isSafeInteger(record.epoch) &&
      Number.isSafeInteger(record.position) &&
      typeof record.tables === 'object' &&
      record.tables !== null &&
      Array.isArray(record.standbys)
    return format === FORMAT && isRole && isWhole ? record : undefined
  } catch {
    return undefined
  }
}

/** The name of a standby's hold on the log of its leader. */
export function holdOf(id: string): string {
  return `standby ${id}`
}
