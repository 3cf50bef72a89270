/**
 * Writes a folder with the engine of an older commit, and packs it with what that engine reads of it: `node write.mjs DIST FILE`, where DIST
 * is the commit's own dist, and FILE zipped JSON. The store is not closed, so that some cells are in its log only.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

const [dist, packed] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'tidegate-older-'))
const load = (path) => import(pathToFileURL(resolve(dist, path)).href)
const { openNativeStore } = await load('adapters/native/open-native-store.js')
const { NODE_FILE_SYSTEM } = await load('adapters/native/platform/node-file-system.js')
const { familyDescriptor, tableDescriptor } = await load('src/model/descriptor.js')
const { MutationBatch } = await load('src/model/mutation.js')
const { ALL_VERSIONS, scan } = await load('src/model/query.js')
const { gathered } = await load('src/model/results.js')
const { cellsOf } = await load('src/model/cell-block.js')
const { parseTableName } = await load('src/model/table-name.js')
const { OWN_CALL } = await load('src/store/call.js')

let now = 1_700_000_000_000
const store = await openNativeStore({
  directory: folder,
  fileSystem: NODE_FILE_SYSTEM,
  clock: { now: () => now++ },
  random: () => 0.5,
  options: { wal: { logBytesMax: 500, syncEveryBytes: 200 } },
})
const { catalog, rows, upkeep } = store
const names = ['t', 'n:u', 'off'].map(parseTableName)
const [t, u, off] = names
const bytes = (text) => Buffer.from(text)
const flush = (table) => upkeep.flushes.flushTable(table, OWN_CALL)

async function change(table, ...changes) {
  const batch = new MutationBatch()
  for (const apply of changes) {
    apply(batch)
    batch.endMutation({ durability: 'FSYNC_WAL' })
  }
  await rows.mutate(table, batch, OWN_CALL)
}

const put = (row, family, value) => (batch) => batch.put(bytes(row), bytes(family), bytes('q'), bytes(value))

await catalog.createNamespace({ name: 'n', properties: new Map([['owner', 'somebody']]) }, OWN_CALL)
const families = [
  familyDescriptor('f', [
    ['VERSIONS', '3'],
    ['COMPRESSION', 'GZ'],
  ]),
  familyDescriptor('g', [
    ['BLOOMFILTER', 'ROWCOL'],
    ['DATA_BLOCK_ENCODING', 'FAST_DIFF'],
  ]),
]
await catalog.createTable(tableDescriptor(t, families), [bytes('m')], OWN_CALL)
await catalog.createTable(tableDescriptor(u, [familyDescriptor('f')]), [], OWN_CALL)
await catalog.createTable(tableDescriptor(off, [familyDescriptor('f')]), [], OWN_CALL)
for (const row of ['a', 'b', 'c', 'n', 'o']) {
  for (const family of ['f', 'g']) await change(t, put(row, family, `${row}1`))
}
await change(t, put('a', 'f', 'a2'), put('b', 'f', 'b2'))
await change(u, put('x', 'f', 'x1'))
await change(off, put('y', 'f', 'y1'))
await flush(t)
await flush(off)
await change(
  t,
  (batch) => batch.deleteRow(bytes('c')),
  (batch) => batch.deleteColumn(bytes('o'), bytes('g'), bytes('q')),
)
await change(t, put('a', 'f', 'a3'), put('d', 'g', 'd1'))
await catalog.disableTable(off, OWN_CALL)
if (upkeep.snapshots !== undefined) await upkeep.snapshots.createSnapshot('s', u, 'FLUSH', OWN_CALL)
if (upkeep.regions !== undefined) await upkeep.regions.splitTable(t, bytes('b'), OWN_CALL)
await change(t, put('a', 'f', 'a4'))
await change(t, put('z', 'f', 'z1'.repeat(20)))
await change(u, put('x', 'f', 'x2'), put('y', 'f', 'y1'))

// A split has its halves compacted; the files that they replace go later.
if (upkeep.compactions !== undefined)
  while ((await upkeep.compactions.compactionState(t, OWN_CALL)) !== 'NONE') await nextTurn()
await setTimeout(500)

const cells = []
for (const table of [t, u]) {
  const { id } = await rows.openScanner(table, scan({ maxVersions: ALL_VERSIONS }), OWN_CALL)
  for (let isOver = false; !isOver; ) {
    const limits = { rows: 100, bytes: 1 << 20, allowPartial: false }
    const { results, ended } = await store.handouts.next(id, limits, OWN_CALL)
    for (const { row, family, qualifier, timestamp, value } of cellsOf(gathered(results).cells))
      cells.push(`${String(table)} ${row} ${family}:${qualifier} ${timestamp} ${value}`)
    isOver = ended === 'scan'
  }
}
const paths = readdirSync(folder, { recursive: true })
  .filter((path) => statSync(join(folder, path)).isFile() && !path.startsWith('LOCK'))
  .sort()
const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'base64')]))
writeFileSync(packed, gzipSync(JSON.stringify({ cells, files }), { level: 9 }))
rmSync(folder, { recursive: true })
process.exit(0)
