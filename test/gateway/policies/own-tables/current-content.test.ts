/** Content that several threads keep: a change that was answered before a read began counts, wherever it falls. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharedCount } from '../../../../adapters/native/platform/thread-words.ts'
import { CurrentContent } from '../../../../src/gateway/policies/own-tables/current-content.ts'
import { testRuns } from '../../../harness/test-runs.ts'

interface Content {
  readonly version: number
}

/** A table that another thread changes. Its reads take the version of their begin or of their end, as the test says. */
class Table {
  version = 0
  reads = 0
  /** Called in the middle of the next read. */
  during: (() => void) | undefined
  readonly #counted = SharedCount.memoryFor(2)
  /** The count of the thread that changes the table. */
  readonly #changes = new SharedCount(this.#counted, 1)
  readonly current: CurrentContent<Content> = new CurrentContent(() => this.#read(), {
    changes: new SharedCount(this.#counted, 1),
  })

  async #read(): Promise<Content> {
    this.reads++
    const { version } = this
    await Promise.resolve()
    this.during?.()
    this.during = undefined
    await Promise.resolve()
    return { version }
  }

  /** As a thread does: the count is raised once the change is there, before its client is answered. */
  change(): void {
    this.version++
    this.#changes.add()
  }

  /** As other threads see a change whose client has no answer yet. */
  changeUnanswered(): () => void {
    this.version++
    return () => this.#changes.add()
  }
}

test('content is read once, and again after a change of another thread', async () => {
  const table = new Table()
  const first = await table.current.get()
  expect([table.current.get(), table.reads]).toEqual([first, 1])
  expect(table.current.get()).toBe(first)
  table.change()
  expect(table.current.get()).toBeInstanceOf(Promise)
  expect(await table.current.get()).toEqual({ version: 1 })
  expect(table.reads).toBe(2)
})

test('a change while the content is read has it read anew, also for those who wait', async () => {
  const table = new Table()
  let late: unknown
  table.during = () => {
    table.change()
    late = table.current.get()
  }
  expect(await table.current.get()).toEqual({ version: 1 })
  expect(await late).toEqual({ version: 1 })
  expect(table.reads).toBe(2)
})

test('a change that is counted after its read has seen it is read once more', async () => {
  const table = new Table()
  const answer = table.changeUnanswered()
  expect(await table.current.get()).toEqual({ version: 1 })
  answer()
  expect(await table.current.get()).toEqual({ version: 1 })
  expect(table.reads).toBe(2)
})

test('a failed read is not kept, and the next call reads', async () => {
  let fails = true
  const current = new CurrentContent(async () => {
    if (fails) throw new Error('planted')
    return { version: 0 }
  })
  await expect(Promise.resolve(current.get())).rejects.toThrow('planted')
  fails = false
  expect(await current.get()).toEqual({ version: 0 })
})

test('the count of one table does not touch that of another, and wraps around', () => {
  const memory = SharedCount.memoryFor(2)
  const [first, second] = [new SharedCount(memory, 0), new SharedCount(memory, 1)]
  new Int32Array(memory)[0] = 0x7fffffff
  second.add()
  first.add()
  expect([first.value, second.value]).toEqual([-0x80000000, 1])
})

test('whenever changes come, a call sees all that were answered before it', async () => {
  const step = fc.constantFrom('change', 'change in a read', 'call', 'turn')
  const judged = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const table = new Table()
    const calls: Promise<void>[] = []
    for (const each of steps) {
      if (each === 'change') table.change()
      else if (each === 'change in a read') table.during = () => table.change()
      else if (each === 'turn') await Promise.resolve()
      else {
        const least = table.version
        calls.push(
          Promise.resolve(table.current.get()).then(({ version }) =>
            expect(version).toBeGreaterThanOrEqual(least),
          ),
        )
      }
    }
    await Promise.all(calls)
  })
  await fc.assert(judged, { numRuns: testRuns(300) })
})
