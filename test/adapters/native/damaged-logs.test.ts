/** Logs that are damaged, missing or not the store's: told and refused, never passed over. */

import { describe, expect, it } from 'vitest'
import { encodeRecord, MANIFEST_MAGIC } from '../../../adapters/native/manifest/manifest-file.ts'
import { encodeMark } from '../../../adapters/native/wal/log-mark.ts'
import { encodeLogHeader, LOG_HEADER_BYTES, sealRecord } from '../../../adapters/native/wal/wal-format.ts'
import type { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { numbered, StoreUnderTest, tableOf } from './store-under-test.ts'

const OPTIONS = { wal: { logBytesMax: 300, syncEveryBytes: 100 } }
const ROWS = numbered(30)

/** The files of a store that was killed with several logs, and the paths of these. */
async function severalLogs(): Promise<{ files: CrashableFileSystem; logs: string[] }> {
  const session = await StoreUnderTest.open(OPTIONS)
  await session.createTable(tableOf('f'))
  for (const row of ROWS) await session.put([row])
  const files = session.fileSystem.killed()
  // The next log may have been made already, and is not the store's yet.
  const hasRecords = (path: string): boolean => files.bytesOf(path).length > LOG_HEADER_BYTES
  const logs = files.paths().filter((path) => path.startsWith('/s/wal/') && hasRecords(path))
  expect(logs.length).toBeGreaterThan(3)
  return { files, logs }
}

async function refusal(files: CrashableFileSystem): Promise<unknown> {
  return StoreUnderTest.open(OPTIONS, files).then(
    () => 'opened',
    (error: unknown) => error,
  )
}

function damaged(path: string, offset: number): unknown {
  return expect.objectContaining({
    code: 'CORRUPTION',
    message: expect.stringContaining(path),
    detail: { path, offset },
  })
}

describe('a log that should be there', () => {
  it('and is missing, empty, cut or another is named, and the store is refused as it is', async () => {
    const { files, logs } = await severalLogs()
    const empties = [Buffer.alloc(0), Buffer.alloc(16)]
    for (const [index, path] of logs.entries()) {
      const without = files.killed()
      without.remove(path)
      expect(await refusal(without)).toEqual(damaged(path, 0))
      for (const content of empties) {
        const emptied = files.killed()
        emptied.replace(path, content)
        expect(await refusal(emptied)).toEqual(damaged(path, index === logs.length - 1 ? 0 : content.length))
      }
      const other = logs[(index + 1) % logs.length]!
      const swapped = files.killed()
      swapped.replace(path, files.bytesOf(other))
      swapped.replace(other, files.bytesOf(path))
      expect(await refusal(swapped)).toMatchObject({ code: 'CORRUPTION' })
    }
    for (const path of logs.slice(0, -1)) {
      for (let length = 0; length < files.bytesOf(path).length; length += 11) {
        const cut = files.killed()
        cut.replace(path, files.bytesOf(path).subarray(0, length))
        expect(await refusal(cut)).toEqual(damaged(path, length))
      }
    }
    expect((await (await StoreUnderTest.open(OPTIONS, files.killed())).rows()).length).toBe(ROWS.length)
  })

  it('is missed after a flush, too, and not once it was trimmed', async () => {
    const session = await StoreUnderTest.open(OPTIONS)
    await session.createTable(tableOf('f'))
    for (const row of ROWS) await session.put([row])
    await session.flush()
    const whole = session.fileSystem.killed()
    const files = whole.killed()
    expect(await (await StoreUnderTest.open(OPTIONS, whole.killed())).rows()).toHaveLength(ROWS.length)
    const last = files.list('/s/wal').at(-1)!
    files.remove(`/s/wal/${last}`)
    expect(await refusal(files)).toEqual(damaged(`/s/wal/${last}`, 0))
  })
})

describe('a log that should not be there', () => {
  it('is set aside, and its cells are not served', async () => {
    const { files, logs } = await severalLogs()
    const strange = '/s/wal/0000000099.log'
    const bytes = Buffer.from(files.bytesOf(logs[0]!))
    encodeLogHeader(99).copy(bytes)
    files.replace(strange, bytes)
    const session = await StoreUnderTest.open(OPTIONS, files)
    expect(await session.rows()).toHaveLength(ROWS.length)
    expect(files.paths()).toContain('/s/lost+found/wal/0000000099.log')
    expect(files.paths()).not.toContain(strange)
    expect(files.paths()).toContain('/s/wal/0000000100.log')
  })
})

describe('the end of the last log', () => {
  it('is logged at level error, with file and offset, where it is no whole record', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'])
    const path = '/s/wal/0000000001.log'
    const before = session.fileSystem.bytesOf(path).length
    await session.put(['b'])
    const whole = Buffer.from(session.fileSystem.bytesOf(path))
    for (const damage of ['flip', 'cut'] as const) {
      for (let at = before + 1; at < whole.length; at++) {
        const files = session.fileSystem.killed()
        const bytes = Buffer.from(whole)
        bytes[at]! ^= 0x41
        files.replace(path, damage === 'flip' ? bytes : whole.subarray(0, at))
        const again = await StoreUnderTest.open({}, files)
        expect(await again.rows()).toEqual(['a=v'])
        const line = `error: write-ahead log ${path} is not whole from byte`
        expect(again.logged).toContainEqual(expect.stringContaining(line))
        expect(again.logged.join()).toContain(`from byte ${before} on`)
      }
    }
  })
})

describe('a damaged first record', () => {
  it('is told from an unfinished one by a mark, however great the sequence ids are', async () => {
    const source = await StoreUnderTest.open()
    await source.createTable(tableOf('f'))
    await source.put(['a'])
    const log = source.fileSystem.bytesOf('/s/wal/0000000001.log')
    for (const sequenceId of [1, 2 ** 31, 2 ** 31 + 1, 2 ** 33, 2 ** 47]) {
      const files = source.fileSystem.killed()
      const mark = encodeMark({ kind: 'synced', upTo: log.length }, log.length)
      const records = [sequenceId].map((id) => {
        const record = Buffer.from(log.subarray(16))
        sealRecord(record, 0, record.length, id, 1)
        return record
      })
      records[0]![30]! ^= 1
      files.replace('/s/wal/0000000001.log', Buffer.concat([encodeLogHeader(1), ...records, mark]))
      expect(await refusal(files)).toEqual(damaged('/s/wal/0000000001.log', 16))
      // The same in a store that no manifest has the logs of.
      const counters = encodeRecord({ kind: 'counters', nextNumber: 9, nextSequenceId: 1 })
      files.replace('/s/manifest', Buffer.concat([MANIFEST_MAGIC, counters]))
      files.remove('/s/manifest.copy')
      expect(await refusal(files)).toEqual(damaged('/s/wal/0000000001.log', 16))
    }
  })
})
