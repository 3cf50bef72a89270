/** Bulk loads of a store's own file by a folder that is mounted twice, in a mount namespace of a child, which only some kernels and users may make. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'

const MOUNTED = ['-rm', 'sh', '-c', 'mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh']

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-mounted-'))
  for (const name of ['store', 'other']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs a command that sees the folder `store` as `other`, too. */
function mounted(...command: string[]): ReturnType<typeof spawnSync> {
  const paths = [join(folder, 'store'), join(folder, 'other')]
  return spawnSync('unshare', [...MOUNTED, ...paths, ...command], { encoding: 'utf8' })
}

const built = (path: string): string => JSON.stringify(new URL(`dist/${path}`, packageRoot()).href)

/** Prints what becomes of a load of each path: a store file of another table, and a copy of it. */
const LOADING = `
import { copyFileSync, readdirSync, statSync } from 'node:fs'
const { openNativeStore } = await import(${built('adapters/native/open-native-store.js')})
const { NODE_CLOCK } = await import(${built('adapters/native/platform/node-clock.js')})
const { NODE_FILE_SYSTEM } = await import(${built('adapters/native/platform/node-file-system.js')})
const { familyDescriptor, tableDescriptor } = await import(${built('src/model/descriptor.js')})
const { MutationBatch } = await import(${built('src/model/mutation.js')})
const { parseTableName } = await import(${built('src/model/table-name.js')})
const { OWN_CALL } = await import(${built('src/store/call.js')})
const [folder] = process.argv.slice(1)
const config = { directory: folder + '/store', fileSystem: NODE_FILE_SYSTEM, clock: NODE_CLOCK, random: Math.random }
const store = await openNativeStore(config)
const [secret, mine] = ['secret', 'mine'].map(parseTableName)
for (const table of [secret, mine]) {
  await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
}
const batch = new MutationBatch().put(...['r', 'f', 'q', 'v'].map((text) => Buffer.from(text)))
batch.endMutation()
await store.rows.mutate(secret, batch, OWN_CALL)
await store.upkeep.flushes.flushTable(secret, OWN_CALL)
const [name] = readdirSync(folder + '/other/data', { recursive: true })
  .filter((path) => statSync(folder + '/other/data/' + path).isFile())
const path = folder + '/other/data/' + name
copyFileSync(path, folder + '/copy')
const [region] = await store.catalog.regions(mine, OWN_CALL)
const ref = { table: mine, encodedName: region.encodedName }
for (const each of [path, folder + '/copy']) {
  const files = [{ family: Buffer.from('f'), path: 'file:' + each }]
  console.log(await store.upkeep.bulkLoads.bulkLoad(ref, files, OWN_CALL).catch(({ code }) => code))
}
await store.close()
`

it('a file of a store that another one of its tables would take by a second mount is refused, and a copy of it is not', ({
  skip,
}) => {
  skip(mounted('true').status !== 0, 'this user may not mount folders here')
  const { stdout, stderr } = mounted(process.execPath, '--input-type=module', '-e', LOADING, folder)
  expect(stderr).toBe('')
  expect(stdout).toBe('ACCESS_DENIED\ntrue\n')
})
