import { create } from '@bufbuild/protobuf'
import { beforeEach, describe, expect, it } from 'vitest'
import { ClusterCatalog } from '../../../../adapters/hbase/admin/cluster-catalog.ts'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import type { Cluster } from '../../../../adapters/hbase/cluster/cluster.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { Retrier } from '../../../../adapters/hbase/retry/retrier.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Alteration } from '../../../../src/store/table-alteration.ts'
import { tableMessage } from '../../../../src/wire/rpc/descriptor-messages.ts'
import { TableSchemaSchema } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { tableNameMessage } from '../../../../src/wire/rpc/table-name-message.ts'
import { ManualTime } from '../retry/manual-time.ts'
import { FakeMaster } from './fake-master.ts'

const T = parseTableName('ns:t')
const NOT_FOUND = 0
const RUNNING = 1
const FINISHED = 2

let time: ManualTime
let master: FakeMaster
let forgotten: string[]
let catalog: ClusterCatalog
let knowsUsers: boolean
/** Whether each request was on Tidegate's own behalf. */
let own: boolean[]

beforeEach(() => {
  time = new ManualTime()
  master = new FakeMaster()
  forgotten = []
  knowsUsers = false
  own = []
  const retrier = new Retrier(time, () => 0.5, DEFAULT_HBASE_OPTIONS)
  const cluster: Pick<Cluster, 'retrier' | 'onMaster' | 'knowsUsers'> & {
    locator: { forgetTable(name: string): void }
  } = {
    get knowsUsers() {
      return knowsUsers
    },
    retrier,
    locator: { forgetTable: (name) => forgotten.push(name) },
    onMaster: (operation, call, masterCall, _, deadline) => {
      own.push(call.isOwn)
      return retrier.retrying(operation, call, (attempt) => masterCall(master, attempt), deadline)
    },
  }
  const whole = cluster as unknown as Cluster
  catalog = new ClusterCatalog(whole, new Master(whole, () => 0.5))
})

describe('a list of tables', () => {
  it('requests names where names are wanted: a cluster shows them to more users', async () => {
    master.answers.push({
      tableNames: ['t', 'b'].map((name) => tableNameMessage(parseTableName(`ns:${name}`))),
    })
    const listed = await catalog.listTables(OWN_CALL, 'names')
    expect(listed.map(({ name }) => name)).toEqual(['ns:b', 'ns:t'])
    master.answers.push({ tableSchema: [] })
    await catalog.listTables(OWN_CALL)
    expect(master.asked.map(({ method }) => method)).toEqual(['GetTableNames', 'GetTableDescriptors'])
  })
})

const names = (...listed: string[]): object => ({
  tableNames: listed.map((name) => tableNameMessage(parseTableName(name))),
})

describe("a call on Tidegate's own behalf, to a cluster that knows users", () => {
  const OF_ALICE: Call = { ...OWN_CALL, principal: { user: 'alice', method: 'KERBEROS' } }
  const denied = new RemoteException({
    javaClass: 'org.apache.hadoop.hbase.security.AccessDeniedException',
    stackTrace: 'Insufficient permissions',
    doNotRetry: true,
  })

  beforeEach(() => {
    knowsUsers = true
  })

  it("describes a table in the name of the call's user, where Tidegate's own has no right", async () => {
    master.answers.push(denied, { tableSchema: [create(TableSchemaSchema, tableMessage(withFamily()))] })
    expect((await catalog.table(T, OF_ALICE)).name).toBe('ns:t')
    expect(own).toEqual([true, false])
    master.answers.push(denied, denied)
    await expect(catalog.table(T, OF_ALICE)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  it('lists the tables of both', async () => {
    master.answers.push(names('b', 'own'), names('a', 'b'))
    expect((await catalog.listTables(OF_ALICE, 'names')).map(({ name }) => name)).toEqual(['a', 'b', 'own'])
    expect(own).toEqual([true, false])
  })

  it("of no user is Tidegate's alone, and a user's own call is that user's", async () => {
    master.answers.push(denied, denied)
    await expect(catalog.table(T, OWN_CALL)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(catalog.table(T, { ...OF_ALICE, isOwn: false })).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    expect(own).toEqual([true, false])
  })
})

describe('a change of a table', () => {
  it('ends with its procedure', async () => {
    master.answers.push({ procId: 7n }, { state: RUNNING }, { state: RUNNING }, { state: FINISHED })
    let over = false
    const done = catalog.disableTable(T, OWN_CALL).then(() => {
      over = true
    })
    expect(await time.next()).toBe(10)
    expect(over).toBe(false)
    expect(await time.next()).toBe(20)
    await done
    expect(master.asked.map(({ method }) => method)).toEqual([
      'DisableTable',
      'getProcedureResult',
      'getProcedureResult',
      'getProcedureResult',
    ])
    expect(forgotten).toEqual(['ns:t'])
  })

  it('has ended where the master has forgotten the procedure', async () => {
    master.answers.push({ procId: 7n }, { state: NOT_FOUND })
    await catalog.enableTable(T, OWN_CALL)
  })

  it("fails with the procedure's failure", async () => {
    const genericException = {
      className: 'org.apache.hadoop.hbase.TableNotDisabledException',
      message: 'ns:t',
    }
    master.answers.push({ procId: 7n }, { state: FINISHED, exception: { genericException } })
    await expect(catalog.deleteTable(T, OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_DISABLED',
      message: 'ns:t',
    })
  })

  it('is repeated with the same nonce', async () => {
    const hold = new RemoteException({
      javaClass: 'org.apache.hadoop.hbase.PleaseHoldException',
      stackTrace: 'initialising',
    })
    master.answers.push(hold, { procId: 7n }, { state: FINISHED })
    const done = catalog.truncateTable(T, true, OWN_CALL)
    await time.next()
    await done
    const [first, second] = master.asked
    expect(second).toEqual(first)
    expect(first!.request).toMatchObject({ preserveSplits: true, nonce: expect.any(BigInt) })
  })

  it('fails where the procedure does not end', async () => {
    master.answers.push({ procId: 7n })
    for (let i = 0; i < 2_000; i++) master.answers.push({ state: RUNNING })
    const caught = catalog.enableTable(T, OWN_CALL).catch((error: unknown) => error)
    await time.advance(700_000)
    expect(await caught).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(
        'enabling of table ns:t: procedure 7 has not ended within 600000 ms: ',
      ),
    })
  })
})

describe('descriptors', () => {
  it('go to the master with all their attributes and come back the same', async () => {
    const table = tableDescriptor(
      T,
      [familyDescriptor('f', [['VERSIONS', '3']]), familyDescriptor('g')],
      [['owner', 'ä']],
    )
    master.answers.push({ procId: 7n }, { state: FINISHED })
    await catalog.createTable(table, [Buffer.from('m'), Buffer.from('c')], OWN_CALL)
    const { tableSchema, splitKeys } = master.asked[0]!.request as {
      tableSchema: { attributes: unknown[]; columnFamilies: { configuration?: unknown }[] }
      splitKeys: Buffer[]
    }
    expect(splitKeys.map(String)).toEqual(['c', 'm'])
    const isMeta = { first: Buffer.from('IS_META'), second: Buffer.from('false') }
    const columnFamilies = tableSchema.columnFamilies.map((family) => ({ ...family, configuration: [] }))
    const attributes = [...tableSchema.attributes, isMeta]
    const answer = { ...tableSchema, attributes, columnFamilies, configuration: [] }
    master.answers.push({ tableSchema: [answer] })
    expect(await catalog.table(T, OWN_CALL)).toEqual(table)
  })

  it('of an unknown table are TABLE_NOT_FOUND', async () => {
    master.answers.push({ tableSchema: [] })
    await expect(catalog.table(T, OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
      message: 'ns:t',
    })
  })

  it('refuses split keys as a Java client does, before any request', async () => {
    const table = tableDescriptor(T, [familyDescriptor('f')])
    const keys = [Buffer.from('a'), Buffer.from('a')]
    await expect(catalog.createTable(table, keys, OWN_CALL)).rejects.toMatchObject({
      code: 'ILLEGAL_ARGUMENT',
    })
    expect(master.asked).toEqual([])
  })

  it('of namespaces carry their properties', async () => {
    const configuration = [{ name: 'a', value: 'b' }]
    master.answers.push({ namespaceDescriptor: { name: Buffer.from('n'), configuration } })
    expect(await catalog.namespace('n', OWN_CALL)).toEqual({ name: 'n', properties: new Map([['a', 'b']]) })
  })
})

interface Sent {
  readonly tableSchema: {
    readonly columnFamilies: readonly { readonly attributes: readonly { first: Buffer; second: Buffer }[] }[]
  }
}

function withFamily(...stated: [string, string][]): TableDescriptor {
  return tableDescriptor(T, [familyDescriptor('f', stated)])
}

describe('a table whose attributes', () => {
  it('have a time in words is created with seconds', async () => {
    master.answers.push({ procId: 7n }, { state: FINISHED })
    await catalog.createTable(withFamily(['TTL', '7 DAYS']), [], OWN_CALL)
    const { tableSchema } = master.asked[0]!.request as Sent
    const { attributes } = tableSchema.columnFamilies[0]!
    expect(attributes.find(({ first }) => first.toString() === 'TTL')!.second.toString()).toBe('604800')
  })

  it('cannot be read is refused here: the master would retry forever', async () => {
    for (const table of [
      withFamily(['VERSIONS', 'many']),
      withFamily(['TTL', 'soon']),
      withFamily(['KEEP_DELETED_CELLS', 'PERHAPS']),
      tableDescriptor(T, [familyDescriptor('f')], [['MAX_FILESIZE', 'large']]),
    ]) {
      await expect(catalog.createTable(table, [], OWN_CALL)).rejects.toMatchObject({
        code: 'ILLEGAL_ARGUMENT',
      })
      await expect(catalog.modifyTable(table, OWN_CALL)).rejects.toMatchObject({ code: 'ILLEGAL_ARGUMENT' })
    }
    expect(master.asked).toEqual([])
  })

  it('of a family is applied by the master to its own descriptor, so that changes of other families by other clients are kept', async () => {
    const present = tableDescriptor(T, [familyDescriptor('f'), familyDescriptor('g')])
    const [family, other] = [familyDescriptor('g', [['VERSIONS', '3']]), familyDescriptor('h')]
    const alterations: readonly Alteration[] = [
      { kind: 'addFamily', family: other },
      { kind: 'modifyFamily', family },
      { kind: 'deleteFamily', family: family.name },
      { kind: 'putFamilies', families: [family, other] },
    ]
    for (const alteration of alterations) {
      master.answers.push(
        { tableSchema: [create(TableSchemaSchema, tableMessage(present))] },
        { procId: 7n },
        { state: FINISHED },
      )
      if (alteration.kind === 'putFamilies') master.answers.push({ procId: 8n }, { state: FINISHED })
      await catalog.modifyTable({ name: T, alteration }, OWN_CALL)
    }
    const asked = master.asked
      .map(({ method }) => method)
      .filter((method) => /Column|ModifyTable/.test(method))
    expect(asked).toEqual(['AddColumn', 'ModifyColumn', 'DeleteColumn', 'ModifyColumn', 'AddColumn'])
  })
})
