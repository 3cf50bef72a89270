/** Requests with labels, and their answers as text. */

import { create, toBinary } from '@bufbuild/protobuf'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { MutationBatch, type MutationOptions } from '../../../src/model/mutation.ts'
import { get, type Query, type Scan, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { AuthorizationsSchema, CellVisibilitySchema } from '../../../src/wire/rpc/gen/client_pb.ts'
import { PEOPLE, type Person, SUPERUSER } from './people.ts'

export type Clients = Readonly<Record<Person, Store>>
export type Question = (as: Clients) => Promise<string>

export const FAMILY: Buffer = Buffer.from('f')
export const OTHER_FAMILY: Buffer = Buffer.from('g')
/** A family with NEW_VERSION_BEHAVIOR. */
export const NEW_FAMILY: Buffer = Buffer.from('n')

export function visibility(expression: string): MutationOptions {
  const value = Buffer.from(toBinary(CellVisibilitySchema, create(CellVisibilitySchema, { expression })))
  return { durability: 'USE_DEFAULT', attributes: new Map([['VISIBILITY', value]]) }
}

export function authorizations(labels: readonly string[] | undefined): Partial<Query> {
  if (labels === undefined) return {}
  const message = create(AuthorizationsSchema, { label: [...labels] })
  return { attributes: new Map([['VISIBILITY', Buffer.from(toBinary(AuthorizationsSchema, message))]]) }
}

export interface PutFields {
  readonly qualifier?: string
  readonly family?: Buffer
  readonly time?: number
  readonly value?: string
}

export class Row {
  readonly key: Buffer
  readonly table: TableName
  readonly as: Clients

  constructor(as: Clients, table: TableName, key: string) {
    this.as = as
    this.table = table
    this.key = Buffer.from(key)
  }

  /** Refusals are thrown. */
  async apply(
    fill: (batch: MutationBatch) => void,
    expression?: string,
    person: Person = SUPERUSER,
  ): Promise<void> {
    const batch = new MutationBatch()
    fill(batch)
    batch.endMutation(expression === undefined ? undefined : visibility(expression))
    const [failure] = await this.as[person].rows.mutate(this.table, batch, OWN_CALL)
    if (failure !== undefined) throw failure.error
  }

  put(expression?: string, fields: PutFields = {}, person?: Person): Promise<void> {
    const { qualifier = 'q', family = FAMILY, time = 10, value = expression ?? 'none' } = fields
    const [column, bytes] = [Buffer.from(qualifier), Buffer.from(value)]
    return this.apply((batch) => batch.put(this.key, family, column, bytes, BigInt(time)), expression, person)
  }

  /** The row as somebody sees it by a scan of it. */
  async seenBy(person: Person, query: Partial<Scan> = {}, labels?: readonly string[]): Promise<string> {
    const { rows, handouts } = this.as[person]
    const range = { startRow: this.key, stopRow: this.key, includeStopRow: true }
    const asked = scan({ ...range, maxVersions: 100, ...query, ...authorizations(labels) })
    const { id } = await rows.openScanner(this.table, asked, OWN_CALL)
    const { results } = await handouts.next(id, { rows: 10, bytes: 1e6, allowPartial: false }, OWN_CALL)
    const text = cellsText(results)
    await handouts.closeScanner(id)
    return text
  }

  async gottenBy(person: Person, query: Partial<Query> = {}, labels?: readonly string[]): Promise<string> {
    const asked = get(this.key, { maxVersions: 100, ...query, ...authorizations(labels) })
    return cellsText(await this.as[person].rows.get(this.table, [asked], { bytes: 1e6 }, OWN_CALL))
  }

  /** As everybody sees it, people who see the same together. */
  async seenByAll(query: Partial<Scan> = {}): Promise<string> {
    const views = new Map<string, Person[]>()
    for (const person of PEOPLE) {
      const view = await answerOf(() => this.seenBy(person, query))
      views.set(view, [...(views.get(view) ?? []), person])
    }
    return [...views].map(([view, people]) => `${people.join(' ')}: ${view}`).join(' | ')
  }
}

function cellsText(results: Parameters<typeof gathered>[0]): string {
  const cells = cellsOf(gathered(results).cells)
  const texts = cells.map(({ family, qualifier, timestamp, type, value }) => {
    const column = `${family.toString()}:${qualifier.toString()}`
    const kind = type === 4 ? '' : `#${type}`
    return `${column}@${timestamp}${kind}=${value.toString()}`
  })
  return texts.length === 0 ? 'nothing' : texts.join(' ')
}

/** Refusals as their Java class and words. */
export async function answerOf(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask()
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return `${error.javaClass}: ${error.message.split('\n')[0]}`
  }
}
