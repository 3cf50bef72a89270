import { expect, test } from 'vitest'
import { HEADING, linesOf, type MeasuredServer, type Round } from '../../load/kerberos/figures.ts'

/** Rounds with these microseconds at the door, half of them of the clients, and as many calls a second as a busy door answers. */
function rounds(...micros: readonly number[]): Round[] {
  return micros.map((each) => ({ doorMicros: each, clientMicros: each / 2, perSecond: 1e6 / each }))
}

const tidegate: readonly MeasuredServer[] = [
  { owner: 'Tidegate', kind: 'plain', rounds: rounds(10, 20, 100) },
  { owner: 'Tidegate', kind: 'integrity', rounds: rounds(15, 30, 400) },
]

test('a protection is compared with the round of the plain server beside it; kinds that take no part are empty', () => {
  expect(linesOf('Get', tidegate, true)).toBe('| Get: Tidegate | 20 |  | 30 (1.50) |  |  |\n')
  expect(HEADING).toBe(
    '| microseconds of the processor | plain | authentication | integrity | privacy | privacy with AES |\n' +
      '| --- | ---: | ---: | ---: | ---: | ---: |\n',
  )
})

test('beside HBase stand the parts of its time, of its speed, and the time of its clients', () => {
  const hbase: readonly MeasuredServer[] = [
    { owner: 'HBase', kind: 'plain', rounds: rounds(40, 80, 400) },
    { owner: 'HBase', kind: 'integrity', rounds: rounds(150, 300, 4000) },
  ]
  expect(linesOf('Get', [...tidegate, ...hbase], true).split('\n')).toEqual([
    '| Get: Tidegate | 20 |  | 30 (1.50) |  |  |',
    '| Get: HBase | 80 |  | 300 (3.75) |  |  |',
    "| Get: Tidegate's time, part of HBase's | 0.25 |  | 0.10 |  |  |",
    "| Get: Tidegate's speed, times HBase's | 4.00 |  | 10.00 |  |  |",
    "| Get: Tidegate as HBase's client | 40 |  | 150 (3.75) |  |  |",
    '',
  ])
  expect(linesOf('Get', [...tidegate, ...hbase], false)).not.toContain('client')
})
