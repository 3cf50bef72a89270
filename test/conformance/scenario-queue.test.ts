import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Scenario } from '../../conformance/src/runner/case.ts'
import { ScenarioQueue } from '../../conformance/src/runner/scenario-queue.ts'
import { testRuns } from '../harness/test-runs.ts'

function scenario(name: string, tables: readonly string[], namespaces: readonly string[] = []): Scenario {
  return { name, tables, namespaces, setup: [], cases: [] }
}

const isAlone = ({ name }: Scenario): boolean => name.startsWith('alone')

function clash(a: Scenario, b: Scenario): boolean {
  return (
    isAlone(a) ||
    isAlone(b) ||
    a.tables.some((table) => b.tables.includes(table)) ||
    a.namespaces.some((namespace) => b.namespaces.includes(namespace))
  )
}

const arbitraryScenarios = fc
  .array(
    fc.record({
      kind: fc.constantFrom('plain', 'plain', 'alone'),
      tables: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 2 }),
      namespaces: fc.uniqueArray(fc.constantFrom('a', 'n'), { maxLength: 1 }),
      turns: fc.nat(4),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ kind, tables, namespaces, turns }, i) => ({
      scenario: scenario(`${kind} ${i}`, tables, namespaces),
      turns,
    })),
  )

test('each scenario is handed out once, and never beside one that it clashes with', () =>
  fc.assert(
    fc.asyncProperty(arbitraryScenarios, fc.integer({ min: 1, max: 4 }), async (all, takers) => {
      const turnsOf = new Map(all.map((each) => [each.scenario, each.turns]))
      const queue = new ScenarioQueue([...turnsOf.keys()], isAlone)
      const running = new Set<Scenario>()
      const ended: string[] = []
      const take = async (): Promise<void> => {
        for await (const taken of queue.take()) {
          for (const other of running) expect(clash(taken, other), `${taken.name}, ${other.name}`).toBe(false)
          running.add(taken)
          for (let turn = turnsOf.get(taken)!; turn > 0; turn--) await Promise.resolve()
          running.delete(taken)
          ended.push(taken.name)
        }
      }
      await Promise.all(Array.from({ length: takers }, take))
      expect(ended.toSorted()).toEqual(all.map(({ scenario: { name } }) => name).toSorted())
    }),
    { numRuns: testRuns(200) },
  ))

test('scenarios that share nothing run side by side', async () => {
  const queue = new ScenarioQueue([scenario('a', ['t']), scenario('b', ['t']), scenario('c', ['u'])])
  const [first, second] = [queue.take(), queue.take()]
  expect((await first.next()).value?.name).toBe('a')
  expect((await second.next()).value?.name).toBe('c')
})

test('a taker that goes away leaves its tables to the others', async () => {
  const queue = new ScenarioQueue([scenario('a', ['t']), scenario('b', ['t'])])
  const first = queue.take()
  await first.next()
  const waiting = queue.take().next()
  await first.return(undefined)
  expect((await waiting).value?.name).toBe('b')
})
