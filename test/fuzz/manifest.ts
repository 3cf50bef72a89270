/** The manifest as a start reads it: its records, and the catalog that they make. */

import { crc32c } from '@node-rs/crc32'
import { Catalog } from '../../adapters/native/manifest/catalog.ts'
import type { ManifestEdit, RegionRecord } from '../../adapters/native/manifest/manifest-edit.ts'
import { encodeRecord, MANIFEST_MAGIC, readManifest } from '../../adapters/native/manifest/manifest-file.ts'
import { EMPTY } from '../../src/model/bytes.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { CrashableFileSystem } from '../harness/simulation/crashable-file-system.ts'

const PATH = '/s/manifest'
const HEADER_BYTES = 8

const FILE = { number: 9, family: Buffer.from('f'), maxSequenceId: 40, from: Buffer.from('b') }
const REGION: RegionRecord = {
  number: 3,
  regionId: 1_700_000_000_000,
  startKey: EMPTY,
  endKey: EMPTY,
  flushedSequenceId: 7,
  files: [FILE],
}
const TABLE = {
  name: 'n:t',
  attributes: [['a', 'b']] as const,
  state: 'ENABLED',
  families: [{ name: Buffer.from('f'), attributes: [['VERSIONS', '3']] as const, sinceSequenceId: 0 }],
  regions: [REGION],
} as const
const SNAPSHOT = {
  name: 's',
  number: 11,
  table: TABLE,
  type: 'FLUSH',
  createdAt: 5,
  timeToLiveSeconds: 0,
} as const

const EDITS: readonly ManifestEdit[] = [
  { kind: 'generation', number: 2 },
  { kind: 'counters', nextNumber: 12, nextSequenceId: 2 ** 40 },
  { kind: 'cluster', id: '1b4e28ba-2fa1-11d2-883f-0016d3cca427' },
  { kind: 'logs', logs: [{ number: 4, bytes: 1000 }, { number: 5 }] },
  {
    kind: 'logs',
    logs: [],
    keeping: {
      from: 3,
      kept: [{ number: 4, bytes: 1000, first: 4, last: 9, at: 5 }],
      holds: [{ name: 'h', position: 5, keepBytesMax: 100, loss: 'x' }],
    },
  },
  { kind: 'discarded', files: [1, 2] },
  { kind: 'namespace', name: 'n', properties: [['k', 'v']] },
  { kind: 'table', table: TABLE },
  { kind: 'shown-table', table: { name: 'hbase:meta', attributes: [['a', 'b']], families: TABLE.families } },
  { kind: 'flush', region: 3, flushedSequenceId: 50, files: [{ ...FILE, number: 10 }] },
  { kind: 'flushes', regions: [{ region: 3, flushedSequenceId: 51, files: [{ ...FILE, number: 12 }] }] },
  { kind: 'compaction', region: 3, replaced: [9, 10], files: [{ ...FILE, number: 12 }] },
  { kind: 'snapshot', snapshot: SNAPSHOT },
  { kind: 'snapshot-gone', name: 's' },
  { kind: 'table-gone', name: 'n:t' },
  { kind: 'namespace-gone', name: 'n' },
]

/** Makes the checksums of the records right, as far as their lengths lead from one to the next. */
function seal(input: Buffer): Buffer {
  for (let at = MANIFEST_MAGIC.length; at + HEADER_BYTES <= input.length; ) {
    const end = at + HEADER_BYTES + input.readUInt32BE(at)
    if (end > input.length) break
    input.writeUInt32BE(crc32c(input.subarray(at + HEADER_BYTES, end)), at + 4)
    at = end
  }
  return input
}

export const manifest: FuzzTarget = {
  name: 'manifest',
  seeds: () =>
    EDITS.map((_, i) => Buffer.concat([MANIFEST_MAGIC, ...EDITS.slice(0, i + 1).map(encodeRecord)])),
  seal,
  run: (input) => {
    const files = new CrashableFileSystem()
    files.open(PATH, 'append').append([input])
    const content = readManifest(files, PATH)!
    const catalog = new Catalog()
    for (const edit of content.edits) catalog.apply(edit)
    return [content, catalog]
  },
}
