import {
  type Attributes,
  blockSizeBytesOf,
  bloomTypeOf,
  type FamilyDescriptor,
} from '../../../src/model/descriptor.ts'
import { codecByName, NO_COMPRESSION } from './compression.ts'
import { encodingByName } from './encoding/encodings.ts'
import type { HFileWriterOptions } from './hfile-writer.ts'

/** The kind of job that writes a store file. */
export type FileOrigin = 'flush' | 'minor compaction' | 'major compaction'

/** Names of COMPRESSION that a family may state besides, the first one that is stated counts. */
const COMPRESSIONS: Readonly<Record<FileOrigin, readonly string[]>> = {
  flush: ['COMPRESSION'],
  'minor compaction': ['COMPRESSION_COMPACT_MINOR', 'COMPRESSION_COMPACT', 'COMPRESSION'],
  'major compaction': ['COMPRESSION_COMPACT_MAJOR', 'COMPRESSION_COMPACT', 'COMPRESSION'],
}

/** A family's settings for its store files. A codec that is not there any more, as on another machine, gives way to none. */
export function familyFileOptions(
  family: FamilyDescriptor,
  origin: FileOrigin,
): Pick<HFileWriterOptions, 'blockBytes' | 'bloomType' | 'codec' | 'encoding' | 'compressTags'> {
  const { attributes } = family
  return {
    blockBytes: blockSizeBytesOf(family),
    bloomType: bloomTypeOf(family),
    codec: codecByName(compressionOf(attributes, origin)) ?? NO_COMPRESSION,
    encoding: encodingByName(attributes.get('DATA_BLOCK_ENCODING') ?? 'NONE'),
    compressTags: (attributes.get('COMPRESS_TAGS') ?? 'true').toLowerCase() === 'true',
  }
}

function compressionOf(attributes: Attributes, origin: FileOrigin): string {
  for (const name of COMPRESSIONS[origin]) {
    const codec = attributes.get(name)
    if (codec !== undefined) return codec
  }
  return 'NONE'
}
