import { expect, test } from 'vitest'
import { type FileOrigin, familyFileOptions } from '../../../../adapters/native/hfile/family-file-options.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'

function codecs(attributes: Readonly<Record<string, string>>): (string | undefined)[] {
  const family = familyDescriptor('f', Object.entries(attributes))
  const origins: FileOrigin[] = ['flush', 'minor compaction', 'major compaction']
  return origins.map((origin) => familyFileOptions(family, origin).codec?.name)
}

test('compactions have codecs of their own, or that of all compactions, or that of flushes', () => {
  expect(codecs({})).toEqual(['NONE', 'NONE', 'NONE'])
  expect(codecs({ COMPRESSION: 'snappy' })).toEqual(['SNAPPY', 'SNAPPY', 'SNAPPY'])
  expect(codecs({ COMPRESSION: 'LZ4', COMPRESSION_COMPACT: 'GZ' })).toEqual(['LZ4', 'GZ', 'GZ'])
  expect(codecs({ COMPRESSION_COMPACT: 'GZ', COMPRESSION_COMPACT_MAJOR: 'ZSTD' })).toEqual([
    'NONE',
    'GZ',
    'ZSTD',
  ])
  expect(codecs({ COMPRESSION_COMPACT: 'GZ', COMPRESSION_COMPACT_MINOR: 'LZ4' })).toEqual([
    'NONE',
    'LZ4',
    'GZ',
  ])
})

test('an encoding, and its dictionary of tags', () => {
  const family = familyDescriptor('f', [
    ['DATA_BLOCK_ENCODING', 'fast_diff'],
    ['COMPRESS_TAGS', 'false'],
    ['BLOCKSIZE', '4096'],
  ])
  const { encoding, compressTags, blockBytes } = familyFileOptions(family, 'flush')
  expect([encoding?.name, compressTags, blockBytes]).toEqual(['FAST_DIFF', false, 4096])
  const odd = familyDescriptor('f', [['COMPRESS_TAGS', 'no']])
  expect(familyFileOptions(odd, 'flush').compressTags).toBe(false)
  const usual = familyFileOptions(familyDescriptor('f'), 'flush')
  expect([usual.encoding, usual.compressTags]).toEqual([undefined, true])
})
