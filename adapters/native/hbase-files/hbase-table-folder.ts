/** Files that HBase keeps in a table's folder beside its HFiles: the descriptor, and in each region's folder where the region begins. */

import { fromBinary } from '@bufbuild/protobuf'
import { sizeDelimitedPeek } from '@bufbuild/protobuf/wire'
import type { Attributes, FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { attributesFromMessage, familyFromMessage } from '../../../src/wire/rpc/family-from-message.ts'
import { RegionInfoSchema, type TableSchema, TableSchemaSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { stripMagic } from '../../../src/wire/rpc/protobuf-magic.ts'
import type { FileSystem } from '../platform/file-system.ts'

export interface HBaseTableFolder {
  readonly families: readonly FamilyDescriptor[]
  readonly attributes: Attributes
  /** Where regions begin, in any order; empty where no region's folder has them. */
  readonly startKeys: readonly Buffer[]
}

const DESCRIPTORS = '.tabledesc'
/** The first number grows with each alter. HBase: FSTableDescriptors. */
const DESCRIPTOR_NAME = /^\.tableinfo\.(\d+)(?:\.\d+)?$/
/** HBase's master sets them anew for each table. */
const TRACKER = 'hbase.store.file-tracker.impl'
const ATTRIBUTES_OF_MASTER = ['IS_META', TRACKER]

/** Undefined for a folder that has no descriptor of a table. Throws CORRUPTION for one that cannot be read. */
export function readHBaseTableFolder(fileSystem: FileSystem, path: string): HBaseTableFolder | undefined {
  const message = readDescriptor(fileSystem, path)
  if (message === undefined) return undefined
  const attributes = attributesFromMessage(message.attributes, message.configuration)
  for (const name of ATTRIBUTES_OF_MASTER) attributes.delete(name)
  return {
    families: message.columnFamilies.map(familyFromMessage),
    attributes,
    startKeys: startKeysIn(fileSystem, path),
  }
}

/**
 * Whether the files that count in a family's folder are those of its list. A table that is, or goes over to, another tracker than
 * FILE may have lists that HBase does not read. `path`: the table's folder, or one without a descriptor.
 */
export function usesFileLists(fileSystem: FileSystem, path: string, family: string): boolean {
  const message = readDescriptor(fileSystem, path)
  if (message === undefined) return true
  const ofFamily = message.columnFamilies
    .map(familyFromMessage)
    .find(({ name }) => name.toString() === family)
  const stated = ofFamily?.configuration?.get(TRACKER) ?? ofFamily?.attributes.get(TRACKER)
  const ofTable = attributesFromMessage(message.attributes, message.configuration).get(TRACKER)
  return (stated ?? ofTable ?? 'FILE').toUpperCase() === 'FILE'
}

function readDescriptor(fileSystem: FileSystem, path: string): TableSchema | undefined {
  const names = fileSystem.list(`${path}/${DESCRIPTORS}`).filter((name) => DESCRIPTOR_NAME.test(name))
  const [newest] = names.toSorted((a, b) => numberOf(b) - numberOf(a))
  if (newest === undefined) return undefined
  const descriptor = `${path}/${DESCRIPTORS}/${newest}`
  return decoded(fileSystem, descriptor, (bytes) => fromBinary(TableSchemaSchema, bytes))
}

function numberOf(name: string): number {
  return Number(DESCRIPTOR_NAME.exec(name)![1])
}

function startKeysIn(fileSystem: FileSystem, path: string): Buffer[] {
  return fileSystem.list(path).flatMap((region) => {
    const info = `${path}/${region}/.regioninfo`
    if (!fileSystem.exists(info)) return []
    const { startKey } = decoded(fileSystem, info, (bytes) => {
      const { size, offset } = sizeDelimitedPeek(bytes)
      if (size === null || offset === null) throw new Error('its length is missing')
      return fromBinary(RegionInfoSchema, bytes.subarray(offset, offset + size))
    })
    return [Buffer.from(startKey)]
  })
}

function decoded<T>(fileSystem: FileSystem, path: string, decode: (bytes: Buffer) => T): T {
  const file = fileSystem.open(path, 'read')
  try {
    const bytes = Buffer.alloc(file.size())
    return decode(stripMagic(bytes.subarray(0, file.read(bytes, 0, bytes.length, 0))))
  } catch (cause) {
    const message = `${path} cannot be read: ${messageOf(cause)}. Import the regions' folders instead, or create the table first`
    throw new HBaseError('CORRUPTION', message, { detail: { path }, cause })
  } finally {
    file.close()
  }
}
