import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { TagCursor, tag } from '../../../src/model/cell-tags.ts'
import { MutationBatch, type MutationOptions, type RowOperation } from '../../../src/model/mutation.ts'
import { type Get, get, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { block, long } from './row-operations.ts'
import { bytes, cellText, NO_GET_LIMITS, NO_LIMITS, type Session } from './store-under-test.ts'

const SYNC = { durability: 'USE_DEFAULT' } as const
const OWN = 65
const OTHER = 66

function tags(...each: readonly (readonly [type: number, value: string])[]): Buffer {
  return Buffer.concat(each.map(([type, value]) => tag(type, bytes(value))))
}

/** `type:value` of each tag; the life of a cell as milliseconds. */
function tagsText(all: Buffer | undefined): string {
  const texts: string[] = []
  const cursor = new TagCursor(all ?? bytes(''))
  while (cursor.next()) {
    const { type, value } = cursor
    texts.push(`${type}:${type === 8 ? value.readBigInt64BE() : value.toString('latin1')}`)
  }
  return texts.join(',')
}

async function tagged(session: Session, row: string, options: Partial<Get> = {}): Promise<string[]> {
  const asked = [get(bytes(row), { withTags: true, ...options })]
  const { cells } = await session.store.rows.get(session.table, asked, NO_GET_LIMITS, OWN_CALL)
  return cellsOf(cells).map((cell) => `${cellText(cell).replace(/@\d+/, '')} [${tagsText(cell.tags)}]`)
}

/** A put of one cell with tags of its own. */
async function putTagged(
  session: Session,
  column: string,
  own: Buffer | undefined,
  options?: MutationOptions,
): Promise<void> {
  const batch = new MutationBatch()
  const [family, qualifier] = column.split(':').map(bytes) as [Buffer, Buffer]
  const prefix = batch.cells.length
  batch.put(bytes('r'), family, qualifier, bytes('v'), 5n)
  if (own !== undefined) batch.cells.appendTags(prefix, own)
  batch.endMutation(options)
  expect(await session.store.rows.mutate(session.table, batch, OWN_CALL)).toEqual([])
}

async function change(
  session: Session,
  operation: RowOperation,
  options: MutationOptions = SYNC,
): Promise<string> {
  const mutation = { row: bytes('r'), operations: [operation], options, withTags: true }
  const { results } = await session.store.rows.mutateRow(session.table, mutation, OWN_CALL)
  return cellsOf(results.cells)
    .map((cell) => `${cell.value.toString('hex')} [${tagsText(cell.tags)}]`)
    .join(' ')
}

/** Adds one to f:n. */
function increment(own?: Buffer): RowOperation {
  const batch = new MutationBatch()
  for (const cell of cellsOf(block('r', [['f:n', long(1n)]])))
    batch.cells.appendParts({ ...cell, ...(own && { tags: own }) })
  return { kind: 'increment', cells: batch.cells.block() }
}

/** Tags of cells. Their order and what is carried over were seen on HBase 2.6.1, by a client with KeyValueCodecWithTags. */
export function describeTags(start: () => Promise<Session>): void {
  describe('tags', () => {
    test('a cell keeps its own tags, those of its mutation before and its life behind them', async () => {
      const session = await start()
      session.needs('tags')
      await session.create()
      await putTagged(session, 'f:none', undefined)
      await putTagged(session, 'f:own', tags([OWN, 'a'], [OTHER, '']))
      await putTagged(session, 'f:given', undefined, { ...SYNC, tags: tags([1, 'acl']) })
      const all = { ...SYNC, tags: tags([1, 'acl']), ttlMs: 10_000 }
      await putTagged(session, 'f:all', Buffer.concat([tags([OWN, 'a']), tags([1, 'mine'])]), all)
      await session.settle()
      // The last one has outlived itself.
      expect(await tagged(session, 'r')).toEqual([
        'r/f:given=v [1:acl]',
        'r/f:none=v []',
        'r/f:own=v [65:a,66:]',
      ])
      expect(await session.get('r')).toEqual(['r/f:given@5=v', 'r/f:none@5=v', 'r/f:own@5=v'])
    })

    test('only a query that asks for tags has them, by each way of reading', async () => {
      const session = await start()
      session.needs('tags')
      await session.create()
      await putTagged(session, 'f:a', tags([OWN, 'x']))
      await putTagged(session, 'f:b', undefined)
      await session.settle()
      const filter = { kind: 'ColumnPrefixFilter', prefix: bytes('a') } as const
      for (const query of [{}, { filter }, { maxVersions: 3 }, { reversed: true }]) {
        for (const withTags of [true, false]) {
          const asked = scan({ ...query, withTags })
          const scanner = await openScanner(session.store, session.table, asked, OWN_CALL)
          const { cells } = gathered((await scanner.next(NO_LIMITS, OWN_CALL)).results)
          expect(cellsOf(cells).map((cell) => tagsText(cell.tags))).toEqual([
            withTags ? '65:x' : '',
            ...('filter' in query ? [] : ['']),
          ])
          await scanner.close()
        }
      }
    })

    test('a filter that leaves the value out leaves the tags out', async () => {
      const session = await start()
      session.needs('tags')
      await session.create()
      await putTagged(session, 'f:a', tags([OWN, 'x']))
      await session.settle()
      const keyOnly = { kind: 'KeyOnlyFilter', lengthAsValue: false } as const
      const prefix = { kind: 'ColumnPrefixFilter', prefix: bytes('a') } as const
      expect(await tagged(session, 'r', { filter: keyOnly })).toEqual(['r/f:a= []'])
      expect(await tagged(session, 'r', { filter: prefix })).toEqual(['r/f:a=v [65:x]'])
    })

    test('increments and appends carry tags over', async () => {
      const session = await start()
      session.needs('tags')
      await session.create()
      expect(await change(session, increment(tags([OWN, 'i1'])))).toBe('0000000000000001 [65:i1]')
      await session.settle()
      expect(await change(session, increment(tags([OTHER, 'i2'])))).toBe('0000000000000002 [66:i2,65:i1]')
      const short = { ...SYNC, ttlMs: 10_000_000 }
      expect(await change(session, increment(), short)).toBe('0000000000000003 [66:i2,65:i1,8:10000000]')
      expect(await change(session, increment(), short)).toBe('0000000000000004 [66:i2,65:i1,8:10000000]')
      const acl = { ...SYNC, tags: tags([OWN, 'new']) }
      expect(await change(session, increment(), acl)).toBe('0000000000000005 [65:new,66:i2,8:10000000]')
      await session.settle()
      expect(await tagged(session, 'r')).toEqual([
        'r/f:n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05 [65:new,66:i2,8:10000000]',
      ])
      const append: RowOperation = { kind: 'append', cells: block('r', [['f:n', '!']]) }
      expect(await change(session, append)).toBe('000000000000000521 [65:new,66:i2,8:10000000]')
    })

    test('tombstones have them, too, and a delete of the row one for each family', async () => {
      const session = await start()
      session.needs('tags')
      await session.create(['f', 'g'])
      const batch = new MutationBatch()
      batch.deleteRow(bytes('r'), 7n).endMutation({ ...SYNC, tags: tags([2, 'label']) })
      await session.store.rows.mutate(session.table, batch, OWN_CALL)
      await session.settle()
      expect(await tagged(session, 'r')).toEqual([])
      expect(await tagged(session, 'r', { raw: true, maxVersions: 9 })).toEqual([
        'r/f: DeleteFamily [2:label]',
        'r/g: DeleteFamily [2:label]',
      ])
    })

    test('a cell has no more than 65,535 bytes of them', async () => {
      const session = await start()
      session.needs('tags')
      await session.create()
      const most = tags([OWN, 'x'.repeat(65_532)])
      await putTagged(session, 'f:most', most)
      await session.settle()
      expect(await tagged(session, 'r')).toEqual([`r/f:most=v [65:${'x'.repeat(65_532)}]`])
      const batch = new MutationBatch()
      batch
        .put(bytes('r'), bytes('f'), bytes('most'), bytes('v'))
        .endMutation({ ...SYNC, tags: most, ttlMs: 1 })
      const [failure] = await session.store.rows.mutate(session.table, batch, OWN_CALL)
      expect(failure?.error.code).toBe('ILLEGAL_ARGUMENT')
    })
  })
}
