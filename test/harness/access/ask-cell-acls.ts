/** Asks a server what permissions of single cells let their users do, step by step: later steps see what earlier ones have changed. */

import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import {
  type Condition,
  MutationBatch,
  type MutationOptions,
  type RowOperation,
  valueCondition,
} from '../../../src/model/mutation.ts'
import { ACTIONS, type Action, type UserPermission } from '../../../src/model/permission.ts'
import { ColumnsBuilder, type Get, get, type Scan, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { timestampHigh, timestampLow } from '../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Acl, aclBytes } from './acl-bytes.ts'
import { GROUP, MEMBER, SUPERUSER } from './people.ts'

/** Permissions of its cells count. */
export const OPEN: TableName = 'cellacl_open' as TableName
/** As HBase has tables where nobody says otherwise. */
export const EARLY: TableName = 'cellacl_early' as TableName
const EARLY_OUT = 'hbase.security.access.early_out'
const USERS = [SUPERUSER, 'alice', 'bob', 'dora', 'nobody', MEMBER, 'writer'] as const
type User = (typeof USERS)[number]
const f = Buffer.from('f')

function optionsOf(acl: Acl | Buffer | undefined): MutationOptions {
  if (acl === undefined) return { durability: 'USE_DEFAULT' }
  const value = Buffer.isBuffer(acl) ? acl : aclBytes(acl)
  return { durability: 'USE_DEFAULT', attributes: new Map([['acl', value]]) }
}

interface Written {
  readonly column: string
  readonly at: number
  readonly value?: string | Buffer
  readonly type?: number
}

function cellBlock(row: string, cells: readonly Written[]): CellBlock {
  return blockOf(
    cells.map(({ column, at, value = 'v', type = CellType.Put }) => {
      const [family, qualifier] = column.split(':').map((part) => Buffer.from(part)) as [Buffer, Buffer]
      return {
        row: Buffer.from(row),
        family,
        qualifier: qualifier ?? Buffer.alloc(0),
        timestamp: BigInt(at),
        type,
        value: type === CellType.Put ? Buffer.from(value) : Buffer.alloc(0),
      }
    }),
  )
}

/** By step, what was answered. */
export type Answers = Readonly<Record<string, string>>

export async function askCellAcls(open: (user: string) => Promise<Store>): Promise<Answers> {
  const clients = new Map<string, Store>()
  for (const user of USERS) clients.set(user, await open(user))
  const asking = new Asking(clients)
  try {
    await asking.prepare()
    await asking.reads('at first')
    await asking.writes()
    await asking.reads('at the end')
    await asking.early()
    return asking.answers
  } finally {
    for (const client of clients.values()) await client.close()
  }
}

class Asking {
  readonly answers: Record<string, string> = {}
  readonly #clients: ReadonlyMap<string, Store>

  constructor(clients: ReadonlyMap<string, Store>) {
    this.#clients = clients
  }

  #store(user: User): Store {
    return this.#clients.get(user)!
  }

  async prepare(): Promise<void> {
    const { catalog, upkeep } = this.#store(SUPERUSER)
    const families = ['f', 'g'].map((name) => familyDescriptor(name, [['VERSIONS', '3']]))
    await catalog.createTable(tableDescriptor(OPEN, families, [[EARLY_OUT, 'false']]), [], OWN_CALL)
    await catalog.createTable(tableDescriptor(EARLY, families), [], OWN_CALL)
    const grants: readonly UserPermission[] = [
      this.#grant('bob', ['READ'], f),
      this.#grant('dora', ['READ'], f, Buffer.from('open')),
      this.#grant('writer', ['WRITE']),
    ]
    for (const permission of grants) await upkeep.permissions!.grant(permission, false, OWN_CALL)
    await this.#put(SUPERUSER, 'f:open', 1)
    await this.#put(SUPERUSER, 'f:alice', 1, { alice: 'R' })
    await this.#put(SUPERUSER, 'f:both', 1, { alice: 'RW', [`@${GROUP}`]: 'R' })
    await this.#put(SUPERUSER, 'g:alice', 1, { alice: 'RW' })
    await this.#put(SUPERUSER, 'f:bad', 1, Buffer.from([0xff]))
    await this.#put(SUPERUSER, 'f:empty', 1, Buffer.alloc(0))
    await this.#put(SUPERUSER, 'f:multi', 1, { alice: 'R' })
    await this.#put(SUPERUSER, 'f:multi', 2)
    await this.#put(SUPERUSER, 'f:multi', 3, { bob: 'R', alice: 'W' })
    await this.#put(SUPERUSER, 'f:n', 1, { alice: 'W' }, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]))
  }

  #grant(user: string, actions: readonly Action[], family?: Buffer, qualifier?: Buffer): UserPermission {
    return {
      user,
      permission: {
        scope: { kind: 'table', table: OPEN, family, qualifier },
        actions: ACTIONS.filter((action) => actions.includes(action)),
      },
    }
  }

  async #note(step: string, ask: () => Promise<string>): Promise<void> {
    this.answers[step] = await answerOf(ask)
  }

  async #put(
    user: User,
    column: string,
    at: number,
    acl?: Acl | Buffer,
    value: string | Buffer = 'v',
    table: TableName = OPEN,
  ): Promise<string> {
    return this.#mutate(user, [{ column, at, value }], acl, table)
  }

  async #mutate(
    user: User,
    cells: readonly Written[],
    acl?: Acl | Buffer,
    table: TableName = OPEN,
  ): Promise<string> {
    const batch = new MutationBatch()
    for (const cell of cellsOf(cellBlock('r', cells))) {
      const { row, family, qualifier, timestamp, type, value } = cell
      batch.cells.append(
        row,
        family,
        qualifier,
        timestampHigh(timestamp),
        timestampLow(timestamp),
        type,
        value,
      )
    }
    batch.endMutation(optionsOf(acl))
    const [failure] = await this.#store(user).rows.mutate(table, batch, OWN_CALL)
    if (failure !== undefined) throw failure.error
    return 'done'
  }

  async #change(
    user: User,
    kind: RowOperation['kind'],
    cell: Written,
    acl?: Acl,
    condition?: Condition,
  ): Promise<string> {
    const options = optionsOf(acl)
    const operation = { kind, cells: cellBlock('r', [cell]), options } as RowOperation
    const mutation = { row: Buffer.from('r'), operations: [operation], options, condition }
    const { applied, results } = await this.#store(user).rows.mutateRow(OPEN, mutation, OWN_CALL)
    const values = cellsOf(results.cells).map(({ value }) => value.toString('hex'))
    return `${applied} ${values.join(' ')}`.trim()
  }

  async #get(user: User, options: Partial<Get> = {}, table: TableName = OPEN): Promise<string> {
    const asked = [get(Buffer.from('r'), options)]
    const limits = { bytes: Number.MAX_SAFE_INTEGER }
    const { cells } = await this.#store(user).rows.get(table, asked, limits, OWN_CALL)
    return shown(cells)
  }

  async #scan(user: User, options: Partial<Scan> = {}): Promise<string> {
    const scanner = await openScanner(this.#store(user), OPEN, scan(options), OWN_CALL)
    try {
      const limits = { rows: 9, bytes: Number.MAX_SAFE_INTEGER, allowPartial: false }
      return shown(gathered((await scanner.next(limits, OWN_CALL)).results).cells)
    } finally {
      await scanner.close()
    }
  }

  /** Of everybody. */
  async reads(when: string): Promise<void> {
    const multi = new ColumnsBuilder().addColumn(f, Buffer.from('multi')).build()
    const family = new ColumnsBuilder().addFamily(f).build()
    const filter = { kind: 'ColumnPrefixFilter', prefix: Buffer.from('a') } as const
    for (const user of USERS) {
      const note = (what: string, ask: () => Promise<string>): Promise<void> =>
        this.#note(`${when}, ${user} ${what}`, ask)
      await note('gets the row', () => this.#get(user))
      await note('gets family f', () => this.#get(user, { columns: family }))
      await note('gets versions of f:multi', () => this.#get(user, { columns: multi, maxVersions: 3 }))
      await note('scans', () => this.#scan(user))
      await note('scans backwards', () => this.#scan(user, { reversed: true }))
      await note('scans with a filter', () => this.#scan(user, { filter }))
      await note('scans raw', () => this.#scan(user, { raw: true, maxVersions: 9 }))
    }
  }

  async writes(): Promise<void> {
    const note = (step: string, ask: () => Promise<string>): Promise<void> => this.#note(step, ask)
    const one = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])
    await note('alice puts where she may read alone', () => this.#put('alice', 'f:alice', 5))
    await note('alice puts where there is no cell', () => this.#put('alice', 'f:new', 5))
    await note('alice puts before the cell that she may write', () => this.#put('alice', 'f:both', 0))
    await note('alice puts where she may write', () => this.#put('alice', 'f:both', 5))
    await note('alice puts over her put', () => this.#put('alice', 'f:both', 6))
    await note('alice puts beside a cell that she may write', () =>
      this.#mutate('alice', [
        { column: 'g:alice', at: 5 },
        { column: 'g:new', at: 5 },
      ]),
    )
    await note('alice puts with permissions', () =>
      this.#put('alice', 'f:multi', 6, { bob: 'R', alice: 'RW' }),
    )
    await note('nobody puts', () => this.#put('nobody', 'f:multi', 7))
    await note('writer puts with permissions', () => this.#put('writer', 'f:given', 7, { dora: 'R' }))
    const increment = (user: User, acl?: Acl): Promise<string> =>
      this.#change(user, 'increment', { column: 'f:n', at: 1, value: one }, acl)
    await note('alice increments', () => increment('alice'))
    await note('alice increments again', () => increment('alice'))
    await note('bob increments', () => increment('bob'))
    await note('super increments with other permissions', () => increment(SUPERUSER, { bob: 'W' }))
    await note('alice increments what was hers', () => increment('alice'))
    await note('bob increments what is his now', () => increment('bob'))
    await note('bob appends to it', () => this.#change('bob', 'append', { column: 'f:n', at: 1, value: 'x' }))
    const condition = valueCondition(f, Buffer.from('multi'), 'EQUAL', Buffer.from('v'))
    const test = (user: User): Promise<string> =>
      this.#change(user, 'mutate', { column: 'f:multi', at: 8 }, { alice: 'RW' }, condition)
    await note('alice puts under a condition', () => test('alice'))
    await note('bob puts under a condition', () => test('bob'))
    await note('nobody puts under a condition', () => test('nobody'))
    const del = (column: string, at: number, type: number, acl?: Acl): Promise<string> =>
      this.#mutate('alice', [{ column, at, type }], acl)
    await note('super deletes with permissions', () =>
      this.#mutate(SUPERUSER, [{ column: 'f:open', at: 1, type: CellType.Delete }], { alice: 'R' }),
    )
    await note('alice deletes a version of another', () => del('f:multi', 2, CellType.Delete))
    await note('alice deletes a version of hers', () => del('f:multi', 8, CellType.Delete))
    await note('alice deletes a column', () => del('f:multi', 9, CellType.DeleteColumn))
    await note('alice deletes the column of hers', () => del('g:alice', 4, CellType.DeleteColumn))
    await note('alice deletes a family', () => del('g:', 9, CellType.DeleteFamily))
    await note('nobody deletes a family', () =>
      this.#mutate('nobody', [{ column: 'f:', at: 9, type: CellType.DeleteFamily }]),
    )
  }

  /** Where permissions of cells give nothing, they are kept all the same. */
  async early(): Promise<void> {
    const put = (user: User, acl?: Acl): Promise<string> => this.#put(user, 'f:q', 1, acl, 'v', EARLY)
    await this.#note('early: super puts with permissions', () => put(SUPERUSER, { alice: 'RW' }))
    await this.#note('early: alice gets', () => this.#get('alice', {}, EARLY))
    await this.#note('early: alice puts', () => put('alice'))
  }
}

function shown(cells: CellBlock): string {
  return cellsOf(cells)
    .map(({ family, qualifier, timestamp, type }) => {
      // Increments are dated by the server's clock.
      const time = timestamp > 1_000_000n ? 'now' : timestamp
      return `${family.toString()}:${qualifier.toString()}@${time}${type === CellType.Put ? '' : `!${type}`}`
    })
    .join(' ')
}

/** A denial in its own words; of other refusals the code alone, since they differ in their words. */
async function answerOf(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask()
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return error.code === 'ACCESS_DENIED' ? `denied: ${error.message}` : error.code
  }
}
