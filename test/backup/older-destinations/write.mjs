// Writes a destination of backups as this commit does, for later ones to restore: `node test/backup/older-destinations/write.mjs`, once dist/ is built.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const { openNativeStore } = await import('../../../dist/adapters/native/open-native-store.js')
const { NODE_FILE_SYSTEM } = await import('../../../dist/adapters/native/platform/node-file-system.js')
const { NODE_CLOCK } = await import('../../../dist/adapters/native/platform/node-clock.js')
const { createBackup } = await import('../../../dist/src/backup/create-backup.js')
const { Destination } = await import('../../../dist/src/backup/destination.js')
const { stretchName } = await import('../../../dist/src/backup/archive/archived-logs.js')
const { StretchWriter } = await import('../../../dist/src/backup/archive/stretch-writer.js')
const { familyDescriptor, tableDescriptor } = await import('../../../dist/src/model/descriptor.js')
const { MutationBatch } = await import('../../../dist/src/model/mutation.js')
const { OWN_CALL } = await import('../../../dist/src/store/call.js')

const folder = mkdtempSync(join(tmpdir(), 'tidegate-older-'))
try {
  const files = { fileSystem: NODE_FILE_SYSTEM, clock: NODE_CLOCK, random: Math.random }
  const store = await openNativeStore({ directory: join(folder, 'store'), ...files })
  await store.catalog.createTable(tableDescriptor('t', [familyDescriptor('f')]), [Buffer.from('m')], OWN_CALL)
  const destination = await Destination.openOrMake(join(folder, 'dest'))
  const own = store.upkeep.backups
  const backups = {
    beginBackup: async (call) => ({ ...(await own.beginBackup(call)), folder: '/none' }),
    readBackup: (...args) => own.readBackup(...args),
    endBackup: (...args) => own.endBackup(...args),
  }
  const parts = {
    backups,
    server: 'rpc:h:1',
    destination,
    call: OWN_CALL,
    take: async () => undefined,
    report: () => undefined,
    now: () => 0,
    atEnd: (work) => work,
  }
  const streams = store.upkeep.logStreams
  const follower = await streams.followLog(1 << 20, OWN_CALL)
  const put = async (row) => {
    const batch = new MutationBatch()
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
    await store.rows.mutate('t', batch, OWN_CALL)
  }
  for (const row of ['a', 'z']) {
    await put(row)
    await createBackup(parts)
  }
  // A row that only the archived log has.
  await put('later')
  const name = stretchName(Date.now(), 'older')
  const writer = new StretchWriter(destination.folder, { clusterId: await store.clusterId(), stretch: name })
  await writer.add((await streams.readLog(follower, OWN_CALL)).entries)
  await writer.reached(Date.now())
  await store.close()
  const paths = readdirSync(join(folder, 'dest'), { recursive: true }).filter((path) =>
    statSync(join(folder, 'dest', path)).isFile(),
  )
  const written = Object.fromEntries(
    paths.sort().map((path) => [path, readFileSync(join(folder, 'dest', path)).toString('base64')]),
  )
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
  const file = `${new Date().toISOString().slice(0, 10)}.${commit}.json.gz`
  writeFileSync(new URL(file, import.meta.url), gzipSync(JSON.stringify({ files: written }), { level: 9 }))
  console.log(file)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
