/** The version of the timeline's tables, in a row of the table of start times. YARN: RollingLevelDBTimelineStore.checkVersion. */

import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire'
import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import type { Call } from '../../../store/call.ts'
import { FAMILY, STARTTIME, type TimelineTables } from './timeline-tables.ts'

export const VERSION_KEY: Buffer = Buffer.from('timeline-store-version')
const MAJOR = 1
const MINOR = 0

interface Version {
  readonly major: number
  readonly minor: number
}

/** Writes the version into new tables. Throws UNSUPPORTED for tables of another major version. */
export async function checkVersion(tables: TimelineTables, call: Call): Promise<void> {
  const [row] = await tables.get(STARTTIME, [VERSION_KEY], call)
  const { major, minor } = row === undefined ? { major: MAJOR, minor: -1 } : readVersion(row.value)
  if (major !== MAJOR) {
    const message = `the timeline's tables have version ${major}.${minor}, but this server supports ${MAJOR}.${MINOR}`
    throw new HBaseError('UNSUPPORTED', message)
  }
  if (minor === MINOR) return
  const batch = new MutationBatch(256).put(VERSION_KEY, FAMILY, EMPTY, encodeVersion())
  batch.endMutation()
  await tables.mutate(STARTTIME, batch, call)
}

/** Hadoop's VersionProto. */
function encodeVersion(): Buffer {
  return Buffer.from(new BinaryWriter().uint32(8).int32(MAJOR).uint32(16).int32(MINOR).finish())
}

function readVersion(bytes: Buffer): Version {
  let version: Version = { major: 0, minor: 0 }
  try {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag()
      if (field === 1) version = { ...version, major: reader.int32() }
      else if (field === 2) version = { ...version, minor: reader.int32() }
      else reader.skip(type)
    }
  } catch (cause) {
    throw new HBaseError('CORRUPTION', "the version of the timeline's tables cannot be read", { cause })
  }
  return version
}
