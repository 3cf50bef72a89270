/** A disk that cannot be read, and blocks that are damaged while a server runs: answered as such, told once, survived. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DEFAULT_NATIVE_OPTIONS } from '../../../adapters/native/options/native-options.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

async function flushed(): Promise<{ session: StoreUnderTest; file: string }> {
  const session = await StoreUnderTest.open({ blockCacheBytes: 0 })
  await session.createTable(tableOf('f'), ['m'])
  await session.put(['a', 'z'])
  await session.flush()
  return { session, file: session.paths('/s/data')[0]! }
}

/** Each wake looks at the store's files. */
const LOOKS = { ...DEFAULT_NATIVE_OPTIONS.upkeep, wakesACheck: 1 }

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await nextTurn()
}

const errorsOf = ({ logged }: StoreUnderTest): string[] => logged.filter((line) => line.startsWith('error'))

describe('a store file that the disk does not give', () => {
  it('is the IO error of its reads, is told once, and comes back with the disk', async () => {
    const { session, file } = await flushed()
    session.fileSystem.failReading = (path) => path === file
    const refusal = { code: 'IO', message: expect.stringMatching(new RegExp(`${file}.*at byte \\d+.*EIO`)) }
    await expect(session.rows()).rejects.toMatchObject(refusal)
    const gets = session.store.rows.get(TABLE, [get(Buffer.from('a'))], { bytes: 1e6 }, OWN_CALL)
    await expect(gets).rejects.toMatchObject(refusal)
    expect(await session.rows({ startRow: Buffer.from('m') })).toEqual(['z=v'])
    await session.put(['b'])
    expect(errorsOf(session)).toEqual([expect.stringContaining(file)])
    expect(await session.store.damage()).toMatchObject([
      { table: 't', path: file, reason: expect.stringContaining('EIO') },
    ])
    session.fileSystem.failReading = () => false
    expect(await session.rows()).toEqual(['a=v', 'b=v', 'z=v'])
    expect(await session.store.damage()).toEqual([])
    await session.store.close()
  })

  it('is told once where it cannot be read at the start', async () => {
    const { session, file } = await flushed()
    const files = session.fileSystem.killed()
    files.failReading = (path) => path === file
    const next = await StoreUnderTest.open({}, files)
    await expect(next.rows()).rejects.toMatchObject({ code: 'IO', message: expect.stringContaining(file) })
    expect(errorsOf(next)).toEqual([expect.stringContaining(file)])
    expect(await next.store.damage()).toMatchObject([{ table: 't', path: file }])
    await next.store.catalog.disableTable(TABLE, OWN_CALL)
    await next.store.catalog.deleteTable(TABLE, OWN_CALL)
    expect(await next.store.damage()).toEqual([])
    await next.store.close()
  })
})

it('a flush whose file cannot be read again fails, and leaves no file', async () => {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  await session.put(['a'])
  session.fileSystem.failReading = (path) => path.startsWith('/s/data/')
  await expect(session.flush()).rejects.toMatchObject({ code: 'IO' })
  expect(session.paths('/s/data/')).toEqual([])
  session.fileSystem.failReading = () => false
  await session.flush()
  expect(session.paths('/s/data/')).toHaveLength(1)
  expect(await session.rows()).toEqual(['a=v'])
  await session.store.close()
})

it('a store does not open with the files that the limit of open files leaves it', async () => {
  const { session } = await flushed()
  const files = session.fileSystem.killed()
  const later = session.paths('/s/data')[1]!
  files.failOpening = (path) => {
    if (path === later) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    return false
  }
  await expect(StoreUnderTest.open({}, files)).rejects.toMatchObject({
    code: 'IO',
    cause: { code: 'EMFILE' },
  })
  files.failOpening = () => false
  const next = await StoreUnderTest.open({}, files)
  expect(await next.rows()).toEqual(['a=v', 'z=v'])
  await next.store.close()
})

it('damage of a block is told once, with its file and offset', async () => {
  const { session, file } = await flushed()
  const bytes = session.fileSystem.bytesOf(file)
  bytes[40]! ^= 1
  const refusal = { code: 'CORRUPTION', message: expect.stringContaining(file) }
  await expect(session.rows()).rejects.toMatchObject(refusal)
  await expect(session.rows()).rejects.toMatchObject(refusal)
  expect(errorsOf(session)).toEqual([
    expect.stringMatching(new RegExp(`${file}: checksum at offset 0.*fail`)),
  ])
  expect(await session.store.damage()).toMatchObject([{ table: 't', path: file }])
  // The sound blocks of it are no sign that the damage has gone.
  expect(await session.rows({ startRow: Buffer.from('m') })).toEqual(['z=v'])
  expect(await session.store.damage()).toHaveLength(1)
  bytes[40]! ^= 1
  expect(await session.store.damage()).toEqual([])
  expect(await session.rows()).toEqual(['a=v', 'z=v'])
  bytes[40]! ^= 1
  await expect(session.rows()).rejects.toMatchObject(refusal)
  expect(errorsOf(session)).toHaveLength(2)
  await session.store.close()
})

describe('a store file that is damaged or missing at the start', () => {
  it.each([
    ['missing', undefined],
    ['cut', (bytes: Buffer): Buffer => bytes.subarray(0, -1)],
  ])('is read again once it is as it was: %s', async (_, spoil) => {
    const { session, file } = await flushed()
    const files = session.fileSystem.killed()
    const sound = Buffer.from(files.bytesOf(file))
    if (spoil === undefined) files.remove(file)
    else files.replace(file, spoil(sound))
    const next = await StoreUnderTest.open({ upkeep: LOOKS }, files)
    await expect(next.rows()).rejects.toMatchObject({ code: 'CORRUPTION' })
    const told = errorsOf(next).length
    next.wake()
    await turns()
    expect(errorsOf(next)).toHaveLength(told)
    files.replace(file, sound.subarray(0, -2))
    next.wake()
    await turns()
    await expect(next.rows()).rejects.toMatchObject({ message: expect.stringContaining('corrupt') })
    files.replace(file, sound)
    next.wake()
    await turns()
    expect(await next.rows()).toEqual(['a=v', 'z=v'])
    expect(await next.store.damage()).toEqual([])
    expect(next.logged).toContain(`info: store file ${file} can be read again`)
    await next.store.close()
  })
})

it('a delete of a newest version that cannot be read leaves nothing', async () => {
  const { session, file } = await flushed()
  session.fileSystem.failReading = (path) => path === file
  const batch = new MutationBatch()
  batch.deleteVersion(Buffer.from('a'), Buffer.from('f'), Buffer.from('q')).endMutation()
  batch.put(Buffer.from('b'), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  const failures = await session.store.rows.mutate(TABLE, batch, OWN_CALL)
  expect(failures).toMatchObject([{ index: 0, error: { code: 'IO' } }])
  session.fileSystem.failReading = () => false
  expect(await session.rows({ raw: true, maxVersions: 10 })).toEqual(['a=v', 'b=v', 'z=v'])
  await session.store.close()
})
