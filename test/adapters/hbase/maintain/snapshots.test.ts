import { beforeEach, describe, expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { ClusterSnapshots } from '../../../../adapters/hbase/maintain/snapshots.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { TableState } from '../../../../src/store/catalog.ts'
import { SERVER_A } from '../cluster/fake-meta.ts'
import { FakeServers, FINISHED, RUNNING, T } from './fake-servers.ts'

const S = { name: 's', table: 't', type: 1, creationTime: 5n, ttl: 60n, maxFileSize: 0n, owner: 'me' }

let fake: FakeServers
let state: TableState | undefined
let snapshots: ClusterSnapshots

beforeEach(() => {
  fake = new FakeServers([{ table: 't', startKey: '', endKey: '', server: SERVER_A }])
  state = 'DISABLED'
  snapshots = new ClusterSnapshots(fake.cluster, new Master(fake.cluster, () => 0.5), {
    tableExists: () => Promise.resolve(state !== undefined),
    tableState: () => Promise.resolve(state!),
  })
})

function methods(): string[] {
  return fake.master.asked.map(({ method }) => method)
}

describe('a snapshot', () => {
  it('exists when its procedure has ended', async () => {
    fake.master.answers.push({ expectedTimeout: 300_000n, procId: 7n }, RUNNING, FINISHED)
    const done = snapshots.createSnapshot('s', T, 'SKIPFLUSH', OWN_CALL)
    expect(await fake.time.next()).toBe(10)
    await done
    expect(fake.master.asked[0]).toEqual({
      method: 'Snapshot',
      request: {
        snapshot: { name: 's', table: 't', type: 2 },
        nonceGroup: expect.any(BigInt),
        nonce: expect.any(BigInt),
      },
    })
    expect(methods()).toEqual(['Snapshot', 'getProcedureResult', 'getProcedureResult'])
  })

  it("has the client's time to live and greatest size of a store file", async () => {
    fake.master.answers.push({ expectedTimeout: 300_000n, procId: 7n }, FINISHED)
    await snapshots.createSnapshot('s', T, 'FLUSH', OWN_CALL, {
      timeToLiveSeconds: 60n,
      maxFileBytes: 1n << 33n,
    })
    expect(fake.master.asked[0]).toMatchObject({
      request: { snapshot: { ttl: 60n, maxFileSize: 1n << 33n } },
    })
  })

  it('exists when an older master reports it, within the time that the master has named', async () => {
    fake.master.answers.push({ expectedTimeout: 1_000n, procId: 0n }, { done: false }, { done: true })
    const done = snapshots.createSnapshot('s', T, 'FLUSH', OWN_CALL)
    await fake.time.next()
    await done
    expect(methods()).toEqual(['Snapshot', 'IsSnapshotDone', 'IsSnapshotDone'])

    fake.master.answers.push({ expectedTimeout: 1_000n, procId: 0n })
    for (let polls = 0; polls < 20; polls++) fake.master.answers.push({ done: false })
    const late = snapshots.createSnapshot('s', T, 'FLUSH', OWN_CALL).catch((error: unknown) => error)
    await fake.time.advance(2_000)
    expect(await late).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('snapshot s of t has not ended within 1000 ms: '),
    })
  })

  it('is refused here for names that the master would accept, and for system tables', async () => {
    for (const name of ['bad name', '.dot', '-dash', '', 'a/b', 'a:b']) {
      await expect(snapshots.createSnapshot(name, T, 'FLUSH', OWN_CALL)).rejects.toMatchObject({
        code: 'ILLEGAL_ARGUMENT',
      })
    }
    const meta = parseTableName('hbase:meta')
    await expect(snapshots.createSnapshot('s', meta, 'FLUSH', OWN_CALL)).rejects.toMatchObject({
      message: 'System table snapshots are not allowed',
    })
    expect(methods()).toEqual([])
  })

  it('becomes a table with its permissions where the client asks for them', async () => {
    state = undefined
    fake.master.answers.push({ procId: 7n }, FINISHED)
    await snapshots.cloneSnapshot('s', T, OWN_CALL, { restoresPermissions: true })
    expect(fake.master.asked[0]).toMatchObject({
      request: { snapshot: { name: 's', table: 't' }, restoreACL: true },
    })
  })

  it('becomes a table with another file tracker', async () => {
    state = undefined
    fake.master.answers.push({ procId: 7n }, FINISHED)
    await snapshots.cloneSnapshot('s', T, OWN_CALL, { fileTracker: 'FILE' })
    expect(fake.master.asked[0]).toMatchObject({ request: { customSFT: 'FILE' } })
  })

  it('is listed with its properties', async () => {
    fake.master.answers.push({ snapshots: [{ ...S, name: 'z', type: 0 }, S] })
    expect(await snapshots.listSnapshots(OWN_CALL)).toEqual([
      {
        name: 's',
        table: 't',
        type: 'FLUSH',
        createdAt: 5,
        timeToLiveSeconds: 60n,
        maxFileBytes: 0n,
        owner: 'me',
      },
      {
        name: 'z',
        table: 't',
        type: 'DISABLED',
        createdAt: 5,
        timeToLiveSeconds: 60n,
        maxFileBytes: 0n,
        owner: 'me',
      },
    ])
  })

  it('is deleted by its name', async () => {
    fake.master.answers.push({})
    await snapshots.deleteSnapshot('s', OWN_CALL)
    expect(fake.master.asked).toEqual([{ method: 'DeleteSnapshot', request: { snapshot: { name: 's' } } }])
  })
})

describe('a snapshot is restored', () => {
  it.each<TableState | undefined>(['DISABLED', undefined])('into a table that is %s', async (as) => {
    state = as
    const { locator, retrier } = fake.cluster
    await locator.locate(T, Buffer.from('a'), retrier.attempt(1, retrier.deadline(OWN_CALL), OWN_CALL))
    fake.master.answers.push({ snapshots: [S] }, { procId: 7n }, FINISHED)
    await snapshots.restoreSnapshot('s', OWN_CALL)
    expect(methods()).toEqual(['GetCompletedSnapshots', 'RestoreSnapshot', 'getProcedureResult'])
    expect(fake.master.asked[1]!.request).toMatchObject({ snapshot: { name: 's', table: 't' } })
    expect(locator.cached(T, Buffer.from('a'))).toBeUndefined()
  })

  it('but not into one that is enabled', async () => {
    state = 'ENABLED'
    fake.master.answers.push({ snapshots: [S] })
    await expect(snapshots.restoreSnapshot('s', OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_DISABLED',
      message: 't',
    })
    expect(methods()).toEqual(['GetCompletedSnapshots'])
  })

  it('where there is one', async () => {
    fake.master.answers.push({ snapshots: [] })
    await expect(snapshots.restoreSnapshot('s', OWN_CALL)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: 'Unable to find the table name for snapshot=s',
      javaClass: 'org.apache.hadoop.hbase.snapshot.RestoreSnapshotException',
    })
  })
})

describe('a snapshot is cloned', () => {
  it('to a table of another name', async () => {
    state = undefined
    fake.master.answers.push({ procId: 7n }, FINISHED)
    await snapshots.cloneSnapshot('s', parseTableName('ns:u'), OWN_CALL)
    expect(fake.master.asked[0]).toMatchObject({
      method: 'RestoreSnapshot',
      request: { snapshot: { name: 's', table: 'ns:u' }, nonce: expect.any(BigInt) },
    })
  })

  it('but not to an existing table', async () => {
    await expect(snapshots.cloneSnapshot('s', T, OWN_CALL)).rejects.toMatchObject({ code: 'TABLE_EXISTS' })
    expect(methods()).toEqual([])
  })
})
