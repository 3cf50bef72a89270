/** Gets and scans: by which labels they read, and how filters and versions go along with them. */

import { ColumnsBuilder } from '../../../src/model/query.ts'
import { TABLE } from './ask-questions.ts'
import { answerOf, type Clients, FAMILY, OTHER_FAMILY, type Question, Row } from './asking.ts'

/** A row with a cell of each expression. */
async function mixedRow(as: Clients, key: string): Promise<Row> {
  const row = new Row(as, TABLE, key)
  const expressions = ['secret', 'topsecret', 'public', 'confidential', '!secret', undefined]
  for (const [index, expression] of expressions.entries())
    await row.put(expression, { qualifier: `${index}` })
  return row
}

/** Versions of one column, from the newest on. */
async function versionedRow(as: Clients, key: string, family: Buffer = FAMILY): Promise<Row> {
  const row = new Row(as, TABLE, key)
  const expressions = ['secret', 'topsecret', 'secret', undefined, 'public', 'secret', 'secret', undefined]
  for (const [index, expression] of expressions.entries())
    await row.put(expression, { time: 100 - index, family, value: `${index}` })
  return row
}

const AUTHORIZATIONS: readonly (readonly string[])[] = [
  [],
  ['secret'],
  ['topsecret'],
  ['secret', 'topsecret'],
  ['public'],
  ['unknown'],
  ['secret', 'unknown'],
  ['system'],
  ['confidential'],
  ['secret', 'secret'],
]

function readings(): [string, Question][] {
  return (['super', 'alice', 'bob', 'carol', 'gina', 'eve'] as const).flatMap((person) =>
    AUTHORIZATIONS.map((labels): [string, Question] => [
      `read of ${person} with [${labels.join(' ')}]`,
      async (as) => {
        const row = new Row(as, TABLE, 'mixed')
        const scanned = await answerOf(() => row.seenBy(person, {}, labels))
        const gotten = await answerOf(() => row.gottenBy(person, {}, labels))
        return scanned === gotten ? scanned : `scan ${scanned} get ${gotten}`
      },
    ]),
  )
}

export const READ_QUESTIONS: Readonly<Record<string, Question>> = {
  'read of all without authorizations': async (as) => (await mixedRow(as, 'mixed')).seenByAll(),
  ...Object.fromEntries(readings()),
  'versions all': async (as) => (await versionedRow(as, 'versions')).seenByAll(),
  'versions 1': async (as) => new Row(as, TABLE, 'versions').seenByAll({ maxVersions: 1 }),
  'versions 2': async (as) => new Row(as, TABLE, 'versions').seenByAll({ maxVersions: 2 }),
  'versions of a family of two': async (as) =>
    (await versionedRow(as, 'versions g', OTHER_FAMILY)).seenByAll(),
  'versions of a family of two, 1 asked for': async (as) =>
    new Row(as, TABLE, 'versions g').seenByAll({ maxVersions: 1 }),
  'versions of a named column': async (as) => {
    const columns = new ColumnsBuilder().addColumn(FAMILY, Buffer.from('q')).build()
    return new Row(as, TABLE, 'versions').seenByAll({ columns, maxVersions: 2 })
  },
  'versions with a limit of the family': async (as) =>
    new Row(as, TABLE, 'versions').seenByAll({ familyLimit: 1 }),
  'versions with an offset': async (as) =>
    new Row(as, TABLE, 'versions').seenByAll({ familyOffset: 1, familyLimit: 2 }),
  'versions raw': async (as) => new Row(as, TABLE, 'versions').seenByAll({ raw: true }),
  'versions raw of two': async (as) => new Row(as, TABLE, 'versions g').seenByAll({ raw: true }),
  'versions reversed': async (as) => new Row(as, TABLE, 'versions').seenByAll({ reversed: true }),
  'filter first key only': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({ filter: { kind: 'FirstKeyOnlyFilter' } }),
  'filter column count': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({ filter: { kind: 'ColumnCountGetFilter', limit: 2 } }),
  'filter column pagination': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({
      filter: { kind: 'ColumnPaginationFilter', limit: 2, offset: 1 },
    }),
  'filter key only': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({ filter: { kind: 'KeyOnlyFilter', lengthAsValue: true } }),
  'filter page': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({ filter: { kind: 'PageFilter', pageSize: 1n } }),
  'filter value': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({
      filter: {
        kind: 'ValueFilter',
        operator: 'NOT_EQUAL',
        comparator: { kind: 'BinaryComparator', value: Buffer.from('secret') },
      },
    }),
  'filter single column value': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({
      filter: {
        kind: 'SingleColumnValueFilter',
        family: FAMILY,
        qualifier: Buffer.from('1'),
        filterIfMissing: true,
        latestVersionOnly: true,
        operator: 'EQUAL',
        comparator: { kind: 'BinaryComparator', value: Buffer.from('topsecret') },
      },
    }),
  'filter timestamps': async (as) =>
    new Row(as, TABLE, 'versions').seenByAll({
      filter: { kind: 'TimestampsFilter', timestamps: [99n, 98n, 95n], canHint: true },
    }),
  'filter qualifier prefix': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({
      filter: { kind: 'ColumnPrefixFilter', prefix: Buffer.from('3') },
    }),
  'filter of one list': async (as) =>
    new Row(as, TABLE, 'mixed').seenByAll({
      filter: {
        kind: 'FilterList',
        operator: 'MUST_PASS_ONE',
        filters: [
          { kind: 'ColumnPrefixFilter', prefix: Buffer.from('3') },
          { kind: 'ColumnPrefixFilter', prefix: Buffer.from('0') },
        ],
      },
    }),
}
