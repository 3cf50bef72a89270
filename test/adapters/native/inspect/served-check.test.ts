/** A check of the folder of a server: beside flushes, compactions and drops it finds nothing, and the server reports what it finds. */

import { expect, test } from 'vitest'
import type { Finding } from '../../../../adapters/native/inspect/finding.ts'
import { beginCheck, CheckUnderWay } from '../../../../adapters/native/inspect/folder-check.ts'
import { findingsOf } from '../../../../adapters/native/inspect/named-file-check.ts'
import { encodeFoundDamage, foundDamagePath } from '../../../../adapters/native/layout/found-damage.ts'
import { atOnce } from '../../../../src/model/steps.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

/** `between`: what the server does while the check is at the files. */
async function checkedServed(
  session: StoreUnderTest,
  between: (file: number) => Promise<void> = async () => undefined,
): Promise<Finding[]> {
  const { fileSystem } = session
  const found: Finding[] = []
  const checking = beginCheck({
    fileSystem,
    directory: '/s',
    report: (finding) => void found.push(finding),
    isServed: true,
  })
  if (!(checking instanceof CheckUnderWay)) throw new Error('there is no check')
  for (const [index, file] of checking.files.entries()) {
    await between(index)
    checking.add(atOnce(findingsOf(fileSystem, file, checking.onBytes)))
  }
  atOnce(checking.end())
  return found
}

async function withFiles(): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ wal: { logBytesMax: 2000, syncEveryBytes: 500 } })
  await session.createTable(tableOf('f'), ['r000020', 'r000040'])
  for (let round = 0; round < 3; round++) {
    await session.put(numbered(60))
    await session.flush()
  }
  return session
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('files that a compaction, a drop or a flush takes away meanwhile are no findings', async () => {
  const compacted = await withFiles()
  const compactions = compacted.store.upkeep.compactions!
  const found = await checkedServed(compacted, async (file) => {
    await compacted.put(['s1', 's2'])
    if (file !== 1) return
    await compactions.compactTable(TABLE, { major: true }, OWN_CALL)
    await settled()
  })
  expect(found).toEqual([])

  const dropped = await withFiles()
  const ofDropped = await checkedServed(dropped, async (file) => {
    if (file !== 2) return
    await dropped.store.catalog.disableTable(TABLE, OWN_CALL)
    await dropped.store.catalog.deleteTable(TABLE, OWN_CALL)
    await settled()
  })
  expect(ofDropped).toEqual([])
})

test('damage of a file that the manifest still names is found, in store files and in closed logs', async () => {
  const session = await withFiles()
  const [path] = session.paths('/s/data/')
  session.fileSystem.bytesOf(path!)[100]! ^= 4
  expect((await checkedServed(session)).map((finding) => [finding.severity, finding.path])).toEqual([
    ['error', path],
  ])
})

async function damageOf(session: StoreUnderTest): Promise<string[]> {
  session.wake()
  await settled()
  return (await session.store.damage()).map(({ path, reason }) => `${path}: ${reason}`)
}

test('the server takes what a check has found, reports it, and removes the file', async () => {
  const session = await withFiles()
  const [first, second] = session.paths('/s/data/')
  const place = foundDamagePath('/s')
  const found = [
    { path: first!.slice('/s/'.length), offset: 33, message: 'a block is damaged' },
    { path: second!.slice('/s/'.length), message: 'it is cut' },
    { path: 'data/default/t/none', message: 'of no file' },
    { path: '../../etc/passwd', message: 'outside' },
  ]
  session.fileSystem.replace(place, encodeFoundDamage(found))
  expect(await damageOf(session)).toEqual([`${first}: a block is damaged`, `${second}: it is cut`])
  expect(session.fileSystem.exists(place)).toBe(false)
  expect(await session.rows()).toHaveLength(60)
})

test.each([
  ['nothing', ''],
  ['other bytes', '\0\xff{'],
  ['other values', 'null\n1\n"x"\n[]\n{}\n{"path":1,"message":"m"}\n{"path":"p"}\n'],
  ['a long text', 'x'.repeat(3_000_000)],
])('%s in that file change nothing', async (_, text) => {
  const session = await withFiles()
  session.fileSystem.replace(foundDamagePath('/s'), Buffer.from(text, 'latin1'))
  expect(await damageOf(session)).toEqual([])
  expect(session.fileSystem.exists(foundDamagePath('/s'))).toBe(false)
})
