import { describe, expect, it, test } from 'vitest'
import {
  familyDescriptor,
  findFamily,
  type TableDescriptor,
  tableDescriptor,
} from '../../src/model/descriptor.ts'
import {
  checkChangedTrackers,
  checkNewTrackers,
  trackerStep,
  withTracker,
} from '../../src/model/file-trackers.ts'
import { parseTableName } from '../../src/model/table-name.ts'

const NAME = parseTableName('t')
const TRACKER = 'hbase.store.file-tracker.impl'
const SOURCE = 'hbase.store.file-tracker.migration.src.impl'
const DESTINATION = 'hbase.store.file-tracker.migration.dst.impl'
const CLASS = 'org.apache.hadoop.hbase.regionserver.storefiletracker.FileBasedStoreFileTracker'
const UNKNOWN = `Class X not found: ${TRACKER} is DEFAULT, FILE or MIGRATION`

type Settings = readonly [tracker: string, source?: string | undefined, destination?: string]

function settings([tracker, source, destination]: Settings): [string, string][] {
  const all: [string, string | undefined][] = [
    [TRACKER, tracker],
    [SOURCE, source],
    [DESTINATION, destination],
  ]
  return all.filter((each): each is [string, string] => each[1] !== undefined)
}

/** The settings stand in the table, or in its one family. */
function table(stated: Settings, of: 'table' | 'family' = 'table'): TableDescriptor {
  const own = settings(stated)
  return of === 'table'
    ? tableDescriptor(NAME, [familyDescriptor('f')], own)
    : tableDescriptor(NAME, [familyDescriptor('f', [], new Map(own))])
}

function refusal(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

const PLACE = 'for family f of table t'
const NEW_MIGRATION = 'Should not use MIGRATION as store file tracker for new family f of table t'

// As HBase 2.6.1 has answered; its words for an unknown one are those of a lasting failure.
describe.each(['table', 'family'] as const)('trackers of store files, set in the %s', (of) => {
  it.each<[Settings, string]>([
    [['DEFAULT'], 'none'],
    [['file'], 'none'],
    [[CLASS], 'none'],
    [['MIGRATION', 'FILE', 'DEFAULT'], NEW_MIGRATION],
    [['migration'], NEW_MIGRATION],
    [['X'], UNKNOWN],
  ])('%j of a new table: %s', (stated, answer) => {
    expect(refusal(() => checkNewTrackers(table(stated, of)))).toBe(answer)
  })

  it.each<[Settings, Settings, string]>([
    [['DEFAULT'], ['default'], 'none'],
    [['FILE'], [CLASS], 'none'],
    [['DEFAULT'], ['FILE'], `Should change to MIGRATION first when migrating from DEFAULT ${PLACE}`],
    [['DEFAULT'], ['X'], UNKNOWN],
    [['DEFAULT'], ['MIGRATION', undefined, 'FILE'], `config ${SOURCE} is not set`],
    [['DEFAULT'], ['MIGRATION', 'DEFAULT'], `config ${DESTINATION} is not set`],
    [['DEFAULT'], ['MIGRATION', 'DEFAULT', 'FILE'], 'none'],
    [
      ['DEFAULT'],
      ['MIGRATION', 'DEFAULT', 'DEFAULT'],
      `The src tracker and dst tracker are both DEFAULT ${PLACE}`,
    ],
    [
      ['DEFAULT'],
      ['MIGRATION', 'FILE', 'DEFAULT'],
      `Should use src tracker DEFAULT first but got FILE when migrating from DEFAULT ${PLACE}`,
    ],
    [
      ['MIGRATION', 'DEFAULT', 'FILE'],
      ['MIGRATION', 'FILE', 'FILE'],
      `The src tracker has been changed from DEFAULT to FILE ${PLACE}`,
    ],
    [
      ['MIGRATION', 'DEFAULT', 'FILE'],
      ['MIGRATION', 'DEFAULT', 'DEFAULT'],
      `The dst tracker has been changed from FILE to DEFAULT ${PLACE}`,
    ],
    [
      ['MIGRATION', 'DEFAULT', 'FILE'],
      ['DEFAULT'],
      `Should migrate tracker to FILE but got DEFAULT ${PLACE}`,
    ],
    [['MIGRATION', 'DEFAULT', 'FILE'], ['FILE'], 'none'],
    [['X'], ['X'], 'none'],
  ])('%j becomes %j: %s', (before, after, answer) => {
    expect(refusal(() => checkChangedTrackers(table(before, of), table(after, of)))).toBe(answer)
  })

  it.each<[Settings, string, number]>([
    [['DEFAULT'], 'DEFAULT', 0],
    [['DEFAULT'], 'file', 2],
    [['MIGRATION', 'FILE', 'DEFAULT'], 'DEFAULT', 1],
    [['MIGRATION', 'FILE', 'DEFAULT'], 'FILE', 3],
  ])('%j is made %s in %i allowed steps', (stated, wanted, count) => {
    const before = table(stated, of)
    const named = of === 'family' ? Buffer.from('f') : undefined
    let present = before
    for (let steps = 0; steps < count; steps++) {
      const step = trackerStep(present, named, wanted)!
      checkChangedTrackers(present, step)
      present = step
    }
    expect(trackerStep(present, named, wanted)).toBeUndefined()
    const family = findFamily(present, Buffer.from('f'))!
    const own = of === 'table' ? present.attributes : family.configuration!
    expect([...own]).toEqual([[TRACKER, wanted.toUpperCase()]])
  })
})

test('a new family has the tracker of its table, or its own', () => {
  const before = table(['MIGRATION', 'DEFAULT', 'FILE'])
  const families = [familyDescriptor('f'), familyDescriptor('g')]
  const after = { ...before, families }
  expect(refusal(() => checkChangedTrackers(before, after))).toBe(NEW_MIGRATION.replace(' f ', ' g '))
  const own = familyDescriptor('g', [], new Map([[TRACKER, 'FILE']]))
  expect(refusal(() => checkChangedTrackers(before, { ...before, families: [families[0]!, own] }))).toBe(
    'none',
  )
})

test('a tracker that cannot be had, and a family that is not there, are refused', () => {
  const present = table(['DEFAULT'])
  expect(refusal(() => trackerStep(present, undefined, 'migration'))).toBe(
    'Do not need to transfer to MIGRATION',
  )
  expect(refusal(() => trackerStep(present, undefined, 'X'))).toBe(UNKNOWN)
  expect(refusal(() => trackerStep(present, Buffer.from('g'), 'FILE'))).toBe('g does not exist for table t')
})

test('a clone has the stated tracker alone, in all its families', () => {
  for (const of of ['table', 'family'] as const) {
    const { attributes, families } = withTracker(table(['DEFAULT'], of), 'FILE')
    expect(attributes.get(TRACKER)).toBe('FILE')
    expect(families[0]!.configuration?.has(TRACKER) ?? false).toBe(false)
  }
})

test('a clone with a tracker that is not there is refused in words of HBase', () => {
  const failure = 'java.lang.RuntimeException'
  expect(() => withTracker(table(['FILE']), 'X')).toThrow(
    `${failure}: ${failure}: java.lang.ClassNotFoundException: Class X not found`,
  )
})
