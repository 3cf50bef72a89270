import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runConformance } from '../../conformance/src/command.ts'
import { compareTimeline } from '../../conformance/src/timeline/compare-timeline.ts'
import {
  readDifferences,
  runTimeline,
  TIMELINE_CASES,
  timelineRecording,
} from '../../conformance/src/timeline/timeline-suite.ts'
import { openDoors } from '../../src/cli/doors/open-doors.ts'
import { ownServer } from '../../src/cli/settings/advertise-options.ts'
import { timelineSettings } from '../../src/cli/settings/timeline-options.ts'
import { openServedStore } from '../../src/cli/stores/served-store.ts'
import type { Door } from '../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import type { Store } from '../../src/store/store.ts'

test('every case of the timeline has an id of its own and a recording, and every difference a case', () => {
  const ids = TIMELINE_CASES.map(({ id }) => id)
  expect(ids.length).toBeGreaterThanOrEqual(150)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...timelineRecording().keys()]).toEqual(ids)
  const differing = readDifferences().flatMap(({ cases }) => Object.keys(cases))
  expect(differing.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(differing).size).toBe(differing.length)
})

describe.each(['native', 'memory'] as const)(
  'recorded from Hadoop 3.3.6, replayed on the %s store',
  (kind) => {
    let folder: string
    let store: Store
    let doors: ReadonlyMap<string, Door>

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tidegate-timeline-'))
      const logger = pino({ level: 'silent' })
      const ports = {
        rest: 'off',
        thrift: 'off',
        rpc: 'off',
        master: 'off',
        zookeeper: 'off',
        web: 'off',
        timeline: 0,
      } as const
      const spec = kind === 'native' ? { kind, directory: folder } : { kind }
      const options = { poisonReleased: true, awakeBytesMax: 0 }
      const served = await openServedStore({ store: spec, ports }, logger, options)
      store = served
      const timeline = timelineSettings(new Map([['yarn.timeline-service.ttl-enable', 'false']]))
      const memory = new MemoryBudget()
      const context = { store: served, server: ownServer(0), limits: DEFAULT_LIMITS, memory, logger }
      doors = await openDoors(context, { host: '127.0.0.1', ports, timeline })
    })

    afterEach(async () => {
      for (const door of doors.values()) await door.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('all cases', { timeout: 120_000 }, async () => {
      const found = await runTimeline(`http://127.0.0.1:${doors.get('timeline')!.port}`, 10_000)
      const { problems, onPurpose } = compareTimeline(found, timelineRecording(), readDifferences())
      expect(problems.slice(0, 20).join('\n')).toBe('')
      expect(onPurpose).toBe(readDifferences().flatMap(({ cases }) => Object.keys(cases)).length)
    })

    test('by the command', { timeout: 120_000 }, async () => {
      const lines: string[] = []
      const timeline = `http://127.0.0.1:${doors.get('timeline')!.port}`
      const passed = await runConformance({ timeline, timeoutMs: 10_000 }, (line) => lines.push(line))
      expect(passed).toBe(true)
      expect(lines.at(-1)).toMatch(/^\d{3} passed, 0 failed$/)
    })
  },
)
