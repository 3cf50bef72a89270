import { expect, test } from 'vitest'
import { cpu, missedByFootprint, missedByWorkloads, p99, speed, times } from '../../load/compare/goals.ts'
import { page } from '../../load/compare/page.ts'
import type { Figures, Measured } from '../../load/compare/rounds.ts'

function figures(callsPerSecond: number, micros: number, p99Ms = 1): Figures {
  const answers = { bytes: 100.4, each: { rows: 1, cells: 2 } }
  const loop = { calls: 1000, callsPerSecond, p50Ms: 0.5, p99Ms, p999Ms: 2 * p99Ms, answers }
  return { ...loop, doorMicros: micros / 2, allMicros: micros }
}

function measured(door: 'thrift' | 'rpc', isPaced: boolean): Measured {
  return {
    workload: {
      name: 'getRow',
      door,
      clients: 16,
      isPaced,
      goals: { engine: 4, cluster: 2 },
      prepare: () => Promise.reject(new Error('not run')),
    },
    figures: { hbase: figures(100, 600, 8), engine: figures(400, 100, 9), cluster: figures(199, 300, 4) },
    paced: isPaced
      ? { hbase: figures(50, 600, 8), engine: figures(50, 100, 2), cluster: figures(50, 300, 8) }
      : {},
    pacedCallsPerSecond: isPaced ? 50 : undefined,
  }
}

const RESIDENTS = { engine: 500, cluster: 100, rest: 200, thrift: 200, regionServer: 1600 }
const STARTS = { emptyMs: 500, emptyIdleMiB: 80, fullMs: 2000 }

test('a goal is met by its own figure, and not by the next one', () => {
  const each = measured('thrift', true)
  expect(speed(each, 'engine')).toEqual({ ratio: 4, goal: 4, isMet: true })
  expect(speed(each, 'cluster')).toMatchObject({ ratio: 1.99, isMet: false })
  expect(cpu(each, 'engine')!.isMet).toBe(true)
  expect(cpu(each, 'cluster')).toMatchObject({ ratio: 0.5, isMet: false })
})

test('latencies are compared at a fixed load, and as they were where there is none', () => {
  expect(p99(measured('thrift', true), 'engine')).toMatchObject({ ratio: 0.25, isMet: true })
  expect(p99(measured('thrift', true), 'cluster')).toMatchObject({ ratio: 1, isMet: false })
  expect(p99(measured('thrift', false), 'engine')!.isMet).toBe(false)
})

test('a side that took no part, or has no peer, misses nothing', () => {
  const each = measured('rpc', true)
  expect([cpu(each, 'cluster'), p99(each, 'cluster')]).toEqual([undefined, undefined])
  const alone = { ...each, figures: { hbase: each.figures.hbase! }, paced: {} }
  expect([speed(alone, 'engine'), cpu(alone, 'engine'), p99(alone, 'engine')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(missedByWorkloads([alone])).toEqual([])
})

test('what is missed says the workload, the side, the figure and the goal', () => {
  expect(missedByWorkloads([measured('thrift', true)])).toEqual([
    'getRow, 16 clients, in front of HBase: calls a second 1.99x (goal 2.00x)',
    'getRow, 16 clients, in front of HBase: CPU a call 0.50x (goal 0.17x)',
    'getRow, 16 clients, in front of HBase: p99 1.00x (goal 1.00x)',
  ])
  expect(missedByFootprint(RESIDENTS, STARTS)).toEqual([])
  expect(missedByFootprint({ ...RESIDENTS, cluster: 101 }, { ...STARTS, emptyIdleMiB: 81 })).toEqual([
    'memory in front of HBase: 101 MiB (goal 100)',
    'memory when idle: 81 MiB (goal 80)',
  ])
  expect([0.17, 0.994, 0.996, 12.34].map(times)).toEqual(['0.17x', '0.99x', '1.00x', '12.3x'])
})

test('the page has a line for each workload, and prints what is missed in bold and as a list', () => {
  const text = page({
    date: '2026-01-01',
    commit: 'abc',
    measured: [measured('thrift', true)],
    residents: RESIDENTS,
    starts: STARTS,
    disk: { engine: 1, HBase: 2 },
    ceiling: { peers: 'a\nb', levelDb: 'c' },
    missed: ['something'],
  })
  expect(text).toContain(
    '| getRow, 16 clients | 4.00x (4) | **1.99x** (2) | 0.17x, **0.50x** | 0.25x, **1.00x** |',
  )
  expect(text).toContain(
    '| HBase | 100 | 0.50 / 8.00 / 16 | 0.50 / 8.00 / 16 at 50 | 300 / 600 | 1 / 2 / 100 |',
  )
  expect(text).toContain('\n- something\n')
  expect(text).toContain('\n    a\n    b\n')
})
