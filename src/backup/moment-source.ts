/** Where the bytes of a moment come from: the server, or its folder where that is on this machine. */

import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUP_READ_BYTES_MAX, type Backups, type KeptMoment } from '../store/backups.ts'
import type { Call } from '../store/call.ts'
import { type Moment, parseMoment } from '../store/kept-moment.ts'
import { isCode } from './safe-file.ts'

export interface MomentSource {
  readonly moment: Moment
  /** The folder of the moment, if this machine has it. */
  readonly folder: string | undefined
  /** Up to BACKUP_READ_BYTES_MAX bytes of a file; fewer than asked for only at its end. */
  read(file: string, offset: number, length: number): Promise<Buffer>
}

/** Throws HBaseErrors, and an Error for a list that this version cannot read. */
export async function openMoment(backups: Backups, kept: KeptMoment, call: Call): Promise<MomentSource> {
  const ask = (file: string, offset: number, length: number): Promise<Buffer> =>
    backups.readBackup(kept.id, file, offset, length, call)
  const moment = parseMoment((await wholeFile(ask, kept.list)).toString())
  const isHere = await hasMoment(kept.folder, kept.list, moment.id)
  if (!isHere) return { moment, folder: undefined, read: ask }
  return {
    moment,
    folder: kept.folder,
    read: (file, offset, length) => partOf(join(kept.folder, file), offset, length),
  }
}

async function wholeFile(
  read: (file: string, offset: number, length: number) => Promise<Buffer>,
  file: string,
): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let offset = 0; ; ) {
    const part = await read(file, offset, BACKUP_READ_BYTES_MAX)
    parts.push(part)
    offset += part.length
    if (part.length < BACKUP_READ_BYTES_MAX) return Buffer.concat(parts)
  }
}

/** Whether the folder of this machine is the server's, and not one of the same name. */
async function hasMoment(folder: string, list: string, id: string): Promise<boolean> {
  try {
    return parseMoment(await readFile(join(folder, list), 'utf8')).id === id
  } catch {
    return false
  }
}

/** Throws an Error where the server has removed the file. */
async function partOf(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error
    throw new Error(
      'the server has let go of its files: it was stopped. Run this again: what is copied stays',
      {
        cause: error,
      },
    )
  })
  try {
    const bytes = Buffer.allocUnsafeSlow(length)
    const { bytesRead } = await file.read(bytes, 0, length, offset)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
