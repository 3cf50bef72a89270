/**
 * The list of a family's store files that HBase's FILE tracker keeps beside them. What the list does not name, HBase does not
 * read: leftovers of flushes and compactions that were broken off, and files that a compaction has replaced.
 *
 *     list := length u32 | StoreFileList, protobuf | crc u32        CRC-32 of the protobuf
 *
 * HBase: StoreFileListFile.
 */

import { BinaryReader } from '@bufbuild/protobuf/wire'
import { HBaseError } from '../../../src/model/errors.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { crc32 } from '../../../src/wire/checksums/checksums.ts'
import type { FileSystem } from '../platform/file-system.ts'

const FOLDER = '.filelist'
/** HBase writes to the two by turns; the number is of the opening of the region. */
const LIST_NAME = /^f[12]\.(\d+)$/

/** Fields of StoreFileList, and of the messages in it. */
const TIMESTAMP = 1
const STORE_FILE = 2
const STORE_FILE_NAME = 1

interface FileList {
  readonly timestamp: bigint
  readonly names: ReadonlySet<string>
}

export function hasFileLists(fileSystem: FileSystem, directory: string): boolean {
  return fileSystem.exists(`${directory}/${FOLDER}`)
}

/** The names that count in the folder of a family; undefined where it has no list. Throws CORRUPTION for a damaged one. */
export function trackedFiles(fileSystem: FileSystem, directory: string): ReadonlySet<string> | undefined {
  const folder = `${directory}/${FOLDER}`
  const lists = fileSystem.list(folder).filter((name) => LIST_NAME.test(name))
  for (const number of new Set(lists.map(numberOf).toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)))) {
    const found = lists.filter((name) => numberOf(name) === number)
    const whole = found
      .map((name) => readList(fileSystem, `${folder}/${name}`))
      .filter((list) => list !== undefined)
    const [newest] = whole.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
    if (newest !== undefined) return newest.names
  }
  if (lists.length === 0) return undefined
  throw corruption(folder, 'no list in it is whole')
}

function numberOf(name: string): bigint {
  return BigInt(LIST_NAME.exec(name)![1]!)
}

/** Undefined for one that a crash has cut: HBase reads the other one then. */
function readList(fileSystem: FileSystem, path: string): FileList | undefined {
  const file = fileSystem.open(path, 'read')
  let bytes: Buffer
  try {
    bytes = Buffer.alloc(file.size())
    bytes = bytes.subarray(0, file.read(bytes, 0, bytes.length, 0))
  } finally {
    file.close()
  }
  const end = bytes.length < 4 ? Number.POSITIVE_INFINITY : 4 + bytes.readUInt32BE(0)
  if (bytes.length < end + 4) return undefined
  const message = bytes.subarray(4, end)
  if (crc32(message) !== bytes.readUInt32BE(end)) throw corruption(path, 'its checksum is wrong')
  try {
    return decode(message)
  } catch (cause) {
    throw corruption(path, messageOf(cause))
  }
}

function decode(message: Buffer): FileList {
  const reader = new BinaryReader(message)
  let timestamp = 0n
  const names = new Set<string>()
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    if (field === TIMESTAMP) timestamp = BigInt(reader.uint64())
    else if (field === STORE_FILE) names.add(nameIn(reader.bytes()))
    else reader.skip(type)
  }
  return { timestamp, names }
}

function nameIn(entry: Uint8Array): string {
  const reader = new BinaryReader(entry)
  let name = ''
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    if (field === STORE_FILE_NAME) name = reader.string()
    else reader.skip(type)
  }
  return name
}

function corruption(path: string, reason: string): HBaseError {
  const message = `the list of store files ${path} cannot be read: ${reason}. Without it the store cannot know which files count`
  return new HBaseError('CORRUPTION', message, { detail: { path } })
}
