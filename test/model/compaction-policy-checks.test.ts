import { expect, it } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { checkTable } from '../../src/model/table-checks.ts'
import { parseTableName } from '../../src/model/table-name.ts'

const NAME = parseTableName('t')
const POLICY = 'hbase.hstore.defaultengine.compactionpolicy.class'
const FIFO = 'org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy'
const BLOCKING = 'hbase.hstore.blockingStoreFiles'
const UNCHECKED: Stated = { 'hbase.table.sanity.checks': 'false' }
const BYPASS =
  ' Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks'
const NO_TTL = 'Default TTL is not supported for FIFO compaction'
const MIN_VERSIONS = 'MIN_VERSION > 0 is not supported for FIFO compaction'
const FIFO_FAMILY = { TTL: '99', [POLICY]: FIFO }
const ERASURE =
  'Cannot manage Erasure Coding policy. Erasure Coding is only available on HDFS, but fs is LocalFileSystem'

type Stated = Readonly<Record<string, string>>

function tooFew(count: number, family: string): string {
  return `Blocking file count '${BLOCKING}' ${count} is below recommended minimum of 1000 for column family ${family}`
}

function isSetting([key]: readonly [string, string]): boolean {
  return key.startsWith('hbase.')
}

/** Families named f, g and so on, each with the keys of HBase's settings in its configuration. */
function refusal(attributes: Stated, ...families: readonly Stated[]): string | undefined {
  const described = families.map((stated, index) => {
    const all = Object.entries(stated)
    const configuration = new Map(all.filter(isSetting))
    return familyDescriptor(
      'fgh'[index]!,
      all.filter((each) => !isSetting(each)),
      configuration,
    )
  })
  try {
    checkTable(tableDescriptor(NAME, described, Object.entries(attributes)))
    return undefined
  } catch (error) {
    if (error instanceof HBaseError && error.code === 'DO_NOT_RETRY') return error.message
    throw error
  }
}

/** As HBase 2.6.1 answered. */
const refused: [string, string, Stated, ...Stated[]][] = [
  ['no TTL', NO_TTL, {}, { [POLICY]: FIFO }],
  ['the policy of the table', NO_TTL, { [POLICY]: FIFO }, {}],
  ['checks that are off', NO_TTL, UNCHECKED, { [POLICY]: FIFO }],
  ['no replica either', NO_TTL, { REGION_REPLICATION: '0' }, { [POLICY]: FIFO }],
  ['erasure coding too', NO_TTL, { ERASURE_CODING_POLICY: 'x' }, { [POLICY]: FIFO }],
  ['MIN_VERSIONS', MIN_VERSIONS, {}, { ...FIFO_FAMILY, VERSIONS: '3', MIN_VERSIONS: '1' }],
  ['the usual blocking files', tooFew(16, 'f'), {}, FIFO_FAMILY],
  ['999 blocking files', tooFew(999, 'f'), {}, { ...FIFO_FAMILY, [BLOCKING]: '999' }],
  ['fewer than its table', tooFew(7, 'f'), { [BLOCKING]: '1000' }, { ...FIFO_FAMILY, [BLOCKING]: '7' }],
  ['a number behind it', tooFew(16, 'f'), {}, FIFO_FAMILY, { ...FIFO_FAMILY, [BLOCKING]: '1000' }],
]

it.each(refused)('refuses a family of FIFO compactions with %s', (_, reason, attributes, ...families) => {
  expect(refusal(attributes, ...families)).toBe(reason + BYPASS)
})

const taken: [string, Stated, ...Stated[]][] = [
  ['1000 blocking files', {}, { ...FIFO_FAMILY, [BLOCKING]: '1000' }],
  ['1000 blocking files of its table', { [BLOCKING]: '1000' }, FIFO_FAMILY],
  ['a number before it', {}, { ...FIFO_FAMILY, [BLOCKING]: '1000' }, FIFO_FAMILY],
]

it.each(taken)('takes a family of FIFO compactions with %s', (_, attributes, ...families) => {
  expect(refusal(attributes, ...families)).toBeUndefined()
})

it('asks for none of this from families that are compacted otherwise', () => {
  expect(refusal({ [POLICY]: FIFO }, { [POLICY]: 'another' })).toBeUndefined()
})

it('refuses a policy of erasure coding, after the replicas and before the families', () => {
  const erasure = { ERASURE_CODING_POLICY: 'RS-6-3-1024k' }
  expect(refusal(erasure, {})).toBe(ERASURE + BYPASS)
  expect(refusal(erasure, { TTL: '-1' })).toBe(ERASURE + BYPASS)
  expect(refusal({ ...erasure, REGION_REPLICATION: '0' }, {})).toMatch(/region replication/)
  expect(refusal({ ...erasure, ...UNCHECKED }, {})).toBeUndefined()
})
